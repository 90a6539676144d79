import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { PREFIX } from '../api/page.ts'
import type { paths } from '../api/schema.d.ts'
import { Badge } from '../ui/badge.tsx'
import { count, duration, money, shortTime } from '../ui/format.ts'
import { type LongColumn, LongTable, type LongTableProps } from '../ui/long-table.tsx'

export type RecordRow = paths['/v2/logs']['get']['responses'][200]['content']['application/json']['data'][number]

export const Outcome = ({ row }: { readonly row: RecordRow }) => (
  <Badge tone={row.is_success === 1 ? 'good' : row.response_status_code < 500 ? 'warn' : 'bad'}>
    {row.response_status_code} {row.is_success === 1 ? 'ok' : (row.error_code ?? row.outcome)}
  </Badge>
)

/** A link of the router costs more than the rest of its row, which is felt where hundreds of rows pass by. */
const RecordLink = ({ id, children }: { readonly id: string; readonly children: ReactNode }) => {
  const navigate = useNavigate()
  const open = (event: MouseEvent): void => {
    // What the browser does otherwise with a link stays as it is.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate({ to: '/records/$id', params: { id } })
  }
  return (
    <a href={`${PREFIX}/console/records/${id}`} onClick={open} className="text-accent underline">
      {children}
    </a>
  )
}

const COLUMNS: readonly LongColumn<RecordRow>[] = [
  {
    title: 'Time',
    share: 9.5,
    cell: (row) => <RecordLink id={row.id}>{shortTime(row.created_at)}</RecordLink>,
  },
  { title: 'Ended', share: 10.5, cell: (row) => <Outcome row={row} /> },
  { title: 'Kind', share: 5.5, cell: (row) => row.endpoint },
  { title: 'Provider', share: 6.5, cell: (row) => row.virtual_key ?? row.ai_org ?? '—' },
  { title: 'Model', share: 9, cell: (row) => row.ai_model ?? row.model_asked ?? '—' },
  { title: 'User', share: 5.5, cell: (row) => row._user ?? '—' },
  { title: 'Took', share: 5, isNumber: true, cell: (row) => duration(row.response_time) },
  { title: 'Tokens', share: 4.5, isNumber: true, cell: (row) => count(row.total_units) },
  { title: 'Cost', share: 5, isNumber: true, cell: (row) => (row.unpriced ? 'no price' : money(row.cost)) },
]

const idOf = ({ id }: RecordRow): string => id

export const RecordTable = (props: Pick<LongTableProps<RecordRow>, 'rows' | 'onNearEnd' | 'hasMore' | 'place'>) => (
  <LongTable label="Records" columns={COLUMNS} keyOf={idOf} {...props} />
)
