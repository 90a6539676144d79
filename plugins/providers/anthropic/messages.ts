import { isRecord, parseJson } from '#kit'
import { type ChatRequest, type Message, wordsOf } from '#kit/provider'
import { carriedBy, loopStart } from './carried.ts'
import { answerPart, blocksOf, textPart } from './content.ts'
import type { ModelTraits } from './models.ts'
import { outputFormatOf } from './output.ts'
import { isThinkingBlock, ownBlocks } from './own-blocks.ts'
import { type Block, cacheMark, type Fields, isAbsent, listAt, recordAt, refuse, stringAt } from './values.ts'

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly content: Block[]
}

/**
 * The conversation as Anthropic's `system` and `messages`: instructions of any place go to `system`, in their order, and
 * neighbours of one role become one turn, so that the results of parallel calls stand together as required.
 * @throws InvalidRequest naming the message that has no counterpart.
 */
export const messagesOf = (request: ChatRequest, traits: ModelTraits): Fields => {
  const system: Block[] = [...blocksOf(request.system, 'system', textPart)]
  const turns: Turn[] = []
  const loop = loopStart(request)
  const add = (role: Turn['role'], blocks: readonly Block[]): void => {
    const last = turns.at(-1)
    if (blocks.length === 0) return
    if (last?.role === role) for (const block of blocks) last.content.push(block)
    else turns.push({ role, content: [...blocks] })
  }
  for (const [index, message] of request.messages.entries()) {
    const fields: Fields = message
    const path = `messages[${index}]`
    switch (fields.role) {
      case 'system':
      case 'developer':
        for (const block of markLast(blocksOf(fields.content, `${path}.content`, textPart), fields)) system.push(block)
        break
      case 'user':
        add('user', markLast(blocksOf(fields.content, `${path}.content`), fields))
        break
      case 'assistant':
        add('assistant', markLast(withoutLastThoughts(assistantBlocks(fields, path, index >= loop)), fields))
        break
      case 'tool':
        add('user', [toolResult(fields, path)])
        break
      default:
        refuse(`${path}.role`, 'must be system, developer, user, assistant or tool.')
    }
  }
  const { instruction } = outputFormatOf(request.response_format, traits)
  if (instruction !== undefined) system.push({ type: 'text', text: instruction })
  if (turns.length === 0) {
    if (system.length === 0) return refuse('messages', 'must hold one that says something.')
    // Refused without a message (issue 30764 of langchain-ai/langchain, read 2026-11-22): instructions alone are the question.
    return { messages: [{ role: 'user', content: system }] }
  }
  ended(turns, traits)
  return { ...(system.length === 0 ? {} : { system }), messages: turns }
}

/** A cache breakpoint on the message is one on its last block. */
const markLast = (blocks: readonly Block[], message: Fields): readonly Block[] => {
  const last = blocks.at(-1)
  return last === undefined ? blocks : [...blocks.slice(0, -1), { ...last, ...cacheMark(message) }]
}

/** @param inLoop the turn belongs to a loop of tools that is going on, whose thinking goes back with it. */
const assistantBlocks = (message: Fields, path: string, inLoop: boolean): readonly Block[] => {
  const own = ownBlocks(message.content_blocks, `${path}.content_blocks`)
  const spoken = own.length > 0 ? own : saidBlocks(message, path)
  if (isAbsent(message.tool_calls)) return spoken
  const known = new Set(spoken.map((block) => (block.type === 'tool_use' ? block.id : undefined)))
  const blocks: Block[] = []
  let unsaid: readonly Block[] = spoken
  const say = (): void => {
    for (const block of unsaid) blocks.push(block)
    unsaid = []
  }
  for (const [index, item] of listAt(message.tool_calls, `${path}.tool_calls`).entries()) {
    const callPath = `${path}.tool_calls[${index}]`
    const call = recordAt(item, callPath)
    if (inLoop && own.length === 0) {
      for (const block of carriedBy(call, `${callPath}.extra_content.anthropic.blocks`)) {
        if (block.type === 'text') say()
        else blocks.push(block)
      }
    }
    say()
    const use = toolUse(call, callPath)
    if (!known.has(use.id)) blocks.push(use)
  }
  say()
  return blocks
}

/** "The final block in an assistant message cannot be `thinking`" (tailcallhq/forgecode #2107, read 2026-11-22). */
const withoutLastThoughts = (blocks: readonly Block[]): readonly Block[] =>
  blocks.slice(0, blocks.findLastIndex((block) => !isThinkingBlock(block)) + 1)

/**
 * A conversation that ends with an answer is answered anew by other providers. Models since 4.6 refuse it ("The conversation must
 * end with a user message", agenticloops-ai/agentic-ai-engineering #43, read 2026-11-22), but for a server tool that paused: they are
 * asked to go on. Those before go on from the answer itself, which must not end in white space ("Prefill Claude's response").
 */
const ended = (turns: Turn[], traits: ModelTraits): void => {
  const last = turns.at(-1)
  const block = last?.content.at(-1)
  if (last?.role !== 'assistant' || block === undefined) return
  if (traits.thinking === 'adaptive') {
    if (block.type === 'text') turns.push({ role: 'user', content: [{ type: 'text', text: 'Continue.' }] })
  } else if (block.type === 'text' && typeof block.text === 'string') {
    last.content[last.content.length - 1] = { ...block, text: block.text.trimEnd() }
  }
}

/** What the turn said: a refused answer has no content, and its words in `refusal`. */
const saidBlocks = (message: Fields, path: string): readonly Block[] => {
  const said = blocksOf(message.content, `${path}.content`, answerPart)
  return said.length > 0 ? said : blocksOf(wordsOf(message as unknown as Message), `${path}.content`)
}

const toolUse = (call: Fields, path: string): Block => {
  const { name, arguments: text } = recordAt(call.function, `${path}.function`)
  return {
    type: 'tool_use',
    id: toolId(call.id, `${path}.id`),
    name: stringAt(name, `${path}.function.name`),
    input: inputOf(text, `${path}.function.arguments`),
    ...cacheMark(call),
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

const toolResult = (message: Fields, path: string): Block => {
  const { content, is_error: isError } = message
  const blocks = typeof content === 'string' ? content : blocksOf(content, `${path}.content`)
  return {
    type: 'tool_result',
    tool_use_id: toolId(message.tool_call_id, `${path}.tool_call_id`),
    ...(blocks.length === 0 ? {} : { content: blocks }),
    ...(typeof isError === 'boolean' ? { is_error: isError } : {}),
    ...cacheMark(message),
  }
}

/** Ids of other providers may hold characters that are refused here; call and result are changed alike. */
const toolId = (value: unknown, path: string): string => {
  const id = stringAt(value, path)
  return id === '' ? refuse(path, 'must not be empty.') : id.replace(/[^a-zA-Z0-9_-]/g, '_')
}
