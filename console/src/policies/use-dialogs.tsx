import { useQuery } from '@tanstack/react-query'
import { gateway, take } from '../api/client.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Answered } from '../ui/states.tsx'
import type { Budget } from './budget-dialog.tsx'
import type { RateLimit } from './limit-dialog.tsx'
import { UseTable } from './use-table.tsx'

const REFRESH_MS = 2_000
const PAGE_SIZE = 100

interface UseProps<Policy> {
  readonly policy: Policy
  readonly onClose: () => void
}

/** Who is at a rate limit, as it is now. */
export const LimitUse = ({ policy, onClose }: UseProps<RateLimit>) => {
  const path = { rateLimitsPolicyId: policy.id }
  const query = useQuery({
    queryKey: ['policy-use', policy.id],
    queryFn: () =>
      take(
        gateway.GET('/v2/policies/rate-limits/{rateLimitsPolicyId}/usage', {
          params: { path, query: { page_size: PAGE_SIZE } },
        }),
      ),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Dialog title={`Use of ${policy.name ?? 'the limit'}`} onClose={onClose}>
      <Answered query={query}>
        {({ data }) => (
          <UseTable
            rows={data.map(({ group, used, limit }) => ({
              of: Object.entries(group)
                .map(([key, value]) => `${key}:${value}`)
                .join(', '),
              ...{ used, limit },
              reset: () =>
                take(
                  gateway.PUT('/v2/policies/rate-limits/{rateLimitsPolicyId}/usage/reset', {
                    params: { path },
                    body: { group },
                  }),
                ),
            }))}
          />
        )}
      </Answered>
    </Dialog>
  )
}

/** Who is at a budget, as it is now. */
export const BudgetUse = ({ policy, onClose }: UseProps<Budget>) => {
  const path = { policyUsageLimitsId: policy.id }
  const query = useQuery({
    queryKey: ['policy-use', policy.id],
    queryFn: () =>
      take(
        gateway.GET('/v2/policies/usage-limits/{policyUsageLimitsId}/entities', {
          params: { path, query: { page_size: PAGE_SIZE } },
        }),
      ),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Dialog title={`Use of ${policy.name ?? 'the budget'}`} onClose={onClose}>
      <Answered query={query}>
        {({ data }) => (
          <UseTable
            rows={data.map((entity) => ({
              of: entity.value_key,
              ...{ used: entity.current_usage, limit: policy.credit_limit },
              reset: () =>
                take(
                  gateway.PUT('/v2/policies/usage-limits/{policyUsageLimitsId}/entities/{entityId}/reset', {
                    params: { path: { ...path, entityId: entity.id } },
                  }),
                ),
            }))}
          />
        )}
      </Answered>
    </Dialog>
  )
}
