import { useQuery } from '@tanstack/react-query'
import { MakeKey } from '../calls/make-key.tsx'
import { useOwnKey } from '../calls/own-key.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Page, Panel } from '../ui/page.tsx'
import { Progress } from '../ui/progress.tsx'
import { Answered, Empty, Failed } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { useSave } from '../ui/use-save.ts'
import { askBatches, type Batch, cancelBatch, isRunning, outputOf } from './batches.ts'
import { NewBatch } from './new-batch.tsx'

const WATCH_MS = 1_000

const toneOf = ({ status }: Batch): Tone =>
  status === 'completed' ? 'good' : status === 'failed' || status === 'expired' ? 'bad' : 'plain'

/** Many calls in one file, run in the background. */
export const BatchesPage = () => {
  const key = useOwnKey()
  return (
    <Page title="Batches" about="Many calls in one file, which the gateway runs in the background.">
      {key === undefined ? (
        <Panel title="A key for calls">
          <p className="mb-3 text-soft">Batches belong to whoever may call: they are asked for with a key.</p>
          <MakeKey />
        </Panel>
      ) : (
        <Batches apiKey={key} />
      )}
    </Page>
  )
}

const Batches = ({ apiKey }: { readonly apiKey: string }) => {
  const query = useQuery({
    // The key itself is no name: it stays out of what is kept.
    queryKey: ['batches', apiKey.slice(-6)],
    queryFn: () => askBatches(apiKey),
    refetchInterval: ({ state }) => (state.data?.data.some(isRunning) === true ? WATCH_MS : false),
  })
  return (
    <>
      <NewBatch apiKey={apiKey} />
      <Answered query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>There is no batch yet.</Empty>
          ) : (
            <Table
              label="Batches"
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { title: 'Batch', cell: ({ id }) => <code className="font-mono text-xs">{id}</code> },
                { title: 'Calls', cell: ({ endpoint }) => <Name text={endpoint} /> },
                { title: 'State', cell: (row) => <Badge tone={toneOf(row)}>{row.status.replace('_', ' ')}</Badge> },
                { title: 'Lines', cell: (row) => <Lines row={row} /> },
                { title: 'Begun', cell: ({ created_at: begun }) => time(new Date(begun * 1000).toISOString()) },
                { title: 'Do', cell: (row) => <Actions row={row} apiKey={apiKey} /> },
              ]}
            />
          )
        }
      </Answered>
    </>
  )
}

const Lines = ({ row: { request_counts: counts, errors } }: { readonly row: Batch }) => {
  const wrong = errors?.data?.[0]?.message
  return (
    <div className="grid gap-1">
      <Progress label="Lines done" done={counts.completed + counts.failed} total={counts.total} />
      {counts.failed > 0 && <span className="text-bad">{counts.failed} failed</span>}
      {wrong !== undefined && <span className="text-bad [overflow-wrap:anywhere]">{wrong}</span>}
    </div>
  )
}

const Actions = ({ row, apiKey }: { readonly row: Batch; readonly apiKey: string }) =>
  isRunning(row) ? (
    <Confirm action="Stop" title="Stop the batch?" run={() => cancelBatch(apiKey, row.id)}>
      Lines that were answered stay answered, and are in its output.
    </Confirm>
  ) : (
    <Output row={row} apiKey={apiKey} />
  )

/** Takes the results as a file. */
const Output = ({ row, apiKey }: { readonly row: Batch; readonly apiKey: string }) => {
  const save = useSave(async () => {
    const url = URL.createObjectURL(await outputOf(apiKey, row.id))
    const link = document.createElement('a')
    link.href = url
    link.download = `${row.id}.jsonl`
    link.click()
    URL.revokeObjectURL(url)
  })
  return (
    <>
      <Button disabled={save.isRunning} onClick={() => save.run(undefined)}>
        {save.isRunning ? 'Fetching…' : 'Results'}
      </Button>
      {save.failure !== undefined && <Failed error={save.failure} />}
    </>
  )
}
