import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Badge } from '../ui/badge.tsx'
import { duration } from '../ui/format.ts'
import { Panel } from '../ui/page.tsx'
import type { Log } from './log.ts'

const PAGE_SIZE = 100

/** A limit as answers name it: by the end of its id, with what it allows in how many seconds. */
interface MetLimit {
  readonly idEnd: string
  readonly quota: string
  readonly seconds: number
  readonly unit: string
}

/** What the header `ratelimit-policy` of an answer names (draft-ietf-httpapi-ratelimit-headers). */
const limitsIn = (header: string | undefined): readonly MetLimit[] =>
  [...(header ?? '').matchAll(/"([^"]+)";q=(\d+);w=(\d+)(?:;qu="([^"]+)")?/g)].map(
    ([, idEnd = '', quota = '', seconds = '', unit = 'requests']) => ({ idEnd, quota, seconds: Number(seconds), unit }),
  )

export interface PoliciesMetProps {
  readonly header: string | undefined
  readonly metrics: Pick<Log['metrics'], 'refused_by' | 'shadow_refusals'>
}

/** The rate limits that the call was counted by, as far as its answer says, and what refused it or would have. */
export const PoliciesMet = ({ header, metrics }: PoliciesMetProps) => {
  const { workspace } = useSession()
  const limits = limitsIn(header)
  const { refused_by: refused, shadow_refusals: shadows } = metrics
  const isAny = limits.length + refused.length + shadows.length > 0
  const mayList = useMay('policies.list')
  const { data } = useQuery({
    queryKey: ['rate-limits', workspace],
    queryFn: () =>
      take(
        gateway.GET('/v2/policies/rate-limits', {
          params: { query: { workspace_id: workspace, status: 'active', page_size: PAGE_SIZE } },
        }),
      ),
    enabled: mayList && isAny,
  })
  if (!isAny) return null
  const find = (idEnd: string) => data?.data.find(({ id }) => id.endsWith(idEnd))
  const others = (ids: readonly string[]): readonly string[] =>
    ids.filter((id) => !limits.some(({ idEnd }) => id.endsWith(idEnd)))
  return (
    <Panel title="Limits that it met">
      <ul className="grid gap-2">
        {limits.map(({ idEnd, quota, seconds, unit }) => (
          <Met
            key={idEnd}
            policy={find(idEnd)}
            words={`${quota} ${unit} in ${duration(seconds * 1000)}`}
            hasRefused={refused.some((id) => id.endsWith(idEnd))}
            wouldHave={shadows.some((id) => id.endsWith(idEnd))}
          />
        ))}
        {others(refused).map((id) => (
          <Met key={id} policy={find(id)} words={id} hasRefused wouldHave={false} />
        ))}
        {others(shadows).map((id) => (
          <Met key={id} policy={find(id)} words={id} hasRefused={false} wouldHave />
        ))}
      </ul>
    </Panel>
  )
}

interface MetProps {
  readonly policy: { readonly id: string; readonly name: string | null } | undefined
  readonly words: string
  readonly hasRefused: boolean
  readonly wouldHave: boolean
}

const Met = ({ policy, words, hasRefused, wouldHave }: MetProps) => (
  <li className="flex flex-wrap items-center gap-2 [overflow-wrap:anywhere]">
    {policy === undefined ? (
      words
    ) : (
      <Link to="/policies" search={{ kind: 'limits', id: policy.id }} className="text-accent underline">
        {policy.name ?? policy.id}: {words}
      </Link>
    )}
    {hasRefused && <Badge tone="bad">refused it</Badge>}
    {wouldHave && <Badge tone="warn">would have refused it, in shadow</Badge>}
  </li>
)
