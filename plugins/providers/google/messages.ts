import type { AdapterContext } from '#kit'
import { type Fields, isRecord, parseObject, refuse, textOf } from './json.ts'
import { textIn, toPart } from './media.ts'
import { wantsSignatures } from './model.ts'

/**
 * Stands in for the signature of a call that never had one: made by another provider, or by a client that dropped it.
 * Without it Gemini 3 answers 400. Page "Thought signatures", part "FAQs", read 2026-11-21.
 */
const NO_SIGNATURE = 'skip_thought_signature_validator'

interface Content {
  readonly role: 'user' | 'model'
  readonly parts: Fields[]
}

/**
 * Messages as `contents` and `systemInstruction`.
 * @param instruction what the model is told besides.
 * @throws InvalidRequest naming the field that Gemini cannot be told.
 */
export const toContents = (messages: unknown, context: AdapterContext, instruction?: string): Fields => {
  if (!Array.isArray(messages)) throw refuse('messages', '`messages` must be an array.')
  const system: Fields[] = []
  const contents: Content[] = []
  const nameByCallId = new Map<string, string>()
  /** Set while tool messages follow each other: their results belong into one turn, as their calls were. */
  let results: Fields[] | undefined
  messages.forEach((message: unknown, index) => {
    const path = `messages[${index}]`
    if (!isRecord(message)) throw refuse(path, 'A message must be an object.')
    if (message.role !== 'tool') results = undefined
    switch (message.role) {
      case 'system':
      case 'developer':
        system.push(...textParts(message.content, `${path}.content`))
        break
      case 'user':
        contents.push({ role: 'user', parts: userParts(message.content, `${path}.content`) })
        break
      case 'assistant':
        contents.push({ role: 'model', parts: assistantParts(message, path, nameByCallId, context.model) })
        break
      case 'tool':
        if (results === undefined) {
          results = []
          contents.push({ role: 'user', parts: results })
        }
        results.push(resultPart(message, path, nameByCallId))
        break
      default:
        throw refuse(`${path}.role`, 'The role of a message must be system, developer, user, assistant or tool.')
    }
  })
  if (instruction !== undefined) system.push({ text: instruction })
  // Gemini refuses a request of instructions alone, which the reference answers: they become the question.
  if (contents.length === 0) return { contents: [{ role: 'user', parts: system }] }
  return { contents, ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }) }
}

const userParts = (content: unknown, path: string): Fields[] => {
  if (typeof content === 'string') return [{ text: content }]
  if (!Array.isArray(content) || content.length === 0) {
    throw refuse(path, 'The content of a message must be a string or a non-empty array of parts.')
  }
  return content.map((part: unknown, index) => toPart(part, `${path}[${index}]`))
}

/** For messages that hold text only: a string or text parts. */
const textParts = (content: unknown, path: string): Fields[] => {
  if (typeof content === 'string') return [{ text: content }]
  if (!Array.isArray(content))
    throw refuse(path, 'The content of this message must be a string or an array of text parts.')
  return content.map((part: unknown, index) => {
    const partPath = `${path}[${index}]`
    if (!isRecord(part)) throw refuse(partPath, 'A content part must be an object.')
    if (part.type === 'text') return { text: textIn(part.text, `${partPath}.text`) }
    if (part.type === 'refusal') return { text: textIn(part.refusal, `${partPath}.refusal`) }
    throw refuse(`${partPath}.type`, 'This message takes text parts only.')
  })
}

const assistantParts = (message: Fields, path: string, names: Map<string, string>, model: string): Fields[] => {
  const parts = spokenParts(message, path)
  const calls = message.tool_calls ?? []
  if (!Array.isArray(calls)) throw refuse(`${path}.tool_calls`, '`tool_calls` must be an array.')
  calls.forEach((call: unknown, index) => {
    const part = callPart(call, `${path}.tool_calls[${index}]`, names)
    // Only the first of parallel calls carries one, so only the first is held to it.
    const needsSignature = index === 0 && part.thoughtSignature === undefined && wantsSignatures(model)
    parts.push(needsSignature ? { ...part, thoughtSignature: NO_SIGNATURE } : part)
  })
  if (parts.length === 0) throw refuse(`${path}.content`, 'An assistant message needs `content` or `tool_calls`.')
  return parts
}

