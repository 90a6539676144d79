import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, take, takeTagged } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { count } from '../ui/format.ts'
import { type Budget, BudgetDialog } from './budget-dialog.tsx'
import { PolicyList } from './policy-list.tsx'
import { BudgetUse } from './use-dialogs.tsx'

const PAGE_SIZE = 100

const amountOf = ({ type, credit_limit: limit, periodic_reset: period, periodic_reset_days: days }: Budget): string => {
  const amount = type === 'cost' ? `$${count(limit)}` : `${count(limit)} ${type}`
  if (days !== null) return `${amount} in ${days} days`
  return period === null ? amount : `${amount} ${period}`
}

/** @param only id of one policy, which somebody came for */
export const Budgets = ({ only }: { readonly only: string | undefined }) => {
  const { workspace } = useSession()
  const [looked, setLooked] = useState<Budget>()
  const query = useQuery({
    queryKey: ['budgets', workspace],
    queryFn: () =>
      take(
        gateway.GET('/v2/policies/usage-limits', {
          params: { query: { workspace_id: workspace, status: 'active', page_size: PAGE_SIZE } },
        }),
      ),
  })
  return (
    <>
      <PolicyList
        noun="budget"
        query={query}
        only={only}
        amountOf={amountOf}
        onLook={setLooked}
        dialog={(stored, onClose) => <BudgetDialog stored={stored} onClose={onClose} />}
        look={({ id }) =>
          takeTagged(
            gateway.GET('/v2/policies/usage-limits/{policyUsageLimitsId}', {
              params: { path: { policyUsageLimitsId: id } },
            }),
          )
        }
        remove={({ id }, headers) =>
          take(
            gateway.DELETE('/v2/policies/usage-limits/{policyUsageLimitsId}', {
              params: { path: { policyUsageLimitsId: id } },
              headers,
            }),
          )
        }
      />
      {looked !== undefined && <BudgetUse policy={looked} onClose={() => setLooked(undefined)} />}
    </>
  )
}
