import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useSession } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Empty, Failed } from '../ui/states.tsx'
import { FilterForm } from './filter-form.tsx'
import { type Filters, questionOf } from './filters.ts'
import { RecordTable } from './record-table.tsx'
import { StoredRecords } from './stored-records.tsx'
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
