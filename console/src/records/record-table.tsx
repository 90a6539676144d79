import { Link } from '@tanstack/react-router'
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

const COLUMNS: readonly LongColumn<RecordRow>[] = [
  {
    title: 'Time',
    rem: 9.5,
    cell: (row) => (
      <Link to="/records/$id" params={{ id: row.id }} className="text-accent underline">
        {shortTime(row.created_at)}
      </Link>
    ),
  },
  { title: 'Ended', rem: 9.5, cell: (row) => <Outcome row={row} /> },
  { title: 'Kind', rem: 5.5, cell: (row) => row.endpoint },
  { title: 'Provider', rem: 6.5, cell: (row) => row.virtual_key ?? row.ai_org ?? '—' },
  { title: 'Model', rem: 9, cell: (row) => row.ai_model ?? row.model_asked ?? '—' },
  { title: 'User', rem: 5.5, cell: (row) => row._user ?? '—' },
  { title: 'Took', rem: 5, isNumber: true, cell: (row) => duration(row.response_time) },
  { title: 'Tokens', rem: 4.5, isNumber: true, cell: (row) => count(row.total_units) },
  { title: 'Cost', rem: 5, isNumber: true, cell: (row) => (row.unpriced ? 'no price' : money(row.cost)) },
]

const idOf = ({ id }: RecordRow): string => id

export const RecordTable = (props: Pick<LongTableProps<RecordRow>, 'rows' | 'onNearEnd' | 'hasMore' | 'place'>) => (
  <LongTable label="Records" columns={COLUMNS} keyOf={idOf} {...props} />
)
