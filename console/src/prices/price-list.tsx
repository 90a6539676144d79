import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { count } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Answered, Empty } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { forMillion } from './model.ts'

const PAGE_SIZE = 50

/** All models whose public price is known. */
export const PriceList = () => {
  const [text, setText] = useState('')
  const [page, setPage] = useState(0)
  const search = useDeferredValue(text.trim())
  const query = useQuery({
    queryKey: ['prices', search, page],
    placeholderData: (before) => before,
    queryFn: () =>
      take(
        gateway.GET('/v2/model-configs/pricing', {
          params: {
            query: { current_page: page, page_size: PAGE_SIZE, ...(search === '' ? {} : { search }) },
          },
        }),
      ),
  })
  return (
    <>
      <div className="max-w-sm">
        <TextField
          label="Search models"
          type="search"
          placeholder="openai/gpt"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setPage(0)
          }}
        />
      </div>
      <Answered query={query}>
        {({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Empty>No model is called so.</Empty>
            ) : (
              <Table
                label="Prices"
                rows={data}
                keyOf={({ provider, model_slug: model }) => `${provider}/${model}`}
                columns={[
                  { title: 'Provider', cell: ({ provider }) => provider },
                  { title: 'Model', cell: ({ model_slug: model }) => <Name text={model} /> },
                  {
                    title: 'Input',
                    isNumber: true,
                    cell: ({ pay_as_you_go: price }) => forMillion(price.request_token?.price),
                  },
                  {
                    title: 'Output',
                    isNumber: true,
                    cell: ({ pay_as_you_go: price }) => forMillion(price.response_token?.price),
                  },
                  {
                    title: 'Cached',
                    isNumber: true,
                    cell: ({ pay_as_you_go: price }) => forMillion(price.cache_read_input_token?.price),
                  },
                  { title: 'Context', isNumber: true, cell: ({ model }) => count(model?.context) },
                  { title: 'For', cell: ({ model }) => model?.mode ?? '—' },
                  {
                    title: 'From',
                    cell: ({ price_id: from }) => <span className="whitespace-nowrap">{from ?? '—'}</span>,
                  },
                ]}
              />
            )}
            <div className="flex flex-wrap items-center gap-2">
              <Button disabled={page === 0} onClick={() => setPage(page - 1)}>
                Before
              </Button>
              <Button disabled={(page + 1) * PAGE_SIZE >= total} onClick={() => setPage(page + 1)}>
                Next
              </Button>
              <p role="status" className="text-soft">
                {total === 0
                  ? 'None'
                  : `${count(page * PAGE_SIZE + 1)} to ${count(page * PAGE_SIZE + data.length)} of ${count(total)}`}
              </p>
            </div>
          </>
        )}
      </Answered>
    </>
  )
}
