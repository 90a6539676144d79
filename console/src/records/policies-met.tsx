import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { duration } from '../ui/format.ts'
import { Panel } from '../ui/page.tsx'

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

/** The rate limits that the call was counted by, as far as its answer says. */
export const PoliciesMet = ({ header }: { readonly header: string | undefined }) => {
  const { workspace } = useSession()
  const limits = limitsIn(header)
  const mayList = useMay('policies.list')
  const { data } = useQuery({
    queryKey: ['rate-limits', workspace],
    queryFn: () =>
      take(
        gateway.GET('/v2/policies/rate-limits', {
          params: { query: { workspace_id: workspace, status: 'active', page_size: PAGE_SIZE } },
        }),
      ),
    enabled: mayList && limits.length > 0,
  })
  if (limits.length === 0) return null
  return (
    <Panel title="Limits that it met">
      <ul className="grid gap-1">
        {limits.map(({ idEnd, quota, seconds, unit }) => {
          const policy = data?.data.find(({ id }) => id.endsWith(idEnd))
          const words = `${quota} ${unit} in ${duration(seconds * 1000)}`
          return (
            <li key={idEnd}>
              {policy === undefined ? (
                words
              ) : (
                <Link to="/policies" search={{ kind: 'limits', id: policy.id }} className="text-accent underline">
                  {policy.name ?? policy.id}: {words}
                </Link>
              )}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
