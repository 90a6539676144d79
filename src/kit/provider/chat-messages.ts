import { isRecord } from '../../core/json/record.ts'
import { type ChatFields, FOREIGN_MESSAGE_FIELDS, OPENAI_TOOL_FIELDS } from './chat-fields.ts'
import { withToolMessages } from './chat-forms.ts'
import { type AnswerForms, answerForms, earlierAnswer } from './earlier-answer.ts'
import { mapChanged } from './map-changed.ts'
import type { ChatRequest, Message } from './openai.ts'
import type { ParamRule } from './params.ts'
import type { AdapterContext } from './provider.ts'
import { type StrictSubset, strictTool } from './strict-schema.ts'
import { type ToolIdForm, withToolIds } from './tool-ids.ts'
import { withTextResults } from './tool-results.ts'

/** How the messages of a chat go to a host of OpenAI's format. */
export interface MessageOptions {
  readonly takes?: ChatFields | undefined
  /** True where a host that the call itself named may be any server of this format, whose fields nobody knows. */
  readonly openElsewhere?: boolean | undefined
  /** False for a host that does not know the role `developer`. */
  readonly developerRole: boolean
  /** Field in which the host takes the reasoning of an earlier answer; the other names for it become this one. */
  readonly reasoning?: string | undefined
  /** Ids of tool calls that the host takes, where it does not take all. */
  readonly toolIds?: ToolIdForm | undefined
  /** What is left to do for this host alone, after all else. Gives the same list back where nothing changes. */
  readonly adapt?: AdaptMessages | undefined
}

export type AdaptMessages = (
  messages: readonly Message[],
  request: ChatRequest,
  context: AdapterContext,
  report: Report,
) => readonly Message[]

type Report = (part: string) => void
type Fields = Readonly<Record<string, unknown>>

/** Decides on one field: true when the host takes it. */
type Takes = (name: string) => boolean

const REASONING_FIELDS: readonly string[] = ['reasoning_content', 'reasoning']

/**
 * The rule for `messages`. It gives the list itself back when no message changes, so that the bytes of the request may pass.
 * Fields that are left out are named (`messages[].name`) when they said something.
 */
export const messagesRule = (options: MessageOptions): ParamRule<ChatRequest, readonly Message[]> => {
  const { developerRole, reasoning, toolIds, adapt } = options
  const listed = rolesOf(options.takes)
  const open = rolesOf(undefined)
  return (messages, request, context, report) => {
    // Whatever is no list of objects is the host's to refuse, in its own words.
    if (!Array.isArray(messages)) return { messages }
    const isOpen = options.openElsewhere === true && context.customHost === true
    const takes = isOpen ? open : listed
    const asked = takes.functionCalls ? (messages as readonly Message[]) : withToolMessages(messages)
    const adapted = mapChanged(asked, (message) => {
      if (!isRecord(message)) return message
      const named = message.role === 'developer' && !developerRole ? { ...message, role: 'system' as const } : message
      const spoken = named.role === 'assistant' && reasoning !== undefined ? withReasoning(named, reasoning) : named
      const sent = withTaken(spoken, takes, report)
      const said = named.role === 'assistant' ? earlierAnswer(sent, message, takes.forms, report) : sent
      return takes.stringContent ? withStringContent(said) : said
    })
    if (isOpen || options.takes === undefined)
      return { messages: adapt?.(adapted, request, context, report) ?? adapted }
    const results = withTextResults(adapted)
    const named = toolIds === undefined ? results : withToolIds(results, toolIds)
    return { messages: adapt?.(named, request, context, report) ?? named }
  }
}

/** The rule for `tools`: fields that are known to be foreign are left out, and strict functions are what the host takes. */
export const toolsRule = (
  { takes, openElsewhere }: MessageOptions,
  strict?: StrictSubset,
): ParamRule<ChatRequest, readonly unknown[]> => {
  const inner = innerOf(takes)
  return (tools, _request, context, report) => {
    if (!Array.isArray(tools) || (openElsewhere === true && context.customHost === true)) return { tools }
    const adapted = mapChanged(tools as readonly unknown[], (tool) => {
      const plain = without(tool, inner, 'tools[]', report)
      return strict === undefined ? plain : strictTool(plain, strict, report)
    })
    return { tools: adapted }
  }
}

interface RoleFields {
  readonly ofRole: (role: string) => Takes
  readonly inner: Takes
  readonly forms: AnswerForms
  readonly stringContent: boolean
  /** False for a host that does not know calls of functions in the older form. */
  readonly functionCalls: boolean
}

