import { isRecord } from '../core/json/record.ts'
import type { McpCapabilityType } from '../core/mcp/servers.ts'
import { McpUnreachable } from '../core/mcp/unreachable.ts'
import type { McpServerInfo } from '../store/schema/mcp.ts'
import type { McpConnection } from './connection.ts'
import type { OfferedCapability, SeenServer } from './probe.ts'

type Fields = Readonly<Record<string, unknown>>

/** How the lists of a server are called, and what in them. */
export const LISTS = [
  { type: 'tool', ability: 'tools', method: 'tools/list', field: 'tools', name: 'name' },
  { type: 'prompt', ability: 'prompts', method: 'prompts/list', field: 'prompts', name: 'name' },
  { type: 'resource', ability: 'resources', method: 'resources/list', field: 'resources', name: 'uri' },
  {
    type: 'resource_template',
    ability: 'resources',
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    name: 'uriTemplate',
  },
] as const satisfies readonly { readonly type: McpCapabilityType; readonly [more: string]: string }[]

/** Things of one kind that are kept; a server with more is cut off there. */
const MAX_ITEMS = 5_000
const MAX_PAGES = 100

/** Asks a server for all that it offers. @throws McpUnreachable; a catalogue error */
export const lookAround = async (connection: McpConnection): Promise<SeenServer> => {
  const { server } = connection
  const abilities = isRecord(server.capabilities) ? server.capabilities : {}
  const capabilities: OfferedCapability[] = []
  for (const { type, ability, method, field } of LISTS) {
    if (abilities[ability] === undefined) continue
    const items = await listAll(connection, method, field).catch((thrown: unknown) => {
      // Many servers have resources and no templates, and say so by refusing to list them.
      if (type === 'resource_template' && thrown instanceof McpUnreachable && thrown.status === undefined) return []
      throw thrown
    })
    capabilities.push(...offeredIn(type, items))
  }
  return { info: toInfo(server), capabilities }
}

const listAll = async (connection: McpConnection, method: string, field: string): Promise<readonly unknown[]> => {
  const items: unknown[] = []
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES && items.length < MAX_ITEMS; page++) {
    const result = await connection.request(method, cursor === undefined ? {} : { cursor })
    const found = result[field]
    if (Array.isArray(found)) items.push(...found)
    cursor = result.nextCursor
    if (typeof cursor !== 'string' || cursor === '') break
  }
  return items.slice(0, MAX_ITEMS)
}

/** Longest name that calls may use. */
const MAX_NAME_CHARACTERS = 2048

/** What a list of a server holds, each once. */
export const offeredIn = (type: McpCapabilityType, items: readonly unknown[]): readonly OfferedCapability[] => {
  const { name: key } = LISTS.find((list) => list.type === type) ?? LISTS[0]
  const offered = new Map<string, OfferedCapability>()
  for (const item of items) {
    if (!isRecord(item)) continue
    const { [key]: name, ...definition } = item
    if (typeof name !== 'string' || name === '' || name.length > MAX_NAME_CHARACTERS || name.includes('\0')) continue
    offered.set(name, { type, name, definition })
  }
  return [...offered.values()]
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const toInfo = ({ serverInfo, protocolVersion, capabilities, instructions }: Fields): McpServerInfo => {
  const info = isRecord(serverInfo) ? serverInfo : {}
  const found = {
    name: text(info.name),
    version: text(info.version),
    title: text(info.title),
    description: text(info.description),
    websiteUrl: text(info.websiteUrl),
    icons: Array.isArray(info.icons) ? info.icons : undefined,
    protocolVersion: text(protocolVersion),
    capabilities: isRecord(capabilities) ? capabilities : undefined,
    instructions: text(instructions),
  }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined))
}
