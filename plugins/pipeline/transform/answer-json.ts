import { noteAnswer, noteBought } from '#calls/answered'
import { estimateOutputTokens } from '#calls/estimate-tokens'
import { isDeeperThan, MAX_JSON_DEPTH } from '#core/json/json-depth'
import { type Answer, type Call, collect, isReadyStream, isRecord, UpstreamInvalid, type Usage } from '#kit'
import { type Bridge, usageFromOpenAI } from '#kit/provider'
import type { Target } from '#kit/slots'
import { countUsage } from './counted-usage.ts'
import { statusOf } from './error-in-answer.ts'
import { parseAnyDepth, parseBody, providerError } from './provider-error.ts'
import type { Prepared } from './request.ts'
import { asError } from './stream/stream-data.ts'

const encoder = new TextEncoder()

/** @throws UpstreamInvalid for an answer that is nested without end */
const written = (answer: unknown): Uint8Array => {
  if (isDeeperThan(answer, MAX_JSON_DEPTH))
    throw new UpstreamInvalid("The provider's answer is nested too deep to be written.")
  return encoder.encode(JSON.stringify(answer))
}

/** A provider's whole answer in the form of the client. @param maxBytes of the answer */
export const answerJson = async (
  call: Call,
  to: Target,
  prepared: Prepared,
  answer: Answer,
  maxBytes: number,
): Promise<Answer> => {
  const { adapter, context, bridge, params } = prepared
  const bytes = await bytesOf(answer, maxBytes)
  // What passes as it came may be nested as deep as it likes; what is written anew may not.
  const body = adapter.reply === undefined ? parseAnyDepth(bytes) : parseBody(bytes)
  answer.headers.set('content-type', 'application/json')
  // What could be read is not in the coding that it was left in.
  answer.headers.delete('content-encoding')
  // A bare list is the answer of some providers, in a form of their own.
  if (adapter.reply !== undefined && (isRecord(body) || Array.isArray(body))) {
    const { reply, usage } = adapter.reply(body, context, prepared.asked)
    countAnswer(call, to, reply, usage, bytes.length)
    noteAnswer(call, body)
    const given = reply as unknown as Readonly<Record<string, unknown>>
    noteBought(call, params, given)
    answer.body = encoder.encode(JSON.stringify(bridge === undefined ? given : bridge.reply(given, context, params)))
    return answer
  }
  if (!isRecord(body)) throw new UpstreamInvalid('The provider answered with something that is not a JSON object.')
  if (asError(body) !== undefined) throw providerError(to, statusOf(body), parseBody(bytes), answer.headers)
  const amended = adapter.amend?.(context)?.amend(body) ?? body
  // As it came: without strictness the reasoning stands twice in the amended one.
  countAnswer(call, to, body, usageOf(call, bridge, amended), bytes.length)
  noteAnswer(call, body)
  noteBought(call, params, body)
  if (bridge !== undefined) answer.body = written(bridge.reply(amended, context, params))
  else answer.body = amended === body ? bytes : written(amended)
  return answer
}

/** Usage that the provider's answer reports, in the form in which it was asked. */
const usageOf = (call: Call, bridge: Bridge | undefined, body: Readonly<Record<string, unknown>>): Usage | undefined =>
  bridge === undefined ? call.endpoint.usageOf(body) : (bridge.usageOf?.(body) ?? usageFromOpenAI(body.usage))

/** The usage of a whole answer, as it is reported or counted. */
export const countAnswer = (call: Call, to: Target, reply: unknown, usage: Usage | undefined, bytes: number): void => {
  const { isCounted, isWritten, reads } = call.endpoint
  // Of what no model reads or writes there is nothing to estimate: a job that is begun.
  if (!isCounted || (usage === undefined && !isWritten && reads.length === 0)) return
  if (usage !== undefined) call.recordUsage(usage)
  const count = {
    bytes,
    unreportedTokens: 0,
    get outputTokens() {
      return estimateOutputTokens(reply)
    },
  }
  countUsage(call, to, count, () => true)
}

/** The bytes of an answer. @throws UpstreamInvalid for more than `maxBytes` */
export const bytesOf = async ({ body }: Answer, maxBytes: number): Promise<Uint8Array> =>
  isReadyStream(body) ? collect(body, maxBytes) : body

/** A stream was asked for and something else came: often an error with status 200. */
export const notAStream = async (to: Target, answer: Answer, maxBytes: number): Promise<unknown> => {
  const body = parseBody(await bytesOf(answer, maxBytes))
  return asError(body) === undefined
    ? new UpstreamInvalid('The provider did not answer with a stream of events.')
    : providerError(to, statusOf(body), body, answer.headers)
}
