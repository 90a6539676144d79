import { ManagementForbidden, ManagementNotFound, ManagementReference } from '../../errors/gateway-error.ts'
import {
  listMcpConnections,
  listMcpUsers,
  type McpServer,
  mcpServerRows,
  putMcpUserAccess,
  removeMcpConnection,
} from '../../store/objects/mcp-servers.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { WorkspaceQuery } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { toPage } from '../list.ts'
import { Done } from '../mcp-integrations/model.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import {
  ConnectionRemoval,
  Connections,
  ConnectionsQuery,
  UserAccess,
  UserAccessChange,
  UserAccessQuery,
} from './model.ts'
import { PATH, reachServer, SHARED, serverEntry, serverScopes } from './reach.ts'

/** Which users may use an MCP server, and what they agreed to at the server behind it. */
export const accessRoutes: readonly AnyRoute[] = [
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: `${PATH}/user-access`,
    summary: 'List the users of the workspace and whether they may use an MCP server',
    scopes: serverScopes('read'),
    changes: false,
    query: UserAccessQuery,
    response: UserAccess,
    async handle(call) {
      const { page, page_size: limit, search } = call.query
      const server = await reachServer(call, 'read')
      const offset = (page - 1) * limit
      const { rows, total } = await listMcpUsers(call.db, server, search, { offset, limit })
      const byDefault = server.defaultUserAccess === 'allow'
      const data = rows.map(({ userId, firstName, lastName, override, isConnected }) => ({
        user_id: userId,
        first_name: firstName,
        last_name: lastName,
        enabled: override ?? byDefault,
        has_override: override !== null,
        connection_status: isConnected ? 'connected' : 'not_connected',
      }))
      return { data, default_user_access: server.defaultUserAccess, total, has_more: offset + rows.length < total }
    },
  }),
  defineRoute({
    ...SHARED,
    method: 'PUT',
    path: `${PATH}/user-access`,
    summary: 'Say which users may use an MCP server',
    scopes: serverScopes('update'),
    changes: true,
    query: WorkspaceQuery,
    body: UserAccessChange,
    response: Done,
    async handle(call) {
      const { db, body, audit } = call
      const { user_access: access = [], default_user_access: byDefault } = body
      const server = await reachServer(call, 'update')
      await requireUsers(
        db,
        server,
        access.map(({ user_id: id }) => id.toLowerCase()),
      )
      await putMcpUserAccess(
        db,
        server.id,
        access.map(({ user_id: id, enabled }) => ({ userId: id.toLowerCase(), enabled })),
      )
      if (byDefault !== undefined) await mcpServerRows.update(db, { id: server.id, defaultUserAccess: byDefault })
      audit({
        ...serverEntry('mcp_user_access')('update', server),
        before: { default_user_access: server.defaultUserAccess },
        after: { default_user_access: byDefault ?? server.defaultUserAccess, user_access: access },
      })
      return { success: true }
    },
  }),
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: `${PATH}/connections`,
    summary: 'List what users agreed to at the server behind an MCP server; of a user key its own',
    scopes: serverScopes('read'),
    changes: false,
    query: ConnectionsQuery,
    response: Connections,
    async handle(call) {
      const server = await reachServer(call, 'read')
      const page = toPage(call.query)
      const { rows, total } = await listMcpConnections(call.db, server.id, meant(call.actor, call.query.user_id), page)
      const data = rows.map(({ userId, createdAt, lastUpdatedAt }) => ({
        user_id: userId,
        connected: true,
        created_at: createdAt.toISOString(),
        last_updated_at: lastUpdatedAt.toISOString(),
      }))
      return { data, total, has_more: page.offset + rows.length < total }
    },
  }),
  defineRoute({
    ...SHARED,
    method: 'DELETE',
    path: `${PATH}/connections`,
    summary: 'Forget what a user agreed to at the server behind an MCP server',
    scopes: serverScopes('read'),
    changes: true,
    query: ConnectionRemoval,
    response: Done,
    async handle(call) {
      const { actor, db, audit, require } = call
      const server = await reachServer(call, 'update')
      const userId = meant(actor, call.query.user_id)
      if (userId === undefined)
        throw invalidField('user_id', 'is missing: a service key says whose connection it means')
      if (userId !== actor.userId) require('mcp_servers.update')
      if (!(await removeMcpConnection(db, server.id, userId))) {
        throw new ManagementNotFound('The user is not connected to this MCP server.')
      }
      audit({ ...serverEntry('mcp_connection')('delete', server), before: { user_id: userId } })
      return { success: true }
    },
  }),
]

/** The user that a call means: of a key of a user that one alone. @throws ManagementForbidden */
const meant = (actor: Actor, asked: string | undefined): string | undefined => {
  const userId = asked?.toLowerCase()
  const isManager = actor.kind === 'user' && actor.scopes.has('mcp_servers.update')
  if (isManager || actor.kind === 'workspace-service' || actor.kind === 'organisation-service') return userId
  if (userId !== undefined && userId !== actor.userId) {
    throw new ManagementForbidden('A key of a user sees the connections of that user alone.', { param: 'user_id' })
  }
  return actor.userId
}

const ALL_USERS = { offset: 0, limit: 100_000 }

/** @throws ManagementInvalid for a user that is there twice; ManagementReference for one that is not of the workspace */
const requireUsers = async (db: Db, server: McpServer, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return
  const { rows } = await listMcpUsers(db, server, undefined, ALL_USERS)
  const known = new Set(rows.map(({ userId }) => userId))
  for (const [index, id] of ids.entries()) {
    if (ids.indexOf(id) !== index) throw invalidField(`user_access[${index}].user_id`, 'is there twice')
    if (known.has(id)) continue
    throw new ManagementReference(`There is no user '${id}' in the workspace.`, {
      param: `user_access[${index}].user_id`,
    })
  }
}
