import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { gateway, take, takeTagged } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'

const PAGE_SIZE = 100

/** How calls are routed, retried, cached and guarded. */
export const ConfigsPage = () => {
  const { workspace } = useSession()
  const mayCreate = useMay('configs.create')
  const query = useQuery({
    queryKey: ['configs', workspace],
    queryFn: () =>
      take(gateway.GET('/v2/configs', { params: { query: { workspace_id: workspace, page_size: PAGE_SIZE } } })),
  })
  return (
    <Page
      title="Configs"
      about="How calls are routed, retried, cached and guarded. A call names one by its slug."
      actions={
        mayCreate && (
          <Button look="primary" asChild>
            <Link to="/configs/$slug" params={{ slug: 'new' }}>
              New config
            </Link>
          </Button>
        )
      }
    >
      <ResourceList
        noun="config"
        query={query}
        idOf={({ slug }) => slug}
        nameOf={({ name }) => name}
        texts={({ name, slug }) => [name, slug]}
        mayDelete={['configs.delete']}
        look={({ slug }) =>
          takeTagged(
            gateway.GET('/v2/configs/{slug}', { params: { path: { slug }, query: { workspace_id: workspace } } }),
          )
        }
        remove={({ slug }, headers) =>
          take(
            gateway.DELETE('/v2/configs/{slug}', {
              params: { path: { slug }, query: { workspace_id: workspace } },
              headers,
            }),
          )
        }
        removal="Calls that name it are refused from then on."
        actions={({ slug }) => (
          <Button asChild>
            <Link to="/records" search={{ configs: slug }}>
              Records
            </Link>
          </Button>
        )}
        columns={[
          {
            title: 'Slug',
            cell: ({ slug }) => (
              <Link to="/configs/$slug" params={{ slug }} className="font-mono text-accent underline">
                {slug}
              </Link>
            ),
          },
          { title: 'Name', cell: ({ name }) => <Name text={name} /> },
          {
            title: 'Status',
            cell: ({ status, is_default: isDefault }) => (
              <span className="flex gap-1">
                <Badge tone={status === 'active' ? 'good' : 'plain'}>{status}</Badge>
                {isDefault === 1 && <Badge>default</Badge>}
              </span>
            ),
          },
          { title: 'Changed', cell: ({ last_updated_at: changed }) => time(changed) },
        ]}
      />
    </Page>
  )
}
