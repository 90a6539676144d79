import { Type as t } from '@sinclair/typebox'
import { ManagementReference } from '../../errors/gateway-error.ts'
import {
  listMcpIntegrationWorkspaces,
  type McpIntegration,
  mcpIntegrationRows,
  putMcpIntegrationWorkspaces,
  removeOtherMcpIntegrationWorkspaces,
} from '../../store/objects/mcp-integrations.ts'
import { workspaceRows } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import { Empty, nullable } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { McpWorkspacesChange, type McpWorkspacesChangeBody, McpWorkspacesQuery } from './model.ts'
import { mcpIntegrationReach } from './reach.ts'
import { type ListedMcpIntegration, workspaceAccessAnswer } from './view.ts'

const { scopesOf, reach, entry } = mcpIntegrationReach
const shared = {
  tag: 'MCP Integrations',
  plane: 'organisation',
  path: '/mcp-integrations/:integration/workspaces',
} as const

const Access = nullable(t.Object({ enabled: t.Boolean() }))
const Rows = t.Array(workspaceAccessAnswer.schema)

/** Which workspaces may use an MCP integration. */
export const workspaceRoutes: readonly AnyRoute[] = [
  defineRoute({
    ...shared,
    method: 'GET',
    summary: 'List the workspaces that have a setting of their own at an MCP integration',
    etag: true,
    scopes: scopesOf('read'),
    changes: false,
    query: McpWorkspacesQuery,
    response: t.Union([
      t.Object({ data: Rows, global_workspace_access: Access, total: t.Integer({ minimum: 0 }) }),
      t.Object({ workspaces: Rows, global_workspace_access: Access }),
    ]),
    async handle({ db, actor, params, query }) {
      const integration = await reach(db, actor, params.integration ?? '', 'read')
      const { workspaces, global_workspace_access: access } = await grantsOf(db, integration)
      return query.version === undefined
        ? { workspaces, global_workspace_access: access }
        : { data: workspaces, global_workspace_access: access, total: workspaces.length }
    },
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    summary: 'Give an MCP integration to workspaces, or take it away',
    scopes: scopesOf('update'),
    changes: true,
    body: McpWorkspacesChange,
    response: Empty,
    async handle({ db, actor, params, body, audit }) {
      const integration = await reach(db, actor, params.integration ?? '', 'update')
      if (integration.workspaceId !== null) {
        throw invalidField('workspaces', 'cannot be set: the integration belongs to one workspace')
      }
      const before = await grantsOf(db, integration)
      const changed = await putGrants(db, integration, body)
      const after = await grantsOf(db, changed)
      audit({ ...entry('mcp_integration_workspaces')('update', integration), before, after })
      return {}
    },
  }),
]

/** Adds how many workspaces may use each of them. */
export const countUsers = async (
  db: Db,
  integrations: readonly McpIntegration[],
): Promise<readonly ListedMcpIntegration[]> => {
  const [first] = integrations
  if (first === undefined) return []
  const grants = await listMcpIntegrationWorkspaces(
    db,
    integrations.map(({ id }) => id),
  )
  const { organisationId } = first
  const { total } = await workspaceRows.list(db, { organisationId }, { offset: 0, limit: 1 })
  return integrations.map((integration) => {
    const own = grants.filter(({ integrationId }) => integrationId === integration.id)
    const enabled = own.filter((grant) => grant.enabled).length
    const others = integration.globalWorkspaceAccess?.enabled === true ? total - own.length : 0
    return { ...integration, workspacesCount: integration.workspaceId === null ? enabled + others : 1 }
  })
}

const grantsOf = async (db: Db, { id, globalWorkspaceAccess }: McpIntegration) => ({
  workspaces: (await listMcpIntegrationWorkspaces(db, [id])).map(workspaceAccessAnswer.of),
  global_workspace_access: globalWorkspaceAccess,
})

/** @throws ManagementInvalid naming the field; ManagementReference for an unknown workspace. */
const putGrants = async (
  db: Db,
  integration: McpIntegration,
  body: McpWorkspacesChangeBody,
): Promise<McpIntegration> => {
  const { id, organisationId } = integration
  const grants: { workspaceId: string; enabled: boolean }[] = []
  for (const [index, { id: reference, enabled }] of body.workspaces.entries()) {
    const path = `workspaces[${index}].id`
    const workspace = await workspaceRows.find(db, { organisationId, reference })
    if (workspace === undefined) throw new ManagementReference(`There is no workspace '${reference}'.`, { param: path })
    if (grants.some(({ workspaceId }) => workspaceId === workspace.id)) throw invalidField(path, 'is there twice')
    grants.push({ workspaceId: workspace.id, enabled })
  }
  if (body.override_existing_workspace_access) {
    await removeOtherMcpIntegrationWorkspaces(
      db,
      id,
      grants.map(({ workspaceId }) => workspaceId),
    )
  }
  await putMcpIntegrationWorkspaces(db, id, grants)
  const access = body.global_workspace_access
  if (access === undefined) return integration
  const globalWorkspaceAccess = access === null ? null : { enabled: access.enabled }
  return (await mcpIntegrationRows.update(db, { id, globalWorkspaceAccess })) ?? integration
}