const spokenParts = (message: Fields, path: string): Fields[] => {
  const { content, content_blocks: blocks, refusal } = message
  if (Array.isArray(blocks) && blocks.length > 0) {
    return blocks.map((block: unknown, index) => blockPart(block, `${path}.content_blocks[${index}]`))
  }
  if (blocks !== undefined && blocks !== null && !Array.isArray(blocks)) {
    throw refuse(`${path}.content_blocks`, '`content_blocks` must be an array.')
  }
  if (content !== undefined && content !== null) {
    const hasCalls = Array.isArray(message.tool_calls) && message.tool_calls.length > 0
    return content === '' && hasCalls ? [] : textParts(content, `${path}.content`)
  }
  return typeof refusal === 'string' ? [{ text: refusal }] : []
}

/** A content block of an earlier answer of ours, as the very part that it was made from. */
const blockPart = (block: unknown, path: string): Fields => {
  if (!isRecord(block)) throw refuse(path, 'A content block must be an object.')
  const signature = block.signature ?? undefined
  if (signature !== undefined && typeof signature !== 'string') {
    throw refuse(`${path}.signature`, 'The signature of a content block must be a string.')
  }
  const signed = signature === undefined || signature === '' ? {} : { thoughtSignature: signature }
  if (block.type === 'thinking') return { text: textIn(block.thinking, `${path}.thinking`), thought: true, ...signed }
  if (block.type === 'text') return { text: textIn(block.text, `${path}.text`), ...signed }
  if (block.type === 'image' && isRecord(block.source)) {
    const mimeType = textOf(block.source.media_type)
    const data = textOf(block.source.data)
    if (mimeType !== undefined && data !== undefined) return { inlineData: { mimeType, data }, ...signed }
  }
  throw refuse(`${path}.type`, 'Gemini takes content blocks of the types thinking, text and image (base64).')
}

const callPart = (call: unknown, path: string, names: Map<string, string>): Fields => {
  if (!isRecord(call)) throw refuse(path, 'A tool call must be an object.')
  const id = textOf(call.id)
  const name = isRecord(call.function) ? textOf(call.function.name) : undefined
  const text = isRecord(call.function) ? (call.function.arguments ?? '') : undefined
  if (id === undefined) throw refuse(`${path}.id`, 'A tool call needs its `id`.')
  if (name === undefined || name === '')
    throw refuse(`${path}.function.name`, 'A tool call needs the name of a function.')
  const args = typeof text === 'string' ? parseObject(text.trim() === '' ? '{}' : text) : undefined
  if (args === undefined) {
    throw refuse(`${path}.function.arguments`, 'The arguments of a tool call must be the text of a JSON object.')
  }
  names.set(id, name)
  const signature = signatureOf(call)
  return {
    functionCall: { id, name, args },
    ...(signature === undefined ? {} : { thoughtSignature: signature }),
  }
}

/** Google's own place for it in the reference's format (page "Thought signatures", part "OpenAI compatibility"). */
const signatureOf = ({ extra_content: extra }: Fields): string | undefined => {
  const google = isRecord(extra) ? extra.google : undefined
  const signature = isRecord(google) ? textOf(google.thought_signature) : undefined
  return signature === '' ? undefined : signature
}

const resultPart = (message: Fields, path: string, names: ReadonlyMap<string, string>): Fields => {
  const id = textOf(message.tool_call_id)
  if (id === undefined) throw refuse(`${path}.tool_call_id`, 'A tool message needs its `tool_call_id`.')
  const name = names.get(id) ?? textOf(message.name)
  if (name === undefined) {
    throw refuse(`${path}.tool_call_id`, 'No earlier assistant message has a tool call with this id.')
  }
  const text = textParts(message.content, `${path}.content`)
    .map((part) => part.text)
    .join('')
  return { functionResponse: { id, name, response: parseObject(text) ?? { result: text } } }
}