const rolesOf = (takes: ChatFields | undefined): RoleFields => {
  const { system, user, assistant, tool } = takes?.messages ?? {}
  const byRole = new Map([
    ['system', takesOf(takes, system)],
    ['developer', takesOf(takes, system)],
    ['user', takesOf(takes, user)],
    ['assistant', takesOf(takes, assistant)],
    ['tool', takesOf(takes, tool)],
    ['function', takesOf(takes, tool)],
  ])
  const other = takesOf(takes, [])
  return {
    ofRole: (role) => byRole.get(role) ?? other,
    inner: innerOf(takes),
    forms: answerForms(takes),
    stringContent: takes?.stringContent === true,
    functionCalls: takes === undefined || takes.messages.assistant.includes('function_call'),
  }
}

/** `content_blocks` is Weir's own (see openai.ts) and goes nowhere. */
const takesOf = (takes: ChatFields | undefined, names: readonly string[] | undefined): Takes => {
  if (takes === undefined) return (name) => name !== 'content_blocks'
  const listed = new Set(names)
  if (takes.unknown === 'refused') return (name) => listed.has(name)
  return (name) => listed.has(name) || !(FOREIGN_MESSAGE_FIELDS.has(name) || name === 'content_blocks')
}

/** Inside of parts, tool calls and tools only what is known to be foreign is left out: their own fields are many. */
const innerOf = (takes: ChatFields | undefined): Takes => {
  if (takes === undefined) return () => true
  const listed = new Set([...OPENAI_TOOL_FIELDS, ...(takes.inner ?? [])])
  return (name) => listed.has(name) || !FOREIGN_INNER_FIELDS.has(name)
}

/** `thinking` is what a part of that type is about; `index` comes from clients that join the pieces of a stream. */
const FOREIGN_INNER_FIELDS: ReadonlySet<string> = new Set([
  ...[...FOREIGN_MESSAGE_FIELDS].filter((name) => name !== 'thinking'),
  'index',
])

const withTaken = (message: Message, takes: RoleFields, report: Report): Message => {
  const fields = takes.ofRole(message.role)
  let changed: Record<string, unknown> | undefined
  for (const name in message) {
    if (name === 'role') continue
    const value = message[name]
    if (name !== 'content' && !fields(name)) {
      changed ??= { ...message }
      delete changed[name]
      if (saysSomething(value)) report(`messages[].${name}`)
      continue
    }
    if (!Array.isArray(value)) continue
    const place = name === 'content' ? 'content' : name === 'tool_calls' ? 'tool_calls' : undefined
    if (place === undefined) continue
    const items = mapChanged(value, (item: unknown) => without(item, takes.inner, `messages[].${place}[]`, report))
    if (items === value) continue
    changed ??= { ...message }
    changed[name] = items
  }
  // Only fields that the message may lack were taken away.
  return changed === undefined ? message : (changed as Message)
}

/** The texts of an answer go on from one another; those of anybody else stand for themselves. */
const withStringContent = (message: Message): Message => {
  const { content } = message
  // "missing field `content`" (400 of DeepSeek, pig-mesh/deepseek4j #41, read 2026-11-22).
  if (content === undefined) return { ...message, content: message.role === 'assistant' ? null : '' }
  if (!Array.isArray(content)) return message
  const texts = content.map((part: unknown) => (isRecord(part) && part.type === 'text' ? part.text : undefined))
  if (!texts.every((text) => typeof text === 'string')) return message
  return { ...message, content: texts.join(message.role === 'assistant' ? '' : '\n') }
}

const without = <Item>(item: Item, takes: Takes, place: string, report: Report): Item => {
  if (!isRecord(item)) return item
  let changed: Record<string, unknown> | undefined
  for (const name in item) {
    if (takes(name)) continue
    changed ??= { ...(item as Fields) }
    delete changed[name]
    if (name !== 'index' && saysSomething(item[name])) report(`${place}.${name}`)
  }
  return changed === undefined ? item : (changed as Item)
}

/** An answer that some other host gave under another name. Of two that say the same, one is enough. */
const withReasoning = (message: Message, field: string): Message => {
  const others = REASONING_FIELDS.filter((name) => name !== field && Object.hasOwn(message, name))
  if (others.length === 0) return message
  const changed: Record<string, unknown> = { ...message }
  for (const name of others) {
    if (typeof changed[name] === 'string' && typeof changed[field] !== 'string') changed[field] = changed[name]
    delete changed[name]
  }
  return changed as Message
}

/** A client that sends an answer back as it came sends empty fields with it; leaving those out loses nothing. */
const saysSomething = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
