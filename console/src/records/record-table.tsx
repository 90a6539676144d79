import { Link } from '@tanstack/react-router'
import type { paths } from '../api/schema.d.ts'
import { Badge } from '../ui/badge.tsx'
import { count, duration, money, time } from '../ui/format.ts'
import { type Column, Table } from '../ui/table.tsx'

export type RecordRow = paths['/v2/logs']['get']['responses'][200]['content']['application/json']['data'][number]

export const Outcome = ({ row }: { readonly row: RecordRow }) => (
  <Badge tone={row.is_success === 1 ? 'good' : row.response_status_code < 500 ? 'warn' : 'bad'}>
    {row.response_status_code} {row.is_success === 1 ? 'ok' : (row.error_code ?? row.outcome)}
  </Badge>
)

const COLUMNS: readonly Column<RecordRow>[] = [
  {
    title: 'Time',
    cell: (row) => (
      <Link to="/records/$id" params={{ id: row.id }} className="text-accent underline whitespace-nowrap">
        {time(row.created_at)}
      </Link>
    ),
  },
  { title: 'Ended', cell: (row) => <Outcome row={row} /> },
  { title: 'Kind', cell: (row) => row.endpoint },
  { title: 'Provider', cell: (row) => row.virtual_key ?? row.ai_org ?? '—' },
  { title: 'Model', cell: (row) => row.ai_model ?? row.model_asked ?? '—' },
  { title: 'User', cell: (row) => row._user ?? '—' },
  { title: 'Took', isNumber: true, cell: (row) => duration(row.response_time) },
  { title: 'Tokens', isNumber: true, cell: (row) => count(row.total_units) },
  { title: 'Cost', isNumber: true, cell: (row) => (row.unpriced ? 'no price' : money(row.cost)) },
]

export const RecordTable = ({ rows }: { readonly rows: readonly RecordRow[] }) => (
  <Table label="Records" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
)
