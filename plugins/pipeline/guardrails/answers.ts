import { eventsOf } from '#calls/events-of'
import type { HookResults } from '#core/guardrails'
import { HeaderList } from '#core/header-fields'
import { type Answer, type Call, fromPieces, isRecord, isStreamed } from '#kit'

type Fields = Readonly<Record<string, unknown>>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The object that a whole answer is the JSON of. Undefined for anything else. */
export const parsedAnswer = (bytes: Uint8Array): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes))
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const bytesOfAnswer = (body: Fields): Uint8Array => encoder.encode(JSON.stringify(body))

const CLOSE = 0x7d
const EMPTY = /^\s*\{\s*$/

/** A whole answer that says what guardrails came to, behind all that it says itself. What is no JSON object stays. */
export const withHookResults = (answer: Answer, results: HookResults): void => {
  const { body } = answer
  const isJson = /^application\/json\b/i.test(answer.headers.get('content-type') ?? '')
  if (!isJson || !(body instanceof Uint8Array)) return
  const end = body.lastIndexOf(CLOSE)
  if (end === -1 || parsedAnswer(body) === undefined) return
  const isEmpty = EMPTY.test(decoder.decode(body.subarray(0, end)))
  const more = encoder.encode(`${isEmpty ? '' : ','}"hook_results":${JSON.stringify(results)}}`)
  const bytes = new Uint8Array(end + more.length)
  bytes.set(body.subarray(0, end))
  bytes.set(more, end)
  answer.body = bytes
}

/**
 * A refusal as an ordinary answer that says its message, plain or as a stream, as the call asks for it.
 * @returns undefined for a kind of call whose answers say nothing
 */
export const softAnswer = (
  call: Call,
  message: string,
  about: { readonly model: string; readonly created: number },
  results: HookResults | undefined,
): Answer | undefined => {
  const { answer, texts } = call.endpoint
  const said = texts?.say?.(message, { id: call.id, ...about })
  if (said === undefined) return undefined
  const headers = new HeaderList()
  const form = answer.kind === 'events' ? answer.form : undefined
  const whole = isStreamed(call) ? form?.read(said) : undefined
  if (whole === undefined) {
    headers.set('content-type', 'application/json')
    const plain: Answer = { status: 200, headers, body: bytesOfAnswer(said) }
    if (results !== undefined) withHookResults(plain, results)
    return plain
  }
  headers.set('content-type', 'text/event-stream; charset=utf-8')
  headers.set('cache-control', 'no-cache')
  return { status: 200, headers, body: fromPieces(eventsOf(whole.chunks(false), form)) }
}
