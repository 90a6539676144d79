import { isRecord, parseJson } from '#kit'
import { type ChatRequest, type Message, shortId, wordsOf } from '#kit/provider'
import { loopStart } from '../anthropic/carried.ts'
import { type Fields, isAbsent, listAt, recordAt, refuse, stringAt } from '../anthropic/values.ts'
import { answerPart, type Block, blocksOf, type ContentRules, cachePointOf, textPart } from './content.ts'
import { type BedrockModel, claudeOf } from './models.ts'
import { ownReasoning, reasoningCarriedBy } from './reasoning.ts'

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: Block[]
}

/**
 * The conversation as `system` and `messages` of Converse: instructions of any place go to `system`, in their order, and
 * neighbours of one role become one turn, since roles must alternate.
 * @param instruction what the model is told besides
 * @throws InvalidRequest naming the message that has no counterpart
 */
export const messagesOf = (
  request: ChatRequest,
  model: BedrockModel,
  rules: ContentRules,
  instruction?: string,
): { readonly system?: readonly Block[]; readonly messages: readonly Turn[] } => {
  const system: Block[] = blocksOf(request.system, 'system', rules, textPart)
  const turns: Turn[] = []
  const loop = loopStart(request)
  const add = (role: Turn['role'], blocks: readonly Block[]): void => {
    const last = turns.at(-1)
    if (blocks.length === 0) return
    if (last?.role === role) last.content.push(...blocks)
    else turns.push({ role, content: [...blocks] })
  }
  for (const [index, message] of request.messages.entries()) {
    const fields: Fields = message
    const path = `messages[${index}]`
    const marked = (blocks: readonly Block[]): readonly Block[] =>
      blocks.length === 0 ? blocks : [...blocks, ...cachePointOf(fields, rules)]
    switch (fields.role) {
      case 'system':
      case 'developer':
        system.push(...marked(blocksOf(fields.content, `${path}.content`, rules, textPart)))
        break
      case 'user':
        add('user', marked(blocksOf(fields.content, `${path}.content`, rules)))
        break
      case 'assistant':
        add('assistant', marked(assistantBlocks(fields, path, model, rules, index >= loop)))
        break
      case 'tool':
        add('user', marked([toolResult(fields, path, rules)]))
        break
      default:
        refuse(`${path}.role`, 'must be system, developer, user, assistant or tool.')
    }
  }
  if (instruction !== undefined) system.push({ text: instruction })
  return { ...ended(turns, system, model) }
}

/**
 * A conversation begins with the user ("A conversation must start with a user message", langgenius/dify #12340,
 * read 2026-11-22), and ends with one but for models of Claude that go on from their own words.
 */
const ended = (turns: Turn[], system: readonly Block[], model: BedrockModel) => {
  if (turns.length === 0) {
    if (system.length === 0) return refuse('messages', 'must hold one that says something.')
    // Instructions alone are the question.
    return { messages: [{ role: 'user' as const, content: [...system] }] }
  }
  const GO_ON: Block = { text: 'Continue.' }
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: [GO_ON] })
  const last = turns.at(-1)
  const block = last?.content.at(-1)
  if (last?.role === 'assistant' && block !== undefined && typeof block.text === 'string') {
    const claude = claudeOf(model)
    if (claude === undefined || claude.thinking === 'adaptive') turns.push({ role: 'user', content: [GO_ON] })
    else last.content[last.content.length - 1] = { text: block.text.trimEnd() }
  }
  return system.length === 0 ? { messages: turns } : { system, messages: turns }
}

/** @param inLoop the turn belongs to a loop of tools that is going on, whose reasoning goes back with it */
const assistantBlocks = (
  message: Fields,
  path: string,
  model: BedrockModel,
  rules: ContentRules,
  inLoop: boolean,
): readonly Block[] => {
  const calls = isAbsent(message.tool_calls) ? [] : listAt(message.tool_calls, `${path}.tool_calls`)
  const own = ownReasoning(message.content_blocks, `${path}.content_blocks`, model)
  const carried = calls.flatMap((call, index) =>
    inLoop && isRecord(call) ? reasoningCarriedBy(call, `${path}.tool_calls[${index}]`, model) : [],
  )
  const reasoning = own.length > 0 ? own : carried
  const said = saidBlocks(message, path, rules)
  const uses = calls.flatMap((call, index) => {
    const callPath = `${path}.tool_calls[${index}]`
    const fields = recordAt(call, callPath)
    return [toolUse(fields, callPath), ...cachePointOf(fields, rules)]
  })
  // A turn must not be reasoning alone.
  return said.length + uses.length === 0 ? [] : [...reasoning, ...said, ...uses]
}

/** What the turn said: a refused answer has no content, and its words in `refusal`. */
const saidBlocks = (message: Fields, path: string, rules: ContentRules): readonly Block[] => {
  const said = blocksOf(message.content, `${path}.content`, rules, answerPart)
  return said.length > 0 ? said : blocksOf(wordsOf(message as unknown as Message), `${path}.content`, rules)
}

const toolUse = (call: Fields, path: string): Block => {
  const { name, arguments: text } = recordAt(call.function, `${path}.function`)
  return {
    toolUse: {
      toolUseId: toolId(call.id, `${path}.id`),
      name: stringAt(name, `${path}.function.name`),
      input: inputOf(text, `${path}.function.arguments`),
    },
  }
}

const inputOf = (text: unknown, path: string): Fields => {
  // Some providers write the call of a function without parameters with no arguments at all.
  if (isAbsent(text) || text === '') return {}
  const input = parsed(stringAt(text, path))
  // A model wrote it, cut short perhaps: it stays readable, and the call stays with its result.
  return isRecord(input) ? input : { arguments: text }
}

const parsed = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const toolResult = (message: Fields, path: string, rules: ContentRules): Block => ({
  toolResult: {
    toolUseId: toolId(message.tool_call_id, `${path}.tool_call_id`),
    content: blocksOf(message.content, `${path}.content`, rules),
    ...(message.is_error === true ? { status: 'error' } : {}),
  },
})

/** Ids of other providers may be longer, or hold characters that are refused here; call and result are changed alike. */
const toolId = (value: unknown, path: string): string => {
  const id = stringAt(value, path)
  if (id === '') return refuse(path, 'must not be empty.')
  return /^[a-zA-Z0-9_-]{1,64}$/.test(id) ? id : `tooluse_${shortId(id)}`
}
