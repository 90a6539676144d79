import { noteAnswer, noteBought } from '#calls/answered'
import { textTokens } from '#calls/estimate-tokens'
import { collectUpTo } from '#core/bodies/answer'
import type { RawReply } from '#core/endpoint'
import {
  type Answer,
  type AnswerForm,
  type Call,
  collect,
  type Endpoint,
  eventText,
  fromPieces,
  isReadyStream,
  isRecord,
  Pipe,
  type ReadyStream,
  UpstreamInvalid,
  type Usage,
} from '#kit'
import type { Target } from '#kit/slots'
import { countUsage } from './counted-usage.ts'
import { parseBody } from './provider-error.ts'
import type { Prepared } from './request.ts'

type Fields = Readonly<Record<string, unknown>>

/** Text up to this size, in bytes, is held for a moment, so that it can be counted. */
const HELD_BYTES = 4 * 1024 * 1024

const encoder = new TextEncoder()

/** How a call is answered that asks for text or bytes; undefined for JSON and events. */
export const rawOf = ({ answer }: Endpoint, params: Fields): ((reply: Fields) => RawReply) | undefined =>
  answer.kind === 'events' ? answer.raw?.(params) : undefined

export const formOf = ({ answer }: Endpoint): AnswerForm | undefined =>
  answer.kind === 'events' ? answer.form : undefined

/** What the stage does with JSON. */
export interface RawOptions {
  readonly maxAnswerBytes: number
  /** @throws the error that stands in an answer with status 200 */
  refuseError(body: Fields): void
  count(reply: unknown, usage: Usage | undefined, bytes: number): void
}

/**
 * An answer of text or bytes. The provider's own passes as it comes, of any length; one that is JSON at a provider of another
 * form is made such.
 * @throws UpstreamInvalid for an empty one
 */
export const answerRaw = async (
  call: Call,
  to: Target,
  { adapter, context, asked, params }: Prepared,
  answer: Answer,
  write: (reply: Fields) => RawReply,
  options: RawOptions,
): Promise<Answer> => {
  const { headers, status } = answer
  const type = headers.get('content-type') ?? ''
  if (isJson(type)) {
    const bytes = await whole(answer, options.maxAnswerBytes)
    const body = parseBody(bytes)
    if (!isRecord(body)) throw new UpstreamInvalid('The provider answered with something that is not a JSON object.')
    if (adapter.reply === undefined) options.refuseError(body)
    // Of a host that speaks the form, and knows no other answer than JSON.
    const { reply, usage } = adapter.reply?.(body, context, asked) ?? { reply: body }
    options.count(reply, usage, bytes.length)
    noteAnswer(call, body)
    noteBought(call, params, reply as unknown as Fields)
    const raw = write(reply as unknown as Fields)
    headers.set('content-type', raw.type)
    headers.delete('content-encoding')
    return { status, headers, body: typeof raw.body === 'string' ? encoder.encode(raw.body) : raw.body }
  }
  const isText = /^text\//i.test(type)
  // Bytes are held up to the first of them: a provider that gives none has failed, and another may be asked.
  const held = isReadyStream(answer.body) ? await collectUpTo(answer.body, isText ? HELD_BYTES : 0) : answer.body
  if (!isReadyStream(held) && held.length === 0) throw new UpstreamInvalid('The provider answered with nothing.')
  noteBought(call, params)
  const outputTokens = isText && !isReadyStream(held) ? textTokens(held.length) : 0
  if (call.endpoint.isCounted) {
    countUsage(call, to, { bytes: outputTokens, outputTokens, unreportedTokens: 0 }, () => true)
  }
  const left = adapter.bytes?.(context)
  if (left?.type !== undefined) headers.set('content-type', left.type)
  const source = left?.machine === undefined ? held : new Pipe(asStream(held), left.machine)
  return isReadyStream(source)
    ? { status, headers, verbatim: true, opaque: true, body: source }
    : { status, headers, body: source }
}

/** A stream of events made of an answer that a provider gave in one piece, or as bytes. @returns undefined where it is none */
export const answerAsEvents = async (
  call: Call,
  { adapter, context, params, bridge, asked }: Prepared,
  answer: Answer,
  options: RawOptions,
): Promise<Answer | undefined> => {
  const { headers, status } = answer
  const form = bridge === undefined ? formOf(call.endpoint) : undefined
  const isBytes = !isJson(headers.get('content-type') ?? '')
  if (form === undefined) return undefined
  if (isBytes ? form.ofBytes === undefined : form.mayBeWhole !== true) return undefined
  const events = (body: Answer['body']): Answer => {
    headers.set('content-type', 'text/event-stream; charset=utf-8')
    headers.set('cache-control', 'no-cache')
    headers.delete('content-encoding')
    return { status, headers, body }
  }
  const machine = isBytes ? form.ofBytes?.(params) : undefined
  if (machine !== undefined) {
    noteBought(call, params)
    const left = adapter.bytes?.(context)?.machine
    const bytes = asStream(answer.body)
    return events(new Pipe(left === undefined ? bytes : new Pipe(bytes, left), machine))
  }
  const bytes = await whole(answer, options.maxAnswerBytes)
  const body = parseBody(bytes)
  if (!isRecord(body)) throw new UpstreamInvalid('The provider answered with something that is not a JSON object.')
  if (adapter.reply === undefined) options.refuseError(body)
  const read = adapter.reply?.(body, context, asked)
  const made = form.read(read?.reply ?? body)
  if (made === undefined) throw new UpstreamInvalid('The provider did not answer with a stream of events.')
  options.count(made.answer, read?.usage, bytes.length)
  noteAnswer(call, body)
  noteBought(call, params, made.answer)
  let text = ''
  for (const chunk of made.chunks(context.includeUsage)) text += form.write?.(chunk) ?? eventText(JSON.stringify(chunk))
  return events(encoder.encode(text + (form.last ?? eventText('[DONE]'))))
}

const isJson = (type: string): boolean => /^application\/(?:[\w.-]+\+)?json\b/i.test(type)

const asStream = (body: Answer['body']): ReadyStream => (isReadyStream(body) ? body : fromPieces([body]))

const whole = async ({ body }: Answer, maxBytes: number): Promise<Uint8Array> =>
  isReadyStream(body) ? collect(body, maxBytes) : body
