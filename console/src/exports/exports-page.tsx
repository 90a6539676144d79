import { useQuery } from '@tanstack/react-query'
import { gateway, take, takeTagged } from '../api/client.ts'
import { PREFIX } from '../api/page.ts'
import type { paths } from '../api/schema.d.ts'
import { useSession } from '../api/session.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { ActButton } from '../ui/act-button.tsx'
import { Badge, type Tone } from '../ui/badge.tsx'
import { bytes, time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'
import { Progress } from '../ui/progress.tsx'
import { ExportDialog } from './export-dialog.tsx'

type LogExport = paths['/v2/logs/exports']['get']['responses'][200]['content']['application/json']['data'][number]

const PAGE_SIZE = 100
const WATCH_MS = 1_000
const MEANWHILE = 'One moment…'

const TONES: Readonly<Record<LogExport['status'], Tone>> = {
  draft: 'plain',
  in_progress: 'warn',
  success: 'good',
  failed: 'bad',
  stopped: 'plain',
}

/** Files of records, made in the background. */
export const ExportsPage = () => {
  const { workspace } = useSession()
  const query = useQuery({
    queryKey: ['exports', workspace],
    queryFn: () =>
      take(gateway.GET('/v2/logs/exports', { params: { query: { workspace_id: workspace, page_size: PAGE_SIZE } } })),
    // Only while something runs that can be watched.
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ status }) => status === 'in_progress') === true ? WATCH_MS : false,
  })
  const paramsOf = ({ id }: LogExport) => ({ path: { exportId: id }, query: { workspace_id: workspace } })
  return (
    <Page title="Exports" about="Records as a file, made in the background and kept for seven days.">
      <ResourceList
        noun="export"
        query={query}
        idOf={({ id }) => id}
        nameOf={({ description, id }) => description ?? id}
        texts={({ description, id, status }) => [description, id, status]}
        mayCreate={['logs.export']}
        mayDelete={({ status }) => (status === 'in_progress' ? [] : ['logs.export'])}
        look={(row) => takeTagged(gateway.GET('/v2/logs/exports/{exportId}', { params: paramsOf(row) }))}
        dialog={(_, onClose) => <ExportDialog onClose={onClose} />}
        remove={(row, headers) =>
          take(gateway.DELETE('/v2/logs/exports/{exportId}', { params: paramsOf(row), headers }))
        }
        removal="Its file is gone with it."
        actions={(row) => <Actions row={row} params={paramsOf(row)} />}
        columns={[
          { title: 'What', cell: ({ description, id }) => <Name text={description ?? id} /> },
          { title: 'State', cell: (row) => <State row={row} /> },
          { title: 'Rows', cell: ({ rows, total }) => <Progress label="Rows written" done={rows} total={total} /> },
          { title: 'Form', cell: ({ format }) => (format === 'csv' ? 'CSV' : 'JSONL') },
          { title: 'Size', isNumber: true, cell: (row) => (row.bytes === 0 ? '—' : bytes(row.bytes)) },
          { title: 'Made', cell: ({ created_at: made }) => time(made) },
        ]}
      />
    </Page>
  )
}

const State = ({ row: { status, error } }: { readonly row: LogExport }) => (
  <div className="grid justify-items-start gap-1">
    <Badge tone={TONES[status]}>{status.replace('_', ' ')}</Badge>
    {error !== null && <span className="text-bad [overflow-wrap:anywhere]">{error}</span>}
  </div>
)

interface ActionsProps {
  readonly row: LogExport
  readonly params: { readonly path: { readonly exportId: string }; readonly query: { readonly workspace_id: string } }
}

const Actions = ({ row: { status, format }, params }: ActionsProps) => {
  switch (status) {
    case 'draft':
    case 'failed':
    case 'stopped':
      return (
        <ActButton
          meanwhile={MEANWHILE}
          run={() => take(gateway.POST('/v2/logs/exports/{exportId}/start', { params, body: {} }))}
        >
          Start
        </ActButton>
      )
    case 'in_progress':
      return (
        <ActButton
          meanwhile={MEANWHILE}
          run={() => take(gateway.POST('/v2/logs/exports/{exportId}/cancel', { params, body: {} }))}
        >
          Stop
        </ActButton>
      )
    case 'success':
      return (
        <ActButton
          meanwhile={MEANWHILE}
          run={async () => {
            const { signed_url: url } = await take(gateway.GET('/v2/logs/exports/{exportId}/download', { params }))
            download(url, `records-${params.path.exportId}.${format}`)
          }}
        >
          Download
        </ActButton>
      )
  }
}

/** The link is good for ten minutes: the browser takes the file as it comes. */
const download = (url: string, name: string): void => {
  const link = document.createElement('a')
  link.href = new URL(url, `${location.origin}${PREFIX}/`).href
  link.download = name
  link.click()
}
