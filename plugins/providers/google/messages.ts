import { defined, isRecord } from '#kit'
import { type AdapterContext, type Message, wordsOf } from '#kit/provider'
import { type Fields, parseObject, refuse, textOf } from './json.ts'
import { textIn, toPart } from './media.ts'
import { wantsSignatures } from './model.ts'
import { createResults, type Results } from './results.ts'

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
 * Messages as `contents` and `systemInstruction`. Neighbours of one role become one turn, and one that says nothing (a filtered
 * answer, sent back as it came) is left out: "contents.parts must not be empty", and "function call turn comes immediately after
 * a user turn" (issues 3775 of vercel/ai and 11814 of google-gemini/gemini-cli, read 2026-11-22).
 * @param instruction what the model is told besides.
 * @throws InvalidRequest naming the field that Gemini cannot be told.
 */
export const toContents = (messages: unknown, context: AdapterContext, instruction?: string): Fields => {
  if (!Array.isArray(messages)) throw refuse('messages', '`messages` must be an array.')
  const system: Fields[] = []
  const contents: Content[] = []
  const nameByCallId = new Map<string, string>()
  /** The turn of results that neighbouring tool messages make, as their calls were one turn. */
  let results: Results | undefined
  const add = (role: Content['role'], parts: Fields[]): void => {
    const last = contents.at(-1)
    if (parts.length === 0) return
    if (last?.role === role && last.parts !== results?.parts) last.parts.push(...parts)
    else contents.push({ role, parts: [...parts] })
  }
  messages.forEach((message: unknown, index) => {
    const path = `messages[${index}]`
    if (!isRecord(message)) throw refuse(path, 'A message must be an object.')
    if (message.role === 'system' || message.role === 'developer') {
      system.push(...textParts(message.content, `${path}.content`))
      return
    }
    if (message.role === 'tool') {
      if (results === undefined) {
        results = createResults()
        contents.push({ role: 'user', parts: results.parts })
      }
      results.add(message, path, nameByCallId, context.model)
      return
    }
    results?.close()
    switch (message.role) {
      case 'user':
        add('user', userParts(message.content, `${path}.content`))
        break
      case 'assistant':
        add('model', assistantParts(message, path, nameByCallId, context.model))
        break
      default:
        throw refuse(`${path}.role`, 'The role of a message must be system, developer, user, assistant or tool.')
    }
    results = undefined
  })
  results?.close()
  if (instruction !== undefined) system.push({ text: instruction })
  // Gemini refuses a request of instructions alone, which the reference answers: they become the question.
  if (contents.length === 0) {
    if (system.length === 0) throw refuse('messages', '`messages` must hold one that says something.')
    return { contents: [{ role: 'user', parts: system }] }
  }
  frame(contents)
  return { contents, ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }) }
}

/**
 * A conversation that begins with a call, or ends with an answer, gets a user's turn there: both are refused ("function call
 * turn comes immediately after a user turn", issue 11814 of google-gemini/gemini-cli; pull request 6973 of crewAIInc/crewAI,
 * read 2026-11-22).
 */
const frame = (contents: Content[]): void => {
  const calls = ({ role, parts }: Content): boolean => role === 'model' && parts.some((part) => 'functionCall' in part)
  const [first] = contents
  const last = contents.at(-1)
  if (first !== undefined && calls(first)) contents.unshift({ role: 'user', parts: [{ text: 'Begin.' }] })
  if (last?.role === 'model' && !calls(last)) contents.push({ role: 'user', parts: [{ text: 'Continue.' }] })
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
  if (typeof content === 'string') return content === '' ? [] : [{ text: content }]
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
  return parts
}

const spokenParts = (message: Fields, path: string): Fields[] => {
  const { content, content_blocks: blocks } = message
  if (blocks !== undefined && blocks !== null && !Array.isArray(blocks)) {
    throw refuse(`${path}.content_blocks`, '`content_blocks` must be an array.')
  }
  const own = (blocks ?? []).flatMap((block: unknown, index) => blockParts(block, `${path}.content_blocks[${index}]`))
  if (own.length > 0) return own
  const said = content === undefined || content === null ? [] : answerParts(content, `${path}.content`)
  if (said.length > 0) return said
  const words = wordsOf(message as unknown as Message)
  return words === '' ? [] : [{ text: words }]
}

/** What has no text, of another provider's answer, is left out. */
const answerParts = (content: unknown, path: string): Fields[] =>
  textParts(
    Array.isArray(content)
      ? content.filter((part) => !isRecord(part) || part.type === 'text' || part.type === 'refusal')
      : content,
    path,
  )

/**
 * A content block of an earlier answer of ours, as the very part that it was made from. Of another provider's answer only the
 * text is left: a foreign `signature` is refused ("Invalid thought signature", lbjlaq/Antigravity-Manager #3342, read 2026-11-22).
 */
const blockParts = (block: unknown, path: string): Fields[] => {
  if (!isRecord(block)) throw refuse(path, 'A content block must be an object.')
  const signature = signatureOf(block)
  const signed = signature === undefined ? {} : { thoughtSignature: signature }
  if (block.type === 'text') {
    const text = textIn(block.text, `${path}.text`)
    return text === '' && signature === undefined ? [] : [{ text, ...signed }]
  }
  if (block.type === 'thinking') {
    const isForeign = block.signature !== undefined
    return isForeign ? [] : [{ text: textIn(block.thinking, `${path}.thinking`), thought: true, ...signed }]
  }
  if (block.type !== 'image' || !isRecord(block.source)) return []
  const mimeType = textOf(block.source.media_type)
  const data = textOf(block.source.data)
  return mimeType === undefined || data === undefined ? [] : [{ inlineData: { mimeType, data }, ...signed }]
}

const callPart = (call: unknown, path: string, names: Map<string, string>): Fields => {
  if (!isRecord(call)) throw refuse(path, 'A tool call must be an object.')
  const id = textOf(call.id)
  const name = isRecord(call.function) ? textOf(call.function.name) : undefined
  const text = isRecord(call.function) ? (call.function.arguments ?? '') : undefined
  if (id === undefined) throw refuse(`${path}.id`, 'A tool call needs its `id`.')
  if (name === undefined || name === '')
    throw refuse(`${path}.function.name`, 'A tool call needs the name of a function.')
  if (typeof text !== 'string') {
    throw refuse(`${path}.function.arguments`, 'The arguments of a tool call must be the text of a JSON object.')
  }
  // What a model wrote that is no object, cut short perhaps, stays readable, and the call stays with its result.
  const args = parseObject(text.trim() === '' ? '{}' : text) ?? { arguments: text }
  names.set(id, name)
  const signature = signatureOf(call)
  return defined({ functionCall: { id, name, args }, thoughtSignature: signature })
}

/** Google's own place for it in the reference's format (page "Thought signatures", part "OpenAI compatibility"). */
const signatureOf = ({ extra_content: extra }: Fields): string | undefined => {
  const google = isRecord(extra) ? extra.google : undefined
  const signature = isRecord(google) ? textOf(google.thought_signature) : undefined
  return signature === '' ? undefined : signature
}
