import { cleanBody } from '#calls/messages/clean-body'
import { maskedFields, maskedHeaders, maskedUrl } from '#calls/messages/headers'
import { wholeOfEvents } from '#calls/messages/whole-stream'
import type { BodyRules } from '#core/log-settings'
import type { RecordedMessage } from '#core/records'
import { type Answer, type Call, type Finish, type GatewayError, type HeaderFields, toEnvelope } from '#kit'
import { legacyCall, type ProviderRequest, report, type Target, type TargetVisit, visits } from '#kit/slots'
import { type Reports, wholeHooks } from '../hook-results.ts'
import { typeOfBytes } from './content-type.ts'
import { type KeptBody, KeptStream, noteOf } from './kept-stream.ts'
import { requestBodyOf } from './request-body.ts'

/** The messages of a call, ready to be sealed. */
export interface KeptMessages {
  /** Those between client and gateway; with the provider's where there was one target alone. */
  readonly ofCall: readonly RecordedMessage[]
  /** Those between the gateway and each target, where there were several. */
  readonly ofTargets: ReadonlyMap<Target, readonly RecordedMessage[]>
}

/** What went between the gateway and one target, the last time that it was asked. */
export interface Exchange {
  readonly request: ProviderRequest
  /** Where the client gets it in other words. */
  received?: {
    readonly status: number
    /** Masked. */
    readonly headers: Readonly<Record<string, string>>
    /** For the type of the body. */
    readonly type: Pick<HeaderFields, 'get'>
    readonly body: Answer['body']
  }
}

export interface Captured {
  readonly rules: BodyRules
  /** Credentials that were met; those of the other messages are added. */
  readonly secrets: Set<string>
  readonly exchanges: ReadonlyMap<Target, Exchange>
  /** As the client gets it; undefined for one that failed. */
  readonly answer: Answer | undefined
  /** What is kept of a form. */
  readonly form: KeptBody | undefined
  /** Of the attempt that had the last word. */
  readonly reports: Reports | undefined
}

/** A message before its body was looked through. */
interface Draft {
  readonly message: { -readonly [Field in keyof RecordedMessage]: RecordedMessage[Field] }
  kept: KeptBody | undefined
  /** The body is events. */
  readonly isStream: boolean
}

/** All messages of a call that has ended, without credentials and whatever else is not kept. */
export const recordedMessages = (call: Call, finish: Finish, captured: Captured): KeptMessages => {
  const { exchanges, rules, secrets } = captured
  // All headers first: what is secret in them is looked for in all bodies.
  const ofTargets = new Map<Target, Draft[]>()
  for (const [to, exchange] of exchanges) ofTargets.set(to, exchanged(call, to, exchange, secrets))
  const answer = answered(call, finish, captured)
  const ofCall = [asked(call, captured), answer]
  for (const [, received] of ofTargets.values()) {
    if (received !== undefined && areSame(received.kept?.bytes, answer.kept?.bytes)) received.kept = undefined
  }
  if (ofTargets.size === 1) {
    for (const ofOne of ofTargets.values()) ofCall.push(...ofOne)
    ofTargets.clear()
  }
  for (const { to, guardrails } of call.find(visits) ?? NO_VISITS) {
    const said = hooksSaid(guardrails)
    if (said !== undefined) ofTargets.set(to, [...(ofTargets.get(to) ?? []), said])
  }
  const said = hooksSaid(captured.reports)
  if (said !== undefined) ofCall.push(said)
  const cleaned = cleaner(call, [...secrets], rules)
  return {
    ofCall: ofCall.map(cleaned),
    ofTargets: ofTargets.size === 0 ? NO_TARGETS : new Map([...ofTargets].map(([to, all]) => [to, all.map(cleaned)])),
  }
}

const NO_VISITS: readonly TargetVisit[] = []
const NO_TARGETS: KeptMessages['ofTargets'] = new Map()

/** What guardrails said, as a message of its own. */
const hooksSaid = (reports: Reports | undefined): Draft | undefined => {
  const whole = reports && wholeHooks(reports)
  if (whole === undefined) return undefined
  const bytes = Buffer.from(JSON.stringify(whole))
  return { message: { side: 'hooks', headers: {} }, kept: { bytes, isTruncated: false }, isStream: false }
}

/** Most answers pass with nothing to be said in other words. */
const areSame = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean =>
  one !== undefined && other !== undefined && Buffer.compare(one, other) === 0

