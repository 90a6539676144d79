import { queryOptions, useQuery } from '@tanstack/react-query'
import { gateway, type IfMatch, take, takeTagged } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'
import { useMay } from '../api/session.tsx'
import { AccessButton } from '../organisation/access.tsx'
import { given, jsonOf } from '../resource/draft.ts'
import { type Draft, type FieldSpec, FieldsDialog } from '../resource/fields-dialog.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { Name, NameAndSlug } from '../ui/name.tsx'
import { Empty } from '../ui/states.tsx'
import { IntegrationTools } from './tools.tsx'

type Routes = paths['/admin/v2/mcp-integrations']
type McpIntegration = Routes['get']['responses'][200]['content']['application/json']['data'][number]
type Creation = Routes['post']['requestBody']['content']['application/json']

const PAGE_SIZE = 100

const AUTH: Readonly<Record<Creation['auth_type'], string>> = {
  none: 'Nothing',
  headers: 'Headers of its settings',
  oauth_auto: 'OAuth, each person for themselves',
  oauth_client_credentials: 'OAuth, as a client',
}

const TRANSPORTS: Readonly<Record<Creation['transport'], string>> = {
  http: 'Streamable HTTP',
  sse: 'SSE, the older one',
}

const SHARED: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'url', label: 'Address', isRequired: true },
  { name: 'auth_type', label: 'What it asks for', kind: 'choice', options: AUTH },
  { name: 'transport', label: 'Transport', kind: 'choice', options: TRANSPORTS },
  { name: 'description', label: 'Description' },
  {
    ...{ name: 'configurations', label: 'Settings', kind: 'json' },
    hint: 'JSON. Empty: the stored ones stay.',
  },
]

const NEW: readonly FieldSpec[] = [...SHARED, { name: 'slug', label: 'Slug', hint: 'Empty: made from the name.' }]

const toDraft = ({
  name,
  url,
  auth_type,
  transport,
  description,
}: Omit<McpIntegration, 'workspaces_count'>): Draft => ({
  ...{ name, url, auth_type, transport, description: description ?? '' },
})

export const mcpIntegrationsQuery = queryOptions({
  queryKey: ['mcp-integrations'],
  queryFn: () => take(gateway.GET('/admin/v2/mcp-integrations', { params: { query: { page_size: PAGE_SIZE } } })),
})

export const useMayListIntegrations = (): boolean =>
  useMay('organisation_mcp_integrations.list', 'workspace_mcp_integrations.list')

/** Where servers of tools are, and how to get in. */
export const McpIntegrations = () => {
  const may = useMayListIntegrations()
  const query = useQuery({ ...mcpIntegrationsQuery, enabled: may })
  const pathOf = ({ id }: Pick<McpIntegration, 'id'>) => ({ params: { path: { integration: id } } })
  const save = (existing: Pick<McpIntegration, 'id'> | undefined) => async (draft: Draft, headers: IfMatch) => {
    const configurations = jsonOf(draft, 'configurations')
    const body = {
      ...{ name: draft.name ?? '', url: draft.url ?? '', ...given(draft, 'description') },
      auth_type: draft.auth_type as Creation['auth_type'],
      transport: draft.transport as Creation['transport'],
      ...(configurations === undefined ? {} : { configurations }),
    }
    if (existing === undefined) {
      await take(gateway.POST('/admin/v2/mcp-integrations', { body: { ...body, ...given(draft, 'slug') } }))
      return
    }
    await take(gateway.PUT('/admin/v2/mcp-integrations/{integration}', { ...pathOf(existing), headers, body }))
  }
  if (!may) return <Empty>Those of the organisation are not yours to see.</Empty>
  return (
    <ResourceList
      noun="MCP integration"
      query={query}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      texts={({ name, slug, url }) => [name, slug, url]}
      mayCreate={['organisation_mcp_integrations.create']}
      mayUpdate={['organisation_mcp_integrations.update']}
      mayDelete={['organisation_mcp_integrations.delete']}
      look={(row) => takeTagged(gateway.GET('/admin/v2/mcp-integrations/{integration}', pathOf(row)))}
      dialog={(existing, onClose) => (
        <FieldsDialog
          existing={existing}
          title={existing === undefined ? 'New MCP integration' : `MCP integration ${existing.data.slug}`}
          fields={existing === undefined ? NEW : SHARED}
          initial={existing === undefined ? {} : toDraft(existing.data)}
          save={save(existing?.data)}
          onClose={onClose}
        />
      )}
      remove={(row, headers) =>
        take(gateway.DELETE('/admin/v2/mcp-integrations/{integration}', { ...pathOf(row), headers }))
      }
      actions={(row) => (
        <>
          <IntegrationTools integration={row} />
          <AccessButton
            name={row.name}
            scope="organisation_mcp_integrations.update"
            look={() => takeTagged(gateway.GET('/admin/v2/mcp-integrations/{integration}/workspaces', pathOf(row)))}
            save={(access, headers) =>
              take(
                gateway.PUT('/admin/v2/mcp-integrations/{integration}/workspaces', {
                  ...{ ...pathOf(row), headers },
                  body: { ...access, override_existing_workspace_access: true },
                }),
              )
            }
          />
        </>
      )}
      removal="The servers that workspaces have of it are gone with it."
      columns={[
        { title: 'Name', cell: ({ name, slug }) => <NameAndSlug name={name} slug={slug} /> },
        { title: 'Address', cell: ({ url }) => <Name text={url} /> },
        { title: 'Asks for', cell: ({ auth_type: auth }) => auth },
        { title: 'Workspaces', isNumber: true, cell: ({ workspaces_count: workspaces }) => workspaces },
      ]}
    />
  )
}
