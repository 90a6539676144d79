import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { gateway, take, takeTagged } from '../api/client.ts'
import { useMay, useSession } from '../api/session.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { Button } from '../ui/button.tsx'
import { time } from '../ui/format.ts'
import { Name } from '../ui/name.tsx'
import { Page } from '../ui/page.tsx'

const PAGE_SIZE = 100

/** Templates of calls, kept in versions. */
export const PromptsPage = () => {
  const { workspace } = useSession()
  const mayCreate = useMay('prompts.create')
  const query = useQuery({
    queryKey: ['prompts', workspace],
    queryFn: () =>
      take(gateway.GET('/v2/prompts', { params: { query: { workspace_id: workspace, page_size: PAGE_SIZE } } })),
  })
  return (
    <Page
      title="Prompts"
      about="Templates of calls, kept in versions. Programs call the published one, or name another."
      actions={
        mayCreate && (
          <Button look="primary" asChild>
            <Link to="/prompts/$id" params={{ id: 'new' }}>
              New prompt
            </Link>
          </Button>
        )
      }
    >
      <ResourceList
        noun="prompt"
        query={query}
        idOf={({ slug }) => slug}
        nameOf={({ name }) => name}
        texts={({ name, slug, model }) => [name, slug, model]}
        mayDelete={['prompts.delete']}
        look={({ slug }) =>
          takeTagged(
            gateway.GET('/v2/prompts/{promptId}', {
              params: { path: { promptId: slug }, query: { workspace_id: workspace } },
            }),
          )
        }
        remove={({ slug }, headers) =>
          take(
            gateway.DELETE('/v2/prompts/{promptId}', {
              params: { path: { promptId: slug }, query: { workspace_id: workspace } },
              headers,
            }),
          )
        }
        removal="Calls that name it are refused from then on."
        actions={({ slug }) => (
          <Button asChild>
            <Link to="/records" search={{ prompt_slug: slug }}>
              Records
            </Link>
          </Button>
        )}
        columns={[
          {
            title: 'Slug',
            cell: ({ slug }) => (
              <Link to="/prompts/$id" params={{ id: slug }} className="font-mono text-accent underline">
                {slug}
              </Link>
            ),
          },
          { title: 'Name', cell: ({ name }) => <Name text={name} /> },
          { title: 'Model', cell: ({ model }) => model ?? '—' },
          { title: 'Published', isNumber: true, cell: ({ published_version: version }) => version },
          { title: 'Newest', isNumber: true, cell: ({ latest_version: version }) => version },
          { title: 'Changed', cell: ({ last_updated_at: changed }) => time(changed) },
        ]}
      />
    </Page>
  )
}
