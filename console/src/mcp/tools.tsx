import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gateway, take } from '../api/client.ts'
import { useMay } from '../api/session.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Answered, Failed } from '../ui/states.tsx'
import { useSave } from '../ui/use-save.ts'
import { type Capability, CapabilityTable, keyOf } from './capability-table.tsx'

const PAGE_SIZE = 500

/** What those who manage integrations may do. */
const MANAGE = ['organisation_mcp_integrations.update', 'workspace_mcp_integrations.update'] as const

const askOfIntegration = (integration: string) =>
  take(
    gateway.GET('/admin/v2/mcp-integrations/{integration}/capabilities', {
      params: { path: { integration }, query: { page_size: PAGE_SIZE } },
    }),
  )

/** Says of an integration whether something may be used; to allow what has changed approves it. */
const setOfIntegration = (integration: string, { type, ...capability }: Capability, enabled: boolean) =>
  take(
    gateway.PUT('/admin/v2/mcp-integrations/{integration}/capabilities', {
      params: { path: { integration } },
      body: { capabilities: [{ name: keyOf({ type, ...capability }), type, enabled }] },
    }),
  )

interface IntegrationToolsProps {
  readonly integration: { readonly id: string; readonly name: string }
}

/** What an integration offers: asked for anew, switched on and off for everybody, and approved where it has changed. */
export const IntegrationTools = ({ integration: { id, name } }: IntegrationToolsProps) => {
  const may = useMay('organisation_mcp_integrations.read', 'workspace_mcp_integrations.read')
  const [isOpen, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Tools</Button>
      {isOpen && (
        <Dialog
          title={`What ${name} offers`}
          about="What is off here is off in every workspace."
          isWide
          onClose={() => setOpen(false)}
        >
          <OfIntegration id={id} />
        </Dialog>
      )}
    </>
  )
}

const OfIntegration = ({ id }: { readonly id: string }) => {
  const mayManage = useMay(...MANAGE)
  const query = useQuery({ queryKey: ['mcp-capabilities', id], queryFn: () => askOfIntegration(id) })
  return (
    <>
      {mayManage && <Sync integration={id} />}
      <Answered query={query}>
        {({ data }) => (
          <CapabilityTable
            rows={data}
            isOn={({ enabled }) => enabled}
            toggle={mayManage ? (row, enabled) => setOfIntegration(id, row, enabled) : undefined}
            approve={mayManage ? (row) => setOfIntegration(id, row, true) : undefined}
          />
        )}
      </Answered>
    </>
  )
}

interface ServerToolsProps {
  readonly server: { readonly id: string; readonly name: string; readonly mcp_integration_id: string }
  readonly workspace: string
}

/** What a server of the workspace offers: it can take away what its integration allows. */
export const ServerTools = ({ server, workspace }: ServerToolsProps) => {
  const may = useMay('mcp_servers.read')
  const [isOpen, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Tools</Button>
      {isOpen && (
        <Dialog
          title={`What ${server.name} offers`}
          about="Switched for this workspace."
          isWide
          onClose={() => setOpen(false)}
        >
          <OfServer server={server} workspace={workspace} />
        </Dialog>
      )}
    </>
  )
}

const OfServer = ({ server: { id, mcp_integration_id: integration }, workspace }: ServerToolsProps) => {
  const mayManage = useMay(...MANAGE)
  const maySwitch = useMay('mcp_servers.update')
  const params = { path: { server: id }, query: { workspace_id: workspace } }
  const query = useQuery({
    queryKey: ['mcp-capabilities', id, workspace],
    queryFn: () =>
      take(
        gateway.GET('/v2/mcp-servers/{server}/capabilities', {
          params: { ...params, query: { ...params.query, page_size: PAGE_SIZE } },
        }),
      ),
  })
  const toggle = (row: Capability, enabled: boolean) =>
    take(
      gateway.PUT('/v2/mcp-servers/{server}/capabilities', {
        params,
        body: { capabilities: [{ name: keyOf(row), type: row.type, enabled }] },
      }),
    )
  return (
    <>
      {mayManage && <Sync integration={integration} />}
      <Answered query={query}>
        {({ data }) => (
          <CapabilityTable
            rows={data}
            isOn={({ enabled }) => enabled}
            isTakenAway={({ integration_enabled: allowed }) => allowed === false}
            toggle={maySwitch ? toggle : undefined}
            approve={mayManage ? (row) => setOfIntegration(integration, row, true) : undefined}
          />
        )}
      </Answered>
    </>
  )
}

/** Asks the server what it offers now. */
const Sync = ({ integration }: { readonly integration: string }) => {
  const sync = useSave(() =>
    take(gateway.POST('/admin/v2/mcp-integrations/{integration}/sync', { params: { path: { integration } } })),
  )
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button disabled={sync.isRunning} onClick={() => sync.run(undefined)}>
        {sync.isRunning ? 'Asking the server…' : 'Ask the server anew'}
      </Button>
      {sync.output !== undefined && !sync.isRunning && (
        <span role="status" className={sync.output.success ? 'text-good' : 'text-bad'}>
          {sync.output.success ? 'It has answered.' : (sync.output.server_info.sync_error ?? 'It did not answer.')}
        </span>
      )}
      {sync.failure !== undefined && <Failed error={sync.failure} />}
    </div>
  )
}
