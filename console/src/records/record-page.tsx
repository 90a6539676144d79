import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { useKeyName } from '../keys/key-names.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Facts } from '../ui/facts.tsx'
import { count, duration, money, time } from '../ui/format.ts'
import { Page, Panel } from '../ui/page.tsx'
import { Answered, Empty } from '../ui/states.tsx'
import { Feedback } from './feedback.tsx'
import { FullRecord } from './full-record.tsx'
import { Outcome, type RecordRow } from './record-table.tsx'
import { refusalOf } from './refusal.ts'

/** One call: what was asked, what came of it, why, and what it cost. */
export const RecordPage = () => {
  const { id } = useParams({ from: '/records/$id' })
  const { workspace } = useSession()
  const mayReadBodies = useMay('logs.view')
  const row = useQuery({
    queryKey: ['records', workspace, 'one', id],
    queryFn: () => take(gateway.GET('/v2/logs', { params: { query: { workspace_slug: workspace, id, limit: 1 } } })),
  })
  return (
    <Page
      title={`Record ${id}`}
      actions={
        <>
          {mayReadBodies && row.data?.data[0]?.endpoint === 'chat' && (
            <Button asChild>
              <Link to="/playground" search={{ record: id }}>
                Try it in the playground
              </Link>
            </Button>
          )}
          <Button asChild>
            <Link to="/records">All records</Link>
          </Button>
        </>
      }
    >
      <Answered query={row}>
        {({ data: [found] }) =>
          found === undefined ? (
            <Empty>
              There is no such record in this workspace. It may be too old to be kept, or a moment too young.
            </Empty>
          ) : (
            <>
              <Refused row={found} />
              <Summary row={found} />
              {mayReadBodies && <FullRecord row={found} />}
              <Feedback row={found} />
            </>
          )
        }
      </Answered>
    </Page>
  )
}

const Refused = ({ row }: { readonly row: RecordRow }) => {
  const mayRead = useMay('policies.read')
  const refusal = refusalOf(row)
  if (refusal === undefined) return null
  const { words, policyId, isBudget } = refusal
  return (
    <Panel title="Why was this refused?">
      <div className="grid justify-items-start gap-3">
        <p className="[overflow-wrap:anywhere]">{words}</p>
        {policyId !== undefined && mayRead && (
          <Button asChild>
            <Link to="/policies" search={{ kind: isBudget ? 'budgets' : 'limits', id: policyId }}>
              Open the policy
            </Link>
          </Button>
        )}
      </div>
    </Panel>
  )
}

const Summary = ({ row }: { readonly row: RecordRow }) => {
  const nameOf = useKeyName()
  return (
    <Panel title="Summary">
      <Facts
        facts={{
          Ended: <Outcome row={row} />,
          Time: time(row.created_at),
          Asked: `${row.method} ${row.path}`,
          'Kind of call': row.stream ? `${row.endpoint}, streamed` : row.endpoint,
          Provider: row.virtual_key === null ? (row.ai_org ?? '—') : `@${row.virtual_key} (${row.ai_org})`,
          Model: row.ai_model ?? '—',
          Took: `${duration(row.response_time)}, first byte ${duration(row.first_byte_time)}`,
          Tokens: `${count(row.req_units)} in, ${count(row.res_units)} out${row.estimated ? ', estimated' : ''}`,
          Cost: row.unpriced ? 'no known price' : money(row.cost),
          Attempts: `${row.attempts}${row.fallback ? ', with a fallback' : ''}`,
          Cache: row.cache_status ?? 'not used',
          Config: row.config ?? '—',
          Prompt: row.prompt_slug ?? '—',
          Key: <Narrowed name="api_key_ids" value={row.api_key_id} show={nameOf} />,
          User: <Narrowed name="user" value={row._user} />,
          Trace: <Narrowed name="trace_id" value={row.trace_id} />,
          ...Object.fromEntries(
            row.metadataKey.map((name, index) => [
              `Metadata ${name}`,
              <Badge key={name}>{row.metadataValue[index]}</Badge>,
            ]),
          ),
        }}
      />
    </Panel>
  )
}

/** A value that leads to all records with it. */
const Narrowed = ({
  name,
  value,
  show = (text) => text,
}: {
  readonly name: 'api_key_ids' | 'user' | 'trace_id'
  readonly value: string | null
  readonly show?: (value: string) => string
}) =>
  value === null ? (
    '—'
  ) : (
    <Link to="/records" search={{ [name]: value }} className="text-accent underline">
      {show(value)}
    </Link>
  )
