import { ActButton } from '../ui/act-button.tsx'
import { Badge } from '../ui/badge.tsx'
import { Name } from '../ui/name.tsx'
import { Empty } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'

/** A tool, prompt, resource or template. */
export interface Capability {
  readonly id: string
  readonly name: string
  readonly type: 'tool' | 'prompt' | 'resource' | 'resource_template'
  readonly enabled: boolean
  /** It is another than the one that was approved. */
  readonly changed: boolean
  readonly uri?: string
  readonly uri_template?: string
  readonly description?: unknown
  readonly integration_enabled?: boolean
}

const TYPES: Readonly<Record<Capability['type'], string>> = {
  tool: 'tool',
  prompt: 'prompt',
  resource: 'resource',
  resource_template: 'template',
}

/** What calls know it by: of a resource its address. */
export const keyOf = ({ name, uri, uri_template: template }: Capability): string => uri ?? template ?? name

type Change = (row: Capability) => Promise<unknown>

export interface CapabilityTableProps {
  readonly rows: readonly Capability[]
  readonly isOn: (row: Capability) => boolean
  /** Somebody else has switched it off. */
  readonly isTakenAway?: (row: Capability) => boolean
  /** Absent: whoever looks may not. */
  readonly toggle: ((row: Capability, enabled: boolean) => Promise<unknown>) | undefined
  readonly approve: Change | undefined
}

export const CapabilityTable = ({ rows, isOn, isTakenAway = () => false, toggle, approve }: CapabilityTableProps) => {
  if (rows.length === 0) return <Empty>Nothing is known of what it offers: ask the server.</Empty>
  return (
    <Table
      label="What it offers"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Name',
          cell: (row) => (
            <div className="grid min-w-40 gap-1">
              <span className="font-mono text-xs [overflow-wrap:anywhere]">{row.name}</span>
              {typeof row.description === 'string' && (
                <span className="line-clamp-3 text-soft [overflow-wrap:anywhere]">{row.description}</span>
              )}
            </div>
          ),
        },
        { title: 'Kind', cell: ({ type }) => TYPES[type] },
        { title: 'State', cell: (row) => <State row={row} isOn={isOn(row)} isTakenAway={isTakenAway(row)} /> },
        {
          title: 'Do',
          cell: (row) => (
            <div className="flex flex-wrap gap-2">
              {toggle !== undefined && !isTakenAway(row) && (
                <Switch name={row.name} isOn={isOn(row)} run={() => toggle(row, !isOn(row))} />
              )}
              {approve !== undefined && row.changed && <Approve name={row.name} run={() => approve(row)} />}
            </div>
          ),
        },
      ]}
    />
  )
}

interface StateProps {
  readonly row: Capability
  readonly isOn: boolean
  readonly isTakenAway: boolean
}

const State = ({ row, isOn, isTakenAway }: StateProps) => (
  <div className="flex flex-wrap gap-1">
    {isTakenAway ? (
      <Name text="off in the integration" />
    ) : (
      <Badge tone={isOn ? 'good' : 'plain'}>{isOn ? 'on' : 'off'}</Badge>
    )}
    {row.changed && <Badge tone="warn">changed since it was approved</Badge>}
  </div>
)

interface SwitchProps {
  readonly name: string
  readonly isOn: boolean
  readonly run: () => Promise<unknown>
}

const Switch = ({ name, isOn, run }: SwitchProps) => (
  <ActButton role="switch" aria-checked={isOn} aria-label={name} run={run}>
    {isOn ? 'Switch off' : 'Switch on'}
  </ActButton>
)

const Approve = ({ name, run }: Omit<SwitchProps, 'isOn'>) => (
  <ActButton look="primary" aria-label={`Approve ${name}`} run={run}>
    Approve
  </ActButton>
)
