import { Type as t } from '@sinclair/typebox'
import { ManagementNotFound } from '../../errors/gateway-error.ts'
import {
  type GuardrailMapping,
  listMappings,
  type NewMapping,
  putMapping,
  removeOtherMappings,
} from '../../store/objects/guardrail-mcp-servers.ts'
import { isUuid } from '../../store/objects/rows.ts'
import type { Db } from '../../store/types.ts'
import { Uuid, WorkspaceQuery } from '../fields.ts'
import { invalidField } from '../invalid-field.ts'
import { entryOf, scopesIn } from '../resource/resource.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { McpServer, type McpServerBody, McpServers } from './model.ts'
import { type GuardrailGroup, reachOwner, type ShownGuardrail } from './reach.ts'
import { mappingAnswer } from './view.ts'

const Changes = t.Object({
  changed: t.Boolean(),
  added: t.Integer({ minimum: 0 }),
  updated: t.Integer({ minimum: 0 }),
  removed: t.Integer({ minimum: 0 }),
})

/** Which MCP servers a guardrail looks at the tools of. Servers are known by their ids alone until they are stored here. */
export const mcpServerRoutes = (group: GuardrailGroup): readonly AnyRoute[] => {
  const { tag, plane, roots, family } = group
  const shared = { tag, plane, roots, path: '/guardrails/:guardrailId/mcp-servers', query: WorkspaceQuery } as const
  const entry = entryOf(family, 'guardrail_mcp_servers')
  const record = (mappings: readonly GuardrailMapping[]) => ({ mcp_server_mappings: mappings.map(mappingAnswer.of) })
  const told = async (db: Db, { object, mappings }: ShownGuardrail) => ({
    ...entry('update', object),
    before: record(mappings),
    after: record(await listMappings(db, object.id)),
  })
  return [
    defineRoute({
      ...shared,
      method: 'GET',
      summary: 'List the MCP servers of a guardrail',
      etag: true,
      scopes: scopesIn(family)('read'),
      changes: false,
      response: t.Array(mappingAnswer.schema),
      async handle(call) {
        const { mappings } = await reachOwner(group, call, call.params.guardrailId ?? '', 'read')
        return mappings.map(mappingAnswer.of)
      },
    }),
    defineRoute({
      ...shared,
      method: 'PUT',
      summary: 'Set the MCP servers of a guardrail; those that are not listed are taken away',
      scopes: scopesIn(family)('update'),
      changes: true,
      body: McpServers,
      response: Changes,
      async handle(call) {
        const { db, body, audit } = call
        const guardrail = await reachOwner(group, call, call.params.guardrailId ?? '', 'update')
        const wanted = toMappings(body.mcp_servers)
        if (wanted.length > 0) requireTools(guardrail)
        const { id } = guardrail.object
        for (const mapping of wanted) await putMapping(db, id, mapping)
        await removeOtherMappings(
          db,
          id,
          wanted.map(({ mcpServerId }) => mcpServerId),
        )
        audit(await told(db, guardrail))
        return countChanges(guardrail.mappings, wanted)
      },
    }),
    defineRoute({
      ...shared,
      path: `${shared.path}/:mcpServerId`,
      method: 'PUT',
      summary: 'Add an MCP server to a guardrail, or change what of it is looked at',
      scopes: scopesIn(family)('update'),
      changes: true,
      body: McpServer,
      bodyOptional: true,
      response: t.Object({ map_id: Uuid }),
      async handle(call) {
        const { db, body, audit } = call
        const { guardrailId = '', mcpServerId = '' } = call.params
        const guardrail = await reachOwner(group, call, guardrailId, 'update')
        if (!isUuid(mcpServerId)) throw new ManagementNotFound(`There is no MCP server '${mcpServerId}'.`)
        requireTools(guardrail)
        const { id } = await putMapping(db, guardrail.object.id, toMapping(mcpServerId, body))
        audit(await told(db, guardrail))
        return { map_id: id }
      },
    }),
  ]
}

/** @throws ManagementInvalid for a guardrail that would never run on tools */
const requireTools = ({ object }: ShownGuardrail): void => {
  if (object.target === 'mcp_tools') return
  throw invalidField('guardrailId', 'names a guardrail for calls to models: one for tools has the target `mcp_tools`')
}

const toMapping = (mcpServerId: string, body: McpServerBody): NewMapping => ({
  mcpServerId: mcpServerId.toLowerCase(),
  // In one order, so that the same stages are the same.
  runOn: body.run_on.toSorted(),
  capabilityIds: [...new Set(body.mcp_integration_capability_ids.map((id) => id.toLowerCase()))].toSorted(),
})

/** @throws ManagementInvalid for a server that is there twice, in two spellings */
const toMappings = (servers: Readonly<Record<string, McpServerBody>>): readonly NewMapping[] => {
  const wanted = new Map<string, NewMapping>()
  for (const [id, body] of Object.entries(servers)) {
    const mapping = toMapping(id, body)
    if (wanted.has(mapping.mcpServerId)) throw invalidField(`mcp_servers.${id}`, 'is there twice')
    wanted.set(mapping.mcpServerId, mapping)
  }
  return [...wanted.values()]
}

const countChanges = (before: readonly GuardrailMapping[], wanted: readonly NewMapping[]) => {
  const known = new Map(before.map((mapping) => [mapping.mcpServerId, mapping]))
  const added = wanted.filter(({ mcpServerId }) => !known.has(mcpServerId)).length
  const kept = wanted.length - added
  const updated = wanted.filter((mapping) => {
    const earlier = known.get(mapping.mcpServerId)
    return earlier !== undefined && !isSame(earlier, mapping)
  }).length
  const removed = before.length - kept
  return { changed: added + updated + removed > 0, added, updated, removed }
}

const isSame = (one: NewMapping, other: NewMapping): boolean =>
  one.runOn.join() === other.runOn.join() && one.capabilityIds.join() === other.capabilityIds.join()
