import { Type as t } from '@sinclair/typebox'
import { type McpServer, mcpServerRows, UNKNOWN_VERSION } from '../../store/objects/mcp-servers.ts'
import { DateTime, searchIn, WorkspaceReference } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import type { McpDeps } from '../mcp-integrations/deps.ts'
import { toDate } from '../own-budgets/usage-limits.ts'
import { placeOfCall } from '../resource/reach.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { SHARED, serverScopes } from './reach.ts'

/** The MCP registry's API, of servers alone that a caller may use (modelcontextprotocol/registry, openapi.yaml of 2025-12-01). */

const OFFICIAL = 'io.modelcontextprotocol.registry/official'
/** Longest description of a server (server.schema.json of 2025-12-11). */
const MAX_DESCRIPTION = 100
const MAX_OFFSET = 1_000_000

const RegistryQuery = t.Object({
  limit: t.Integer({ minimum: 1, maximum: 100, default: 50, description: 'Servers of a page.' }),
  cursor: t.Optional(t.String({ minLength: 1, maxLength: 64, description: '`nextCursor` of the page before.' })),
  search: searchIn('name or slug'),
  updated_since: t.Optional({ ...DateTime, description: 'Those that were changed since.' }),
  version: t.Optional(t.String({ minLength: 1, maxLength: 255, description: '`latest`, or a version.' })),
  include_deleted: t.Optional(t.Boolean({ description: 'Taken, and nothing else: none that is deleted is known.' })),
  workspace_id: WorkspaceReference,
})

const RegistryList = t.Object({
  servers: t.Array(
    t.Object({
      server: t.Object({
        name: t.String({ description: 'The host of the gateway in reverse, a slash, and the slug.' }),
        title: t.String(),
        description: t.String(),
        version: t.String({ description: 'What the server behind said of itself; 1.0.0 where it was not asked.' }),
        remotes: t.Array(
          t.Object({
            type: t.Literal('streamable-http'),
            url: t.String(),
            headers: t.Array(
              t.Object({
                name: t.String(),
                description: t.String(),
                isRequired: t.Boolean(),
                isSecret: t.Boolean(),
              }),
            ),
          }),
        ),
      }),
      _meta: t.Object({
        [OFFICIAL]: t.Object({
          status: t.Literal('active'),
          publishedAt: DateTime,
          updatedAt: DateTime,
          isLatest: t.Literal(true),
        }),
      }),
    }),
  ),
  metadata: t.Object({ count: t.Integer(), nextCursor: t.Optional(t.String()) }),
})

export const registryRoute = ({ mcpBase }: McpDeps): AnyRoute =>
  defineRoute({
    ...SHARED,
    method: 'GET',
    path: '/v0.1/servers',
    roots: [''],
    summary: 'List the MCP servers that the caller may use, as a registry does',
    scopes: serverScopes('list'),
    changes: false,
    query: RegistryQuery,
    response: RegistryList,
    async handle(call) {
      const { limit, cursor, search, updated_since: since, version } = call.query
      const { userId } = call.actor
      const offset = cursor === undefined ? 0 : readCursor(cursor)
      const { rows, total } = await mcpServerRows.list(
        call.db,
        {
          ...(await placeOfCall(call)),
          search,
          served: { version: version === 'latest' ? undefined : version },
          updatedSince: since === undefined ? undefined : toDate(since, 'updated_since'),
          usableBy: userId,
        },
        { offset, limit },
      )
      const next = offset + rows.length
      return {
        servers: rows.map(entriesAt(mcpBase)),
        metadata: { count: rows.length, ...(next < total && next <= MAX_OFFSET ? { nextCursor: toCursor(next) } : {}) },
      }
    },
  })

const entriesAt = (mcpBase: string) => {
  const host = reversedHost(mcpBase)
  return ({ slug, name, description, integration, createdAt, lastUpdatedAt }: McpServer) => ({
    server: {
      name: `${host}/${slug}`,
      title: name.slice(0, MAX_DESCRIPTION),
      description: (description || integration.serverInfo?.description || name).slice(0, MAX_DESCRIPTION),
      version: integration.serverInfo?.version ?? UNKNOWN_VERSION,
      remotes: [
        {
          type: 'streamable-http',
          url: `${mcpBase}/${slug}/mcp`,
          headers: [
            {
              name: 'Authorization',
              description: 'Bearer and a key of the workspace with the scope mcp.invoke',
              isRequired: true,
              isSecret: true,
            },
          ],
        },
      ],
    },
    _meta: {
      [OFFICIAL]: {
        status: 'active',
        publishedAt: createdAt.toISOString(),
        updatedAt: lastUpdatedAt.toISOString(),
        isLatest: true,
      },
    },
  })
}

/** `llm.example.com` is `com.example.llm`; an address stays as it is, with what a name may not have as hyphens. */
const reversedHost = (url: string): string => {
  const { hostname } = new URL(url)
  const isAddress = /^[\d.]+$|:/.test(hostname)
  return (isAddress ? hostname : hostname.split('.').toReversed().join('.')).replaceAll(/[^A-Za-z0-9.-]+/g, '-')
}

const toCursor = (offset: number): string => Buffer.from(`servers ${offset}`).toString('base64url')

/** @throws ManagementInvalid for what no page gave */
const readCursor = (cursor: string): number => {
  const [, offset] = /^servers (\d{1,7})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (offset === undefined || Number(offset) > MAX_OFFSET) throw invalidField('cursor', 'is none that a page gave')
  return Number(offset)
}