const asked = (call: Call, { form, secrets }: Captured): Draft => {
  const { request } = call
  const { method, path, search, headers } = request
  const body = form ?? requestBodyOf(request)
  // A call of an old route may bring a config with keys in it.
  const kept =
    body?.bytes === undefined || call.find(legacyCall)?.config === undefined
      ? body
      : { ...body, bytes: Buffer.from(maskedFields(Buffer.from(body.bytes).toString(), secrets)) }
  const url = maskedUrl(path + search)
  return {
    message: { side: 'request', method, url, headers: maskedHeaders(headers, secrets) },
    kept,
    isStream: false,
  }
}

const exchanged = (call: Call, to: Target, { request, received }: Exchange, secrets: Set<string>): Draft[] => {
  for (const secret of [to.apiKey ?? to.provider.apiKey ?? '', ...Object.values(to.headers ?? {})]) {
    if (secret.length >= LEAST_SECRET) secrets.add(secret)
  }
  const { method, url, headers: fields } = request
  const sent: Draft = {
    message: { side: 'sent', method, url: maskedUrl(url), headers: maskedHeaders(fields, secrets) },
    kept: sentBodyOf(call, request),
    isStream: false,
  }
  if (received === undefined) return [sent]
  const { status, headers, body } = received
  const isStream = call.find(report)?.stream === true && body instanceof KeptStream
  return [sent, { message: { side: 'received', status, headers }, kept: answerBodyOf(body, received.type), isStream }]
}

/** Shorter texts may stand anywhere. Characters. */
const LEAST_SECRET = 8

/** Nothing where it is what the client sent. */
const sentBodyOf = (call: Call, { body, headers }: ProviderRequest): KeptBody | undefined => {
  const { body: asked } = call.request
  if (body === undefined || (asked.kind === 'whole' && body === asked.received)) return undefined
  const type = typeOfBytes(headers, 'text')
  if (typeof body === 'string') return { bytes: Buffer.from(body), isTruncated: false }
  if (body instanceof Uint8Array && type === undefined) return { bytes: body, isTruncated: false }
  const note = noteOf(body.length, type ?? 'text/plain')
  return { note, isTruncated: false }
}

const answered = (call: Call, finish: Finish, { answer, secrets }: Captured): Draft => {
  const { status, error } = finish
  const told = error?.options.answer
  const fields = answer === undefined ? (told?.headers ?? error?.options.headers) : answer.headers
  const headers = fields === undefined ? {} : maskedHeaders(fields, secrets)
  for (const [name, value] of call.replyHeaders) headers[name] = value
  const message = { side: 'answer', status, headers } as const
  if (answer !== undefined) {
    const isStream = answer.body instanceof KeptStream && call.find(report)?.stream === true
    return { message, kept: answerBodyOf(answer.body, answer.headers), isStream }
  }
  const kept = error === undefined ? undefined : { bytes: told?.body ?? errorBody(call, error), isTruncated: false }
  return { message, kept, isStream: false }
}

const errorBody = ({ endpoint, id }: Call, error: GatewayError): Uint8Array =>
  Buffer.from(JSON.stringify(endpoint.errors?.body(error, id) ?? toEnvelope(error)))

const answerBodyOf = (body: Answer['body'], headers: Pick<HeaderFields, 'get'>): KeptBody | undefined => {
  if (body instanceof KeptStream) return body.kept()
  // A stream that nobody looked at.
  if (!(body instanceof Uint8Array)) return undefined
  const type = typeOfBytes(headers, 'bytes')
  return type === undefined ? { bytes: body, isTruncated: false } : { note: noteOf(body, type), isTruncated: false }
}

/** Finishes drafts. */
const cleaner =
  (call: Call, secrets: readonly string[], { redaction }: BodyRules) =>
  ({ message, kept, isStream }: Draft): RecordedMessage => {
    if (kept === undefined) return message
    const { bytes, note, isTruncated } = kept
    if (isTruncated) message.truncated = true
    if (note !== undefined) {
      message.body = Buffer.from(JSON.stringify(note))
      return message
    }
    if (bytes === undefined) return message
    const text = isStream && redaction !== undefined ? wholeOf(call, message.side, bytes) : bytes
    if (text === undefined) {
      message.truncated = true
      return message
    }
    const isAnswer = message.side === 'answer' || message.side === 'received'
    const { body, isTruncated: isCut } = cleanBody(text, { secrets, isAnswer, redaction })
    message.body = body
    if (isCut) message.truncated = true
    return message
  }

/** What is to be redacted may stand in two events: they are put together, or nothing is kept of them. */
const wholeOf = ({ endpoint }: Call, side: RecordedMessage['side'], events: Uint8Array): Uint8Array | undefined => {
  if (side !== 'answer' || endpoint.answer.kind !== 'events') return undefined
  const whole = wholeOfEvents(endpoint.answer.form, events)
  return whole === undefined ? undefined : Buffer.from(JSON.stringify(whole))
}
