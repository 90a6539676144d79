import { useQuery } from '@tanstack/react-query'
import { gateway, take } from '../api/client.ts'
import { useMay } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Answered, Failed } from '../ui/states.tsx'
import { useSave } from '../ui/use-save.ts'
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
      {policy.mode === 'shadow' && (
        <Enforce
          onDone={onClose}
          run={() =>
            take(
              gateway.PUT('/v2/policies/rate-limits/{rateLimitsPolicyId}', {
                params: { path },
                body: { mode: 'enforce' },
              }),
            )
          }
        />
      )}
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
      {policy.mode === 'shadow' && (
        <Enforce
          onDone={onClose}
          run={() =>
            take(
              gateway.PUT('/v2/policies/usage-limits/{policyUsageLimitsId}', {
                params: { path },
                body: { mode: 'enforce' },
              }),
            )
          }
        />
      )}
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

interface EnforceProps {
  readonly run: () => Promise<unknown>
  readonly onDone: () => void
}

/** Lets a policy refuse calls that only counted them until now. */
const Enforce = ({ run, onDone }: EnforceProps) => {
  const may = useMay('policies.update')
  const save = useSave(run, onDone)
  if (!may) return null
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border border-line p-3">
      <p className="max-w-md text-soft">
        It counts, and refuses nothing. Enforced, it refuses whoever is at the limit below.
      </p>
      <Button look="primary" disabled={save.isRunning} onClick={() => save.run(undefined)}>
        Enforce
      </Button>
      {save.failure !== undefined && <Failed error={save.failure} />}
    </div>
  )
}
