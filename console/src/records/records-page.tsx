import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, Failed, Loading } from '../ui/states.tsx'
import { FilterForm } from './filter-form.tsx'
import { type Filters, questionOf, timeOf } from './filters.ts'
import { RecordTable } from './record-table.tsx'
import { useTail } from './use-tail.ts'

/** What happened to each call. */
export const RecordsPage = () => {
  const filters = useSearch({ from: '/records' })
  const [isLive, setLive] = useState(false)
  const mayReadBodies = useMay('logs.view')
  return (
    <Page
      title="Records"
      about="What happened to each call, the newest first."
      actions={
        <Button aria-pressed={isLive} onClick={() => setLive(!isLive)}>
          {isLive ? 'Stop following' : 'Follow live'}
        </Button>
      }
    >
      {/* Another address is another draft. */}
      <FilterForm key={JSON.stringify(filters)} filters={filters} mayReadBodies={mayReadBodies} />
      {isLive ? <LiveRecords filters={filters} /> : <StoredRecords filters={filters} />}
    </Page>
  )
}

const StoredRecords = ({ filters }: { readonly filters: Filters }) => {
  const { workspace } = useSession()
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['records', workspace, filters],
    queryFn: ({ pageParam }) =>
      take(
        gateway.GET('/v2/logs', {
          params: {
            query: {
              ...{ workspace_slug: workspace, ...questionOf(filters), ...timeOf(filters) },
              ...(filters.search === undefined ? {} : { search: filters.search }),
              ...(pageParam === undefined ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  })
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  if (data === undefined) return error === null ? <Loading /> : <Failed error={error} onRetry={refetch} />
  return (
    <>
      {error !== null && <Failed error={error} onRetry={refetch} />}
      {rows.length === 0 ? (
        <Empty>
          <p>No call fits. Records come a moment after a call has ended.</p>
        </Empty>
      ) : (
        <RecordTable rows={rows} />
      )}
      {data.pages.at(-1)?.search?.complete === false && (
        <p className="text-soft">Not all bodies were looked through yet: “Older” goes on.</p>
      )}
      <div className="flex gap-2">
        {hasNextPage && (
          <Button disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Older
          </Button>
        )}
        <Button disabled={isFetching} onClick={() => void refetch()}>
          Look again
        </Button>
      </div>
    </>
  )
}

const LiveRecords = ({ filters }: { readonly filters: Filters }) => {
  const { workspace } = useSession()
  const question = Object.entries<string | boolean>({ workspace_slug: workspace, ...questionOf(filters) })
  const query = new URLSearchParams(question.map(([name, value]) => [name, String(value)])).toString()
  const { rows, isListening, dropped, failure } = useTail(query, true)
  return (
    <>
      {failure !== undefined && <Failed error={failure} />}
      <p role="status" className="text-soft">
        {isListening ? 'Listening: each call appears as it ends.' : 'Connecting…'}
        {dropped > 0 && ` ${dropped} were left out, as there were too many.`}
      </p>
      {rows.length === 0 ? <Empty>No call since then.</Empty> : <RecordTable rows={rows} />}
    </>
  )
}
