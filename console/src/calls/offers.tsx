import { useQuery } from '@tanstack/react-query'
import { gateway, take } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'

/** Names that the fields offer: stored providers and configs of the workspace. */
export const Offers = () => {
  const { workspace } = useSession()
  const query = { workspace_id: workspace, page_size: 100 }
  const providers = useQuery({
    queryKey: ['virtual-keys', workspace],
    queryFn: () => take(gateway.GET('/v2/virtual-keys', { params: { query } })),
    enabled: useMay('virtual_keys.list'),
  })
  const configs = useQuery({
    queryKey: ['configs', workspace],
    queryFn: () => take(gateway.GET('/v2/configs', { params: { query } })),
    enabled: useMay('configs.list'),
  })
  return (
    <>
      <datalist id="playground-models">
        <option value="mock" />
        {providers.data?.data.map(({ slug }) => (
          <option key={slug} value={`@${slug}/`} />
        ))}
      </datalist>
      <datalist id="playground-configs">
        {configs.data?.data.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
