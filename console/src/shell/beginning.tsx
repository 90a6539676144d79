import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { Loading } from '../ui/states.tsx'

/** Where somebody comes who names no page: to the first minute, or to the overview once calls were made. */
export const Beginning = () => {
  const { workspace } = useSession()
  const may = useMay('logs.list')
  const mayOverlook = useMay('analytics.view')
  const { data, isPending } = useQuery({
    queryKey: ['records', workspace, 'any'],
    queryFn: () => take(gateway.GET('/v2/logs', { params: { query: { workspace_slug: workspace, limit: 1 } } })),
    enabled: may && mayOverlook,
    retry: false,
  })
  if (isPending && may && mayOverlook) return <Loading />
  return <Navigate to={data?.data.length === 1 ? '/overview' : '/start'} replace />
}
