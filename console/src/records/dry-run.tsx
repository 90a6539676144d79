import { Link } from '@tanstack/react-router'
import { gateway, take } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'
import { useMay, useSession } from '../api/session.tsx'
import { isJson } from '../calls/messages.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Name } from '../ui/name.tsx'
import { Panel } from '../ui/page.tsx'
import { Failed } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { useSave } from '../ui/use-save.ts'
import type { Log } from './log.ts'
import type { RecordRow } from './record-table.tsx'

type Evaluation = paths['/v2/policies/rate-limits/evaluate']['post']
type Asked = Evaluation['requestBody']['content']['application/json']
type Explanation = Evaluation['responses'][200]['content']['application/json']
type Target = Explanation['targets'][number]

const isDry = (endpoint: string): endpoint is NonNullable<Asked['endpoint']> =>
  endpoint === 'chat' || endpoint === 'completions' || endpoint === 'embeddings'

/** The same call once more, as far as it is kept: secrets are masked, and say nothing here. */
const askedAgain = (row: RecordRow, log: Log, workspace: string): Asked => ({
  workspace_id: workspace,
  ...(row.api_key_id === null ? {} : { api_key_id: row.api_key_id }),
  headers: Object.fromEntries(
    Object.entries(log.request.gatewayHeaders).filter(([name]) => name !== 'x-gateway-api-key'),
  ),
  body: isJson(log.request.body) ? { ...log.request.body } : { model: row.model_asked ?? '' },
  ...(isDry(row.endpoint) ? { endpoint: row.endpoint } : {}),
})

/** Asks all limits and budgets what they would say to the very same call now. Nothing is counted. */
export const DryRun = ({ row, log }: { readonly row: RecordRow; readonly log: Log }) => {
  const { workspace } = useSession()
  const may = useMay('policies.read')
  const run = useSave(() =>
    take(gateway.POST('/v2/policies/rate-limits/evaluate', { body: askedAgain(row, log, workspace) })),
  )
  if (!may || !isDry(row.endpoint)) return null
  return (
    <Panel
      title="What limits and budgets say to it now"
      actions={
        <Button disabled={run.isRunning} onClick={() => run.run(undefined)}>
          {run.isRunning ? 'Asking…' : 'Ask them'}
        </Button>
      }
    >
      <div className="grid gap-4">
        {run.failure !== undefined && <Failed error={run.failure} />}
        {run.output === undefined ? (
          <p className="text-soft">The same request once more, without a call: nothing is counted.</p>
        ) : (
          <Answer explanation={run.output} />
        )}
      </div>
    </Panel>
  )
}

const Answer = ({ explanation: { allowed, status, targets, error } }: { readonly explanation: Explanation }) => (
  <>
    <p role="status">
      <Badge tone={allowed ? 'good' : 'bad'}>{allowed ? 'would go through' : `would be refused with ${status}`}</Badge>{' '}
      <span className="[overflow-wrap:anywhere]">{error?.message}</span>
    </p>
    {targets.map((target, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a config may name a target twice
      <TargetAnswer key={index} target={target} />
    ))}
  </>
)

interface Verdict {
  readonly id: string
  readonly name: string
  readonly policy: 'limits' | 'budgets' | undefined
  readonly isShadow: boolean
  readonly matches: boolean
  /** Which condition does not hold, or how much is used. */
  readonly why: string
  readonly refuses: boolean
}

const number = (value: number | undefined): string => (value ?? 0).toLocaleString('en', { maximumFractionDigits: 4 })

const verdictsOf = ({ limits, budgets }: Target): readonly Verdict[] => [
  ...limits.map((limit) => ({
    ...sharedOf(limit, 'limits'),
    why: limit.matches ? `${number(limit.used)} of ${number(limit.value)} used` : whyNot(limit.conditions),
  })),
  ...budgets.map((budget) => ({
    ...sharedOf(budget, 'budgets'),
    why: budget.matches
      ? `${number(budget.used)} of ${number(budget.credit_limit)} ${budget.type === 'cost' ? 'dollars' : budget.type} used`
      : whyNot(budget.conditions),
  })),
]

const sharedOf = (
  { id, name, owner, mode, matches, would_refuse: refuses }: Target['limits'][number] | Target['budgets'][number],
  kind: 'limits' | 'budgets',
) => ({
  ...{ id, name: name ?? id, policy: owner === 'policy' ? kind : undefined },
  ...{ isShadow: mode === 'shadow', matches, refuses: refuses === true },
})

const whyNot = (conditions: Target['limits'][number]['conditions']): string =>
  conditions
    .filter(({ holds }) => !holds)
    .map(({ key, value, actual }) => `${key} is ${actual ?? 'nothing'}, not ${[value].flat().join(' or ')}`)
    .join('; ')

const TargetAnswer = ({ target }: { readonly target: Target }) => {
  const { provider, model } = target.target
  const verdicts = verdictsOf(target)
  return (
    <div className="grid gap-2">
      <p className="text-soft">
        {provider}
        {model === undefined ? '' : `, ${model}`}
      </p>
      {verdicts.length === 0 ? (
        <p>No limit and no budget is about it.</p>
      ) : (
        <Table
          label={`Limits and budgets at ${provider}`}
          rows={verdicts}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Name', cell: (verdict) => <PolicyName verdict={verdict} /> },
            {
              title: 'Is about it',
              cell: ({ matches }) => <Badge tone={matches ? 'good' : 'plain'}>{matches ? 'yes' : 'no'}</Badge>,
            },
            { title: 'Why', cell: ({ why }) => <Name text={why} /> },
            {
              title: 'Says',
              cell: ({ refuses, isShadow }) => (
                <Badge tone={refuses ? (isShadow ? 'warn' : 'bad') : 'plain'}>
                  {refuses ? (isShadow ? 'would refuse, in shadow' : 'refuses') : 'nothing'}
                </Badge>
              ),
            },
          ]}
        />
      )}
    </div>
  )
}

const PolicyName = ({ verdict: { id, name, policy } }: { readonly verdict: Verdict }) =>
  policy === undefined ? (
    <Name text={name} />
  ) : (
    <Link to="/policies" search={{ kind: policy, id }} className="text-accent underline [overflow-wrap:anywhere]">
      {name}
    </Link>
  )
