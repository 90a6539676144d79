import { useQuery } from '@tanstack/react-query'
import { Badge } from '../ui/badge.tsx'
import { Code } from '../ui/copy.tsx'
import { Facts } from '../ui/facts.tsx'
import { duration } from '../ui/format.ts'
import { Panel } from '../ui/page.tsx'
import { Answered } from '../ui/states.tsx'
import { Conversation } from './conversation.tsx'
import { CostPanel } from './cost-panel.tsx'
import { DryRun } from './dry-run.tsx'
import { type Log, logQuery } from './log.ts'
import { PoliciesMet } from './policies-met.tsx'
import type { RecordRow } from './record-table.tsx'
import { WaterfallPanel } from './waterfall-panel.tsx'

type Hooks = NonNullable<Log['hook_results']>['before_request_hooks']

interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly truncated?: boolean
}

/** Headers, bodies, verdicts and attempts, as far as they are kept. */
export const FullRecord = ({ row }: { readonly row: RecordRow }) => {
  const query = useQuery(logQuery(row.id))
  return <Answered query={query}>{(log) => <Parts row={row} log={log} />}</Answered>
}

const Parts = ({ row, log }: { readonly row: RecordRow; readonly log: Log }) => (
  <>
    <WaterfallPanel log={log} />
    <CostPanel log={log} />
    {log.hook_results !== null && (
      <Panel title="Guardrails">
        <div className="grid gap-4">
          <Verdicts title="Before the call" hooks={log.hook_results.before_request_hooks} />
          <Verdicts title="After the call" hooks={log.hook_results.after_request_hooks} />
        </div>
      </Panel>
    )}
    <PoliciesMet header={log.response.headers['ratelimit-policy']} metrics={log.metrics} />
    <DryRun row={row} log={log} />
    <Conversation request={log.request.body} answer={log.response.body} />
    <MessagePanel title="Request" message={log.request} />
    <MessagePanel title="Answer" message={log.response} />
    {log.transformedRequest !== null && <MessagePanel title="Sent to the provider" message={log.transformedRequest} />}
    {log.originalResponse !== null && <MessagePanel title="The provider's answer" message={log.originalResponse} />}
    {log.attempts.map((attempt, index) => (
      <Panel key={attempt.metrics.id} title={`Target ${index + 1}`}>
        <div className="grid gap-4">
          <Facts
            facts={{
              Status: attempt.response.status,
              Provider: attempt.metrics.virtual_key ?? attempt.metrics.ai_org ?? '—',
              Model: attempt.metrics.ai_model ?? '—',
              Took: duration(attempt.response.responseTime),
            }}
          />
          {attempt.originalResponse !== null && (
            <Content what={`Answer of target ${index + 1}`} message={attempt.originalResponse} />
          )}
        </div>
      </Panel>
    ))}
  </>
)

const Verdicts = ({ title, hooks }: { readonly title: string; readonly hooks: Hooks }) => (
  <div className="grid gap-2">
    <h3 className="font-medium">{title}</h3>
    {hooks.length === 0 && <p className="text-soft">None ran.</p>}
    {hooks.map((hook) => (
      <div key={hook.id} className="grid gap-2 rounded-md border border-line p-3">
        <p className="flex flex-wrap gap-2">
          <span className="font-mono [overflow-wrap:anywhere]">{hook.id}</span>
          <Badge tone={hook.verdict ? 'good' : 'bad'}>{hook.verdict ? 'passed' : 'failed'}</Badge>
          {hook.deny && <Badge>may refuse</Badge>}
          {hook.async && <Badge>beside the call</Badge>}
        </p>
        <ul className="grid gap-1">
          {hook.checks.map((check) => (
            <li key={check.id} className="flex flex-wrap gap-2">
              <span className="[overflow-wrap:anywhere]">{check.id}</span>
              <Badge tone={check.verdict ? 'good' : 'bad'}>{check.verdict ? 'passed' : 'failed'}</Badge>
              {check.transformed && <Badge>changed the text</Badge>}
              <span className="text-soft">{duration(check.execution_time)}</span>
              {check.error !== undefined && <span className="text-bad">{check.error.message ?? check.error.name}</span>}
            </li>
          ))}
        </ul>
      </div>
    ))}
  </div>
)

const MessagePanel = ({ title, message }: { readonly title: string; readonly message: Message }) => (
  <Panel title={title}>
    <Content what={title} message={message} />
  </Panel>
)

const Content = ({
  what,
  message: { headers, body, truncated },
}: {
  readonly what: string
  readonly message: Message
}) => (
  <div className="grid gap-3">
    {body === null ? (
      <p className="text-soft">No body is kept.</p>
    ) : (
      <Code label={`${what}, body`} text={typeof body === 'string' ? body : JSON.stringify(body, null, 2)} />
    )}
    {truncated === true && <p className="text-warn">It was longer than what is kept.</p>}
    <details>
      <summary className="text-soft">Headers ({Object.keys(headers).length})</summary>
      <dl className="mt-2 grid gap-1 font-mono text-xs">
        {Object.entries(headers).map(([name, value]) => (
          <div key={name} className="[overflow-wrap:anywhere]">
            <dt className="inline text-soft">{name}: </dt>
            <dd className="inline">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  </div>
)
