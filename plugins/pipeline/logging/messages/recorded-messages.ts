import { cleanBody } from '#calls/messages/clean-body'
import { maskedFields, maskedHeaders, maskedUrl } from '#calls/messages/headers'
import { wholeOfEvents } from '#calls/messages/whole-stream'
import type { BodyRules } from '#core/log-settings'
import type { RecordedMessage } from '#core/records'
import { type Answer, type Call, defined, type Finish, type GatewayError, type HeaderFields, toEnvelope } from '#kit'
import { legacyCall, type ProviderRequest, report, type Target, visits } from '#kit/slots'
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
interface Draft extends Omit<RecordedMessage, 'body' | 'truncated'> {
  readonly kept?: KeptBody | undefined
  /** The body is events. */
  readonly isStream?: boolean
}

/** All messages of a call that has ended, without credentials and whatever else is not kept. */
export const recordedMessages = (call: Call, finish: Finish, captured: Captured): KeptMessages => {
  const { exchanges, rules, secrets } = captured
  // All headers first: what is secret in them is looked for in all bodies.
  const drafts = [...exchanges].map(([to, exchange]): [Target, Draft[]] => [to, exchanged(call, to, exchange, secrets)])
  const ofClient = [asked(call, captured), answered(call, finish, captured)]
  const known = [...secrets]
  const cleaned = (draft: Draft): RecordedMessage => clean(call, draft, known, rules)

  const [only] = drafts
  const response = ofClient[1]?.kept?.bytes
  for (const [, messages] of drafts) {
    const received = messages[1]
    if (received !== undefined && areSame(received.kept?.bytes, response))
      messages[1] = { ...received, kept: undefined }
  }
  const isOne = drafts.length === 1
  const ofTargets = new Map<Target, readonly Draft[]>(isOne ? [] : drafts)
  for (const { to, guardrails } of call.find(visits) ?? []) {
    const said = hooksSaid(guardrails)
    if (said.length > 0) ofTargets.set(to, [...(ofTargets.get(to) ?? []), ...said])
  }
  const ofCall = [...ofClient, ...(isOne ? (only?.[1] ?? []) : []), ...hooksSaid(captured.reports)]
  return {
    ofCall: ofCall.map(cleaned),
    ofTargets: new Map([...ofTargets].map(([to, messages]) => [to, messages.map(cleaned)])),
  }
}

/** What guardrails said, as a message of its own. */
const hooksSaid = (reports: Reports | undefined): readonly Draft[] => {
  const whole = reports && wholeHooks(reports)
  if (whole === undefined) return []
  return [{ side: 'hooks', headers: {}, kept: { bytes: Buffer.from(JSON.stringify(whole)), isTruncated: false } }]
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
  return { side: 'request', method, url: maskedUrl(path + search), headers: maskedHeaders(headers, secrets), kept }
}

const exchanged = (call: Call, to: Target, { request, received }: Exchange, secrets: Set<string>): Draft[] => {
  for (const secret of [to.apiKey ?? to.provider.apiKey ?? '', ...Object.values(to.headers ?? {})]) {
    if (secret.length >= LEAST_SECRET) secrets.add(secret)
  }
  const sent: Draft = {
    side: 'sent',
    method: request.method,
    url: maskedUrl(request.url),
    headers: maskedHeaders(request.headers, secrets),
    kept: sentBodyOf(call, request),
  }
  if (received === undefined) return [sent]
  const { status, headers, body } = received
  const isStream = call.find(report)?.stream === true && body instanceof KeptStream
  return [sent, { side: 'received', status, headers, kept: answerBodyOf(body, received.type), isStream }]
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
  const headers = (fields?: Pick<HeaderFields, 'forEach'>): Record<string, string> => ({
    ...(fields === undefined ? {} : maskedHeaders(fields, secrets)),
    ...Object.fromEntries(call.replyHeaders),
  })
  if (answer !== undefined) {
    const isStream = answer.body instanceof KeptStream && call.find(report)?.stream === true
    const kept = answerBodyOf(answer.body, answer.headers)
    return { side: 'answer', status, headers: headers(answer.headers), kept, isStream }
  }
  const told = error?.options.answer
  const kept = error === undefined ? undefined : { bytes: told?.body ?? errorBody(call, error), isTruncated: false }
  return { side: 'answer', status, headers: headers(told?.headers ?? error?.options.headers), kept }
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

const clean = (
  call: Call,
  { kept, isStream = false, ...head }: Draft,
  secrets: readonly string[],
  { redaction }: BodyRules,
): RecordedMessage => {
  const { bytes, note, isTruncated = false } = kept ?? {}
  if (note !== undefined) return { ...head, ...written(Buffer.from(JSON.stringify(note)), isTruncated) }
  const text = isStream && bytes !== undefined && redaction !== undefined ? wholeOf(call, head.side, bytes) : bytes
  if (text === undefined) return { ...head, ...written(undefined, isTruncated || bytes !== undefined) }
  const isAnswer = head.side === 'answer' || head.side === 'received'
  const { body, isTruncated: isCut } = cleanBody(text, { secrets, isAnswer, redaction })
  return { ...head, ...written(body, isTruncated || isCut) }
}

/** What is to be redacted may stand in two events: they are put together, or nothing is kept of them. */
const wholeOf = ({ endpoint }: Call, side: RecordedMessage['side'], events: Uint8Array): Uint8Array | undefined => {
  if (side !== 'answer' || endpoint.answer.kind !== 'events') return undefined
  const whole = wholeOfEvents(endpoint.answer.form, events)
  return whole === undefined ? undefined : Buffer.from(JSON.stringify(whole))
}

const written = (body: Uint8Array | undefined, isTruncated: boolean): Pick<RecordedMessage, 'body' | 'truncated'> =>
  defined({ body, truncated: isTruncated || undefined })
