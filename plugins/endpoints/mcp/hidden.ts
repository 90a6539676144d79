import type { Message } from '#core/mcp/json-rpc'
import type { McpCapabilityType, McpTarget } from '#core/mcp/servers'
import { isRecord } from '#kit'

type Fields = Readonly<Record<string, unknown>>

/** Something that a message is about. */
export interface Named {
  readonly type: McpCapabilityType
  readonly name: string
}

const named = (type: McpCapabilityType, name: unknown): Named | undefined =>
  typeof name === 'string' ? { type, name } : undefined

const ofTool = ({ name }: Fields): Named | undefined => named('tool', name)
const ofPrompt = ({ name }: Fields): Named | undefined => named('prompt', name)
const ofResource = ({ uri }: Fields): Named | undefined => named('resource', uri)
const ofReference = ({ ref }: Fields): Named | undefined => {
  if (!isRecord(ref)) return undefined
  return ref.type === 'ref/prompt' ? named('prompt', ref.name) : named('resource_template', ref.uri)
}

/** Methods that are about something of a server, with where they name it. */
export const NAMING: ReadonlyMap<string, (params: Fields) => Named | undefined> = new Map([
  ['tools/call', ofTool],
  ['prompts/get', ofPrompt],
  ['resources/read', ofResource],
  ['resources/subscribe', ofResource],
  ['resources/unsubscribe', ofResource],
  ['completion/complete', ofReference],
])

/** What a message names. Undefined for one that is about nothing in particular. */
export const namedBy = (message: Message): Named | undefined =>
  message.kind === 'answer' ? undefined : NAMING.get(message.method)?.(message.params)

/** Whether nobody may use it here: it is in no list, and as good as not there. */
export const isHidden = (target: McpTarget, { type, name }: Named): boolean => {
  const known = target.capability(type, name)
  if (known !== undefined) return !known.isUsable
  return type === 'resource' && target.isFromHiddenTemplate(name)
}

/** What a server lists, by the method that asks for it. */
export const LISTED: ReadonlyMap<
  string,
  { readonly type: McpCapabilityType; readonly field: string; readonly key: string }
> = new Map([
  ['tools/list', { type: 'tool', field: 'tools', key: 'name' }],
  ['prompts/list', { type: 'prompt', field: 'prompts', key: 'name' }],
  ['resources/list', { type: 'resource', field: 'resources', key: 'uri' }],
  ['resources/templates/list', { type: 'resource_template', field: 'resourceTemplates', key: 'uriTemplate' }],
] as const)

/**
 * The list of a server without what nobody may use.
 * @returns the result itself, where nothing is left out
 */
export const withoutHidden = (target: McpTarget, method: string, result: Fields): Fields => {
  const list = LISTED.get(method)
  if (list === undefined) return result
  const { type, field, key } = list
  const items = result[field]
  if (!Array.isArray(items)) return result
  const shown = items.filter((item: unknown) => {
    const name = isRecord(item) ? item[key] : undefined
    return typeof name !== 'string' || !isHidden(target, { type, name })
  })
  return shown.length === items.length ? result : { ...result, [field]: shown }
}

/** The things that a list has. */
export const itemsOf = (method: string, result: Fields): readonly Fields[] => {
  const items = result[LISTED.get(method)?.field ?? '']
  return Array.isArray(items) ? items.filter(isRecord) : []
}
