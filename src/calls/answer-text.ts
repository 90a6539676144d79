import { isRecord } from '../core/json/record.ts'

/** Fields of answers and of events of streams whose text a model wrote, in the forms of OpenAI, Anthropic and Google. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  'arguments',
  'completion',
  'content',
  'partial_json',
  'refusal',
  'text',
  'thinking',
  'transcript',
])

/** Names of the reasoning: hosts give it under one of them, or under both. */
const REASONING_FIELDS: ReadonlySet<string> = new Set(['reasoning', 'reasoning_content'])

/** Say again, in parts, what stands beside them; some hosts say it there alone. */
const REPEATING_FIELDS: ReadonlySet<string> = new Set(['content_blocks', 'reasoning_details'])

/** Arguments of a tool that are given as an object. */
const ARGUMENT_FIELDS: ReadonlySet<string> = new Set(['args', 'input'])

/** Begins the events of OpenAI's Responses, whose texts come in `delta`, and once more as a whole in events at their ends. */
const RESPONSES_EVENT = 'response.'

/**
 * Bytes of text that a model wrote, in UTF-8, in a whole answer or in one event of a stream: content, reasoning, refusals and
 * arguments of tools, of all choices.
 */
export const answerTextBytes = (body: unknown): number => {
  if (!isRecord(body) || typeof body.type !== 'string' || !body.type.startsWith(RESPONSES_EVENT))
    return bytesIn(body, MAX_DEPTH)
  return typeof body.delta === 'string' ? Buffer.byteLength(body.delta) : 0
}

/** No answer has text any deeper: what a provider nests must not outgrow the stack. */
const MAX_DEPTH = 64

const bytesIn = (value: unknown, depth: number): number => {
  if (depth === 0) return 0
  if (Array.isArray(value)) {
    // A vector may be long, and has no text in it.
    return typeof value[0] === 'object' ? value.reduce<number>((sum, item) => sum + bytesIn(item, depth - 1), 0) : 0
  }
  if (!isRecord(value)) return 0
  let text = 0
  let reasoning = 0
  let repeated = 0
  for (const [name, field] of Object.entries(value)) {
    if (typeof field === 'string') {
      if (TEXT_FIELDS.has(name)) text += Buffer.byteLength(field)
      else if (REASONING_FIELDS.has(name)) reasoning = Math.max(reasoning, Buffer.byteLength(field))
    } else if (typeof field === 'object' && field !== null) {
      if (REPEATING_FIELDS.has(name)) repeated += bytesIn(field, depth - 1)
      else if (ARGUMENT_FIELDS.has(name)) text += Buffer.byteLength(JSON.stringify(field))
      else text += bytesIn(field, depth - 1)
    }
  }
  return Math.max(text + reasoning, repeated)
}
