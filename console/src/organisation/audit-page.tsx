import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useSearchBox } from '../resource/search-box.tsx'
import { Button } from '../ui/button.tsx'
import { Code } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField } from '../ui/field.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'
import { RANGES, type Range, windowOf } from '../ui/period.ts'
import { Answered, Empty } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'

const PAGE_SIZE = 100

const askAudit = (range: Range, page: number) => {
  const { time_of_generation_min: start, time_of_generation_max: end } = windowOf({ range }, range)
  const query = { start_time: start, end_time: end, current_page: page, page_size: PAGE_SIZE }
  return take(gateway.GET('/admin/v2/audit-logs', { params: { query } }))
}

type Entry = Awaited<ReturnType<typeof askAudit>>['records'][number]

/** Who changed what. */
export const AuditPage = () => {
  const [range, setRange] = useState<Range>('7d')
  const [page, setPage] = useState(0)
  const [looked, setLooked] = useState<Entry>()
  const { box, fits } = useSearchBox('Search this page')
  const query = useQuery({
    queryKey: ['audit', range, page],
    placeholderData: (before) => before,
    queryFn: () => askAudit(range, page),
  })
  return (
    <Page title="Audit log" about="Who changed what, and when. Each entry names the one before it by its hash.">
      <div className="flex flex-wrap items-end justify-between gap-3">
        {box}
        <SelectField
          label="Time"
          options={RANGES}
          value={range}
          onChange={(event) => {
            setRange(event.target.value as Range)
            setPage(0)
          }}
        />
      </div>
      <Answered query={query}>
        {({ records, total }) => {
          const rows = records.filter((entry) =>
            fits(entry.user_name, entry.action, entry.resource_id, entry.request_id),
          )
          return (
            <>
              {rows.length === 0 ? (
                <Empty>Nothing was changed in this time.</Empty>
              ) : (
                <Table
                  label="Audit log"
                  rows={rows}
                  keyOf={({ id }) => id}
                  columns={[
                    {
                      title: 'When',
                      cell: (entry) => <span className="whitespace-nowrap">{time(entry.created_at)}</span>,
                    },
                    { title: 'Who', cell: (entry) => <Name text={entry.user_name} /> },
                    { title: 'Did', cell: ({ action }) => <code className="font-mono text-xs">{action}</code> },
                    { title: 'To', cell: (entry) => <Name text={`${entry.resource_type} ${entry.resource_id}`} /> },
                    { title: 'From', cell: (entry) => entry.client_ip ?? entry.user_type },
                    { title: 'Do', cell: (entry) => <Button onClick={() => setLooked(entry)}>Details</Button> },
                  ]}
                />
              )}
              <div className="flex gap-2">
                {page > 0 && <Button onClick={() => setPage(page - 1)}>Newer</Button>}
                {(page + 1) * PAGE_SIZE < total && <Button onClick={() => setPage(page + 1)}>Older</Button>}
              </div>
            </>
          )
        }}
      </Answered>
      {looked !== undefined && (
        <Dialog title={looked.action} about={`Request ${looked.request_id}`} onClose={() => setLooked(undefined)}>
          <h3 className="font-medium">Before</h3>
          <Code label="Before" text={looked.before === null ? 'nothing' : JSON.stringify(looked.before, null, 2)} />
          <h3 className="font-medium">After</h3>
          <Code label="After" text={looked.after === null ? 'nothing' : JSON.stringify(looked.after, null, 2)} />
        </Dialog>
      )}
    </Page>
  )
}
