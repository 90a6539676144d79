import type { Unit, Units } from '#core/usage'
import { type AnswerForm, type EventNote, isRecord, parseJson, type StreamWatch, type Usage } from '#kit'
import { isImpossible, type ResponsesReply, tokenCount } from '#kit/provider'
import { writeEvent } from './events.ts'
import { toEvents } from './whole-events.ts'

type Fields = Readonly<Record<string, unknown>>

/** Whole responses, and the streams that they could have been. */
export const responseAnswers: AnswerForm = {
  read: (body) => (isWhole(body) ? { answer: body, chunks: () => toEvents(body) } : undefined),
  collector: () => {
    let whole: unknown
    return {
      add({ type, response }) {
        if (typeof type !== 'string') throw new Error('an event has no type')
        if (type === 'error' || type === 'response.failed') throw new Error('the response has failed')
        if (ENDS.has(type)) whole = response
      },
      whole() {
        if (!isWhole(whole)) throw new Error('the stream told no whole response')
        return whole
      },
    }
  },
  write: writeEvent,
  last: '',
  watch: () => watchEvent,
}

/** Events with the whole response in them. */
const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete'])

/** One that is kept must not be one that goes on somewhere else. */
const isWhole = (body: unknown): body is ResponsesReply & Record<string, unknown> =>
  isRecord(body) &&
  body.object === 'response' &&
  typeof body.id === 'string' &&
  (body.status === 'completed' || body.status === 'incomplete') &&
  Array.isArray(body.output) &&
  body.output.every((item: unknown) => isRecord(item) && typeof item.type === 'string')

/** Only announce the answer: `queued` stands for one that a provider works on in the background. */
const SILENT: ReadonlySet<string> = new Set(['response.created', 'response.in_progress', 'keepalive'])

const ADDED = '"response.output_item.added"'

/** Follows a stream of a provider's own. Most events are deltas, of which only the length of their text is looked for. */
const watchEvent: StreamWatch = ({ event, data }) => {
  if (data === '[DONE]') return { isSilent: true }
  const body: unknown = parseJson(data)
  if (!isRecord(body)) return undefined
  const type = typeof body.type === 'string' ? body.type : (event ?? '')
  if (type.endsWith('.delta')) {
    return typeof body.delta === 'string' ? { textBytes: Buffer.byteLength(body.delta) } : undefined
  }
  if (SILENT.has(type) || data.includes(ADDED)) return { isSilent: true }
  if (type === 'error' || (type === '' && isRecord(body.error))) return { error: errorBody(body) }
  return isRecord(body.response) ? noteOf(type, body.response) : undefined
}

const noteOf = (type: string, response: Fields): EventNote | undefined => {
  if (type === 'response.failed') {
    return { usage: responsesUsage(response), answer: response, error: { error: response.error }, isShown: true }
  }
  if (ENDS.has(type) || type === 'response.cancelled')
    return { usage: responsesUsage(response), answer: response, isEnd: true }
  return undefined
}

/** OpenAI's own stream has the error in `error`, its reference has it beside the type. */
const errorBody = ({ type: _, sequence_number: _number, error, ...fields }: Fields): unknown =>
  isRecord(error) ? { error } : { error: fields }

/** Usage that a response reports. */
export const responsesUsage = ({ usage, output: items }: Fields): Usage | undefined => {
  if (!isRecord(usage)) return undefined
  const { input_tokens: input, output_tokens: output, total_tokens: total } = usage
  if (isImpossible(input) || isImpossible(output) || isImpossible(total)) return undefined
  const inputTokens = tokenCount(input)
  const outputTokens = tokenCount(output)
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  const sum = (inputTokens ?? 0) + (outputTokens ?? 0)
  const units = toolsUsed(items)
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    totalTokens: Math.max(tokenCount(total) ?? 0, sum),
    ...part('cachedInputTokens', usage.input_tokens_details, 'cached_tokens'),
    ...part('cacheWriteTokens', usage.input_tokens_details, 'cache_write_tokens'),
    ...part('reasoningTokens', usage.output_tokens_details, 'reasoning_tokens'),
    ...(units === undefined ? {} : { units }),
  }
}

/** Tools that the provider runs and bills by the call. */
const BILLED_TOOLS: ReadonlyMap<unknown, Unit> = new Map([
  ['web_search_call', 'web_search'],
  ['file_search_call', 'file_search'],
  ['code_interpreter_call', 'code_interpreter'],
])

const toolsUsed = (items: unknown): Units | undefined => {
  if (!Array.isArray(items)) return undefined
  let units: Partial<Record<Unit, number>> | undefined
  for (const item of items) {
    const unit = isRecord(item) ? BILLED_TOOLS.get(item.type) : undefined
    if (unit === undefined) continue
    units ??= {}
    units[unit] = (units[unit] ?? 0) + 1
  }
  return units
}

const part = (name: keyof Usage, details: unknown, field: string): Partial<Usage> => {
  const count = isRecord(details) ? tokenCount(details[field]) : undefined
  return count === undefined ? {} : { [name]: count }
}
