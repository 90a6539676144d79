import { useQuery } from '@tanstack/react-query'
import { gateway, type IfMatch, take, takeTagged } from '../api/client.ts'
import type { paths } from '../api/schema.d.ts'
import { useSession } from '../api/session.tsx'
import { given, orNull } from '../resource/draft.ts'
import { type Draft, type FieldSpec, FieldsDialog } from '../resource/fields-dialog.tsx'
import { ResourceList } from '../resource/resource-list.tsx'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { duration } from '../ui/format.ts'
import { NameAndSlug } from '../ui/name.tsx'
import { Failed } from '../ui/states.tsx'
import { useSave } from '../ui/use-save.ts'
import { Connect } from './connect.tsx'
import { mcpIntegrationsQuery, useMayListIntegrations } from './mcp-integrations.tsx'
import { ServerTools } from './tools.tsx'

type McpServer = paths['/v2/mcp-servers']['get']['responses'][200]['content']['application/json']['data'][number]

const PAGE_SIZE = 100

const SHARED: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', isRequired: true },
  { name: 'description', label: 'Description' },
]

const newFields = (integrations: readonly string[]): readonly FieldSpec[] => [
  ...SHARED,
  {
    ...{ name: 'mcp_integration_id', label: 'Integration', isRequired: true, offers: integrations },
    hint: 'Slug or id of one below.',
  },
  { name: 'slug', label: 'Slug', hint: 'A part of its address. Empty: made from the name.' },
]

/** What clients of MCP connect to. */
export const McpServers = () => {
  const { workspace } = useSession()
  const query = useQuery({
    queryKey: ['mcp-servers', workspace],
    queryFn: () =>
      take(gateway.GET('/v2/mcp-servers', { params: { query: { workspace_id: workspace, page_size: PAGE_SIZE } } })),
  })
  const integrations = useQuery({ ...mcpIntegrationsQuery, enabled: useMayListIntegrations() })
  const pathOf = ({ id }: Pick<McpServer, 'id'>) => ({
    params: { path: { server: id }, query: { workspace_id: workspace } },
  })
  const save = (existing: Pick<McpServer, 'id'> | undefined) => async (draft: Draft, headers: IfMatch) => {
    const { name = '', mcp_integration_id = '' } = draft
    if (existing !== undefined) {
      const body = { name, description: orNull(draft, 'description') }
      await take(gateway.PUT('/v2/mcp-servers/{server}', { ...pathOf(existing), headers, body }))
      return
    }
    const body = { name, mcp_integration_id, workspace_id: workspace, ...given(draft, 'slug', 'description') }
    await take(gateway.POST('/v2/mcp-servers', { body }))
  }
  return (
    <ResourceList
      noun="MCP server"
      query={query}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      texts={({ name, slug, mcp_integration_slug: integration }) => [name, slug, integration]}
      mayCreate={['mcp_servers.create']}
      mayUpdate={['mcp_servers.update']}
      mayDelete={['mcp_servers.delete']}
      look={(server) => takeTagged(gateway.GET('/v2/mcp-servers/{server}', pathOf(server)))}
      dialog={(existing, onClose) => (
        <FieldsDialog
          existing={existing}
          title={existing === undefined ? 'New MCP server' : `MCP server ${existing.data.slug}`}
          fields={existing === undefined ? newFields(integrations.data?.data.map(({ slug }) => slug) ?? []) : SHARED}
          initial={
            existing === undefined ? {} : { name: existing.data.name, description: existing.data.description ?? '' }
          }
          save={save(existing?.data)}
          onClose={onClose}
        />
      )}
      remove={(server, headers) => take(gateway.DELETE('/v2/mcp-servers/{server}', { ...pathOf(server), headers }))}
      removal="Its clients are refused from then on."
      actions={(server) => (
        <>
          <ServerTools server={server} workspace={workspace} />
          {server.auth_type === 'oauth_auto' && <Connect server={server} workspace={workspace} />}
          <CopyButton text={server.url} what="Copy address" />
          <Reach run={() => take(gateway.POST('/v2/mcp-servers/{server}/test', pathOf(server)))} />
        </>
      )}
      columns={[
        { title: 'Name', cell: ({ name, slug }) => <NameAndSlug name={name} slug={slug} /> },
        { title: 'Integration', cell: ({ mcp_integration_slug: slug }) => slug },
        { title: 'Asks for', cell: ({ auth_type: auth }) => auth },
      ]}
    />
  )
}

interface Reached {
  readonly success: boolean
  readonly response_time_ms: number
  readonly error?: string
}

/** Tries whether a server answers. */
const Reach = ({ run }: { readonly run: () => Promise<Reached> }) => {
  const save = useSave(run)
  const found = save.output
  return (
    <>
      <Button disabled={save.isRunning} onClick={() => save.run(undefined)}>
        {save.isRunning ? 'Trying…' : 'Try it'}
      </Button>
      {found !== undefined && (
        <span role="status" className={found.success ? 'text-good' : 'text-bad'}>
          {found.success ? `answers in ${duration(found.response_time_ms)}` : (found.error ?? 'does not answer')}
        </span>
      )}
      {save.failure !== undefined && <Failed error={save.failure} />}
    </>
  )
}
