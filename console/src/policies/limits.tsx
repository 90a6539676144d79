import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, take, takeTagged } from '../api/client.ts'
import { useSession } from '../api/session.tsx'
import { count } from '../ui/format.ts'
import { LimitDialog, type RateLimit, UNITS } from './limit-dialog.tsx'
import { PolicyList } from './policy-list.tsx'
import { LimitUse } from './use-dialogs.tsx'

const PAGE_SIZE = 100

/** @param only id of one policy, which somebody came for */
export const Limits = ({ only }: { readonly only: string | undefined }) => {
  const { workspace } = useSession()
  const [looked, setLooked] = useState<RateLimit>()
  const query = useQuery({
    queryKey: ['rate-limits', workspace],
    queryFn: () =>
      take(
        gateway.GET('/v2/policies/rate-limits', {
          params: { query: { workspace_id: workspace, status: 'active', page_size: PAGE_SIZE } },
        }),
      ),
  })
  return (
    <>
      <PolicyList
        noun="rate limit"
        query={query}
        only={only}
        amountOf={(row) => `${count(row.value)} ${row.type} a ${UNITS[row.unit]}`}
        onLook={setLooked}
        dialog={(stored, onClose) => <LimitDialog stored={stored} onClose={onClose} />}
        look={({ id }) =>
          takeTagged(
            gateway.GET('/v2/policies/rate-limits/{rateLimitsPolicyId}', {
              params: { path: { rateLimitsPolicyId: id } },
            }),
          )
        }
        remove={({ id }, headers) =>
          take(
            gateway.DELETE('/v2/policies/rate-limits/{rateLimitsPolicyId}', {
              params: { path: { rateLimitsPolicyId: id } },
              headers,
            }),
          )
        }
      />
      {looked !== undefined && <LimitUse policy={looked} onClose={() => setLooked(undefined)} />}
    </>
  )
}
