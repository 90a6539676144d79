import { queryOptions, useQuery } from '@tanstack/react-query'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'

const PAGE_SIZE = 500

/** Keys of a workspace. */
export const keysQuery = (workspace: string) =>
  queryOptions({
    queryKey: ['api-keys', workspace],
    queryFn: () =>
      take(gateway.GET('/v2/api-keys', { params: { query: { workspace_id: workspace, page_size: PAGE_SIZE } } })),
  })

const LISTS = ['organisation', 'workspace'].map((owner) => `${owner}_service_api_keys.list`)

/** What a key is called, for whoever may list them: others see its id. */
export const useKeyName = (): ((id: string) => string) => {
  const { workspace } = useSession()
  const { data } = useQuery({ ...keysQuery(workspace), enabled: useMay(...LISTS), staleTime: 60_000 })
  return (id) => data?.data.find((key) => key.id === id)?.name ?? id
}
