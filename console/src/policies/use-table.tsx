import { useMay } from '../api/session.tsx'
import { useKeyName } from '../keys/key-names.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { count } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Empty, Failed } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { useSave } from '../ui/use-save.ts'

/** What somebody has used of what they may. */
export interface Used {
  /** Whom it is counted for, as the gateway has it: `api_key:<id>`, with commas between. */
  readonly of: string
  readonly used: number
  readonly limit: number
  /** Counts for them from 0 again. */
  readonly reset: () => Promise<unknown>
}

const ALMOST = 0.8

/** Who is at a limit. */
export const UseTable = ({ rows }: { readonly rows: readonly Used[] }) => {
  const nameOf = useKeyName()
  const mayReset = useMay('policies.update')
  if (rows.length === 0) return <Empty>Nothing was counted yet.</Empty>
  return (
    <Table
      label="Use"
      keyOf={({ of }) => of}
      rows={rows}
      columns={[
        {
          title: 'Of whom',
          cell: ({ of }) => <Name text={of.replaceAll(/[0-9a-f-]{36}/g, nameOf) || 'all calls together'} />,
        },
        { title: 'Used', isNumber: true, cell: ({ used }) => used.toLocaleString('en', { maximumFractionDigits: 6 }) },
        { title: 'Of', isNumber: true, cell: ({ limit }) => count(limit) },
        {
          title: 'State',
          cell: ({ used, limit }) => (
            <Badge tone={used >= limit ? 'bad' : used >= limit * ALMOST ? 'warn' : 'good'}>
              {used >= limit ? 'at the limit' : 'below'}
            </Badge>
          ),
        },
        ...(mayReset ? [{ title: 'Do', cell: (row: Used) => <Reset row={row} /> }] : []),
      ]}
    />
  )
}

const Reset = ({ row }: { readonly row: Used }) => {
  const save = useSave(row.reset)
  return (
    <>
      <Button disabled={save.isRunning} onClick={() => save.run(undefined)}>
        Back to 0
      </Button>
      {save.failure !== undefined && <Failed error={save.failure} />}
    </>
  )
}
