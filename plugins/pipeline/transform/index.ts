import { estimateOutputTokens } from '#calls/estimate-tokens'
import { attempt } from '#calls/slots'
import { HeaderList } from '#core/header-fields'
import { isDeeperThan, MAX_JSON_DEPTH } from '#core/json/json-depth'
import {
  type Answer,
  type Call,
  collect,
  definePlugin,
  isReadyStream,
  isRecord,
  Pipe,
  type Stage,
  t,
  UnsupportedEndpoint,
  UpstreamInvalid,
  type Usage,
} from '#kit'
import { type Bridge, type Framing, usageFromOpenAI } from '#kit/provider'
import { providerRequest, report, type Target, target } from '#kit/slots'
import { countInput, countUsage } from './counted-usage.ts'
import { lostParams, refuseLoss } from './lost-params.ts'
import { sendAsItIs } from './pass-through.ts'
import { namedError, parseAnyDepth, parseBody, providerError } from './provider-error.ts'
import { answerAsEvents, answerRaw, formOf, type RawOptions, rawOf } from './raw.ts'
import { type Prepared, prepare } from './request.ts'
import { AnswerMeter } from './stream/answer-meter.ts'
import { BridgedMachine } from './stream/bridged.ts'
import { prime } from './stream/prime.ts'
import { asError } from './stream/stream-data.ts'
import { TranslatedMachine } from './stream/translated.ts'
import { UntranslatedMachine } from './stream/untranslated.ts'
import { WatchedMachine } from './stream/watched.ts'

const encoder = new TextEncoder()

/** @throws UpstreamInvalid for an answer that is nested without end */
const written = (answer: unknown): Uint8Array => {
  if (isDeeperThan(answer, MAX_JSON_DEPTH))
    throw new UpstreamInvalid("The provider's answer is nested too deep to be written.")
  return encoder.encode(JSON.stringify(answer))
}

/** Translates the request into the provider's form and the answer back; passes bytes through where both are the reference's. */
export default definePlugin({
  name: 'transform',
  config: t.Object({
    maxAnswerBytes: t.Integer({
      default: 50 * 1024 * 1024,
      minimum: 1024,
      description: 'Largest answer, in bytes, of a call that does not stream.',
    }),
  }),
  needs: ['bridges', 'clock', 'resilience'],
  setup({ maxAnswerBytes }, { bridges, clock, resilience }) {
    const answerStream = async (
      call: Call,
      to: Target,
      prepared: Prepared,
      answer: Answer,
      startedMs: number,
    ): Promise<Answer> => {
      const { adapter, context, choices, bridge, params } = prepared
      const onUsage = (usage: Usage): void => call.recordUsage(usage)
      if (!isReadyStream(answer.body)) throw new UpstreamInvalid('The provider did not answer with a stream.')
      const source = isFramed(answer, adapter) ? new Pipe(answer.body, adapter.framing.machine()) : answer.body
      const machine = adapter.stream?.(context)
      const onSkipped = resilience.skipMalformedEvent ? () => countSkipped(call) : undefined
      const meter = new AnswerMeter()
      const toError = (body: unknown): unknown => providerError(to, statusOf(body), body, answer.headers)
      const form = bridge === undefined ? formOf(call.endpoint) : undefined
      const watch = form?.watch?.(params)
      const amendment = adapter.amend?.(context)
      const { includeUsage } = context
      const translated =
        machine !== undefined
          ? new TranslatedMachine({ machine, onUsage, meter, onSkipped, form })
          : watch !== undefined
            ? new WatchedMachine({ watch, maxEventBytes: form?.maxEventBytes, meter, onUsage, toError, onSkipped })
            : new UntranslatedMachine({ includeUsage, choices, meter, onUsage, amendment, toError, onSkipped })
      countUsage(call, to, meter, () => translated.complete)
      const asked = new Pipe(source, translated)
      answer.headers.set('content-type', 'text/event-stream; charset=utf-8')
      answer.headers.delete('content-encoding')
      answer.headers.set('cache-control', 'no-cache')
      const limitMs = to.firstTokenTimeoutMs ?? call.find(attempt)?.firstTokenMs
      const primed = await prime(
        asked,
        (thrown) => namedError(thrown, to),
        limitMs === undefined ? undefined : Math.max(0, startedMs + limitMs - clock.monotonicMs()),
      )
      // Behind the first event that says something: a bridge writes one right away, and could not take it back.
      answer.body = bridge === undefined ? primed : new Pipe(primed, new BridgedMachine(bridge.stream(context, params)))
      return answer
    }

    const answerJson = async (call: Call, to: Target, prepared: Prepared, answer: Answer): Promise<Answer> => {
      const { adapter, context, bridge, params } = prepared
      const bytes = await bytesOf(answer, maxAnswerBytes)
      // What passes as it came may be nested as deep as it likes; what is written anew may not.
      const body = adapter.reply === undefined ? parseAnyDepth(bytes) : parseBody(bytes)
      answer.headers.set('content-type', 'application/json')
      // What could be read is not in the coding that it was left in.
      answer.headers.delete('content-encoding')
      // A bare list is the answer of some providers, in a form of their own.
      if (adapter.reply !== undefined && (isRecord(body) || Array.isArray(body))) {
        const { reply, usage } = adapter.reply(body, context, prepared.asked)
        countAnswer(call, to, reply, usage, bytes.length)
        const given = reply as unknown as Readonly<Record<string, unknown>>
        answer.body = encoder.encode(
          JSON.stringify(bridge === undefined ? given : bridge.reply(given, context, params)),
        )
        return answer
      }
      if (!isRecord(body)) throw new UpstreamInvalid('The provider answered with something that is not a JSON object.')
      if (asError(body) !== undefined) throw providerError(to, statusOf(body), parseBody(bytes), answer.headers)
      const amended = adapter.amend?.(context)?.amend(body) ?? body
      // As it came: without strictness the reasoning stands twice in the amended one.
      countAnswer(call, to, body, usageOf(call, bridge, amended), bytes.length)
      if (bridge !== undefined) answer.body = written(bridge.reply(amended, context, params))
      else answer.body = amended === body ? bytes : written(amended)
      return answer
    }

    const rawOptions = (call: Call, to: Target, answer: Answer): RawOptions => ({
      maxAnswerBytes,
      refuseError: (body) => {
        if (asError(body) !== undefined) throw providerError(to, statusOf(body), body, answer.headers)
      },
      count: (reply, usage, bytes) =>
        countAnswer(call, to, reply, usage ?? (isRecord(reply) ? call.endpoint.usageOf(reply) : undefined), bytes),
    })

    const transform: Stage = {
      name: 'transform',
      async run(call, next) {
        const { id, form, isCounted } = call.endpoint
        if (form === undefined) return sendAsItIs(call, next, clock)
        const to = call.get(target)
        const prepared = prepare(call, form, bridges, to, Math.floor(clock.now() / 1000))
        if (prepared === undefined) return answerItself(call, to, form)
        const { context, bridge } = prepared
        const dropped = lostParams(prepared.dropped)
        if (dropped.length > 0) refuseLoss(call, to, dropped)
        call.set(providerRequest, prepared.request)
        call.set(report, {
          provider: to.provider.id,
          model: context.model,
          droppedParams: dropped,
          stream: context.stream,
          via: bridge?.to,
        })
        if (bridge !== undefined) call.replyHeaders.set(`x-gateway-${id}-via`, bridge.to)
        if (dropped.length > 0) call.replyHeaders.set('x-gateway-dropped-params', dropped.join(', '))
        const startedMs = clock.monotonicMs()
        if (isCounted) countInput(call, to)
        const answer = await next()
        try {
          if (answer.status < 200 || answer.status > 299) {
            const bytes = await bytesOf(answer, maxAnswerBytes)
            throw providerError(to, answer.status, parseBody(bytes), answer.headers, clock.now())
          }
          const raw = rawOf(call.endpoint, prepared.params)
          if (raw !== undefined) return await answerRaw(call, to, prepared, answer, raw, rawOptions(call, to, answer))
          if (context.stream && (isEventStream(answer) || isFramed(answer, prepared.adapter)))
            return await answerStream(call, to, prepared, answer, startedMs)
          const instead = context.stream
            ? await answerAsEvents(call, prepared, answer, rawOptions(call, to, answer))
            : undefined
          if (instead !== undefined) return instead
          if (context.stream) throw await notAStream(to, answer, maxAnswerBytes)
          return await answerJson(call, to, prepared, answer)
        } catch (thrown) {
          if (isReadyStream(answer.body)) answer.body.cancel()
          throw namedError(thrown, to)
        }
      },
    }
    return { stages: [transform] }
  },
})

/**
 * An estimate of ours, for a provider that has no way to be asked.
 * @throws UnsupportedEndpoint for what only a provider can answer
 */
const answerItself = (call: Call, { provider, model = '' }: Target, form: string): Answer => {
  const { endpoint, params } = call
  if (endpoint.answersItself === undefined) {
    throw new UnsupportedEndpoint(`The provider '${provider.id}' does not offer '${form}' calls.`)
  }
  if (endpoint.body.kind === 'json') endpoint.body.check(params)
  call.set(report, { provider: provider.id, model, droppedParams: [], stream: false })
  call.replyHeaders.set('x-gateway-estimated', 'true')
  const headers = new HeaderList()
  headers.set('content-type', 'application/json')
  return { status: 200, headers, body: encoder.encode(JSON.stringify(endpoint.answersItself(params))) }
}

/** Usage that the provider's answer reports, in the form in which it was asked. */
const usageOf = (call: Call, bridge: Bridge | undefined, body: Readonly<Record<string, unknown>>): Usage | undefined =>
  bridge === undefined ? call.endpoint.usageOf(body) : (bridge.usageOf?.(body) ?? usageFromOpenAI(body.usage))

const countSkipped = (call: Call): void => {
  const sent = call.get(report)
  sent.skippedEvents = (sent.skippedEvents ?? 0) + 1
}

/** The usage of a whole answer, as it is reported or counted. */
const countAnswer = (call: Call, to: Target, reply: unknown, usage: Usage | undefined, bytes: number): void => {
  if (!call.endpoint.isCounted) return
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

const isEventStream = ({ headers }: Answer): boolean => /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')

/** Whether the events come in the provider's own framing. */
const isFramed = <A extends { readonly framing?: Framing }>(
  { headers }: Answer,
  adapter: A,
): adapter is A & { readonly framing: Framing } =>
  adapter.framing !== undefined && headers.get('content-type')?.split(';', 1)[0]?.trim() === adapter.framing.type

const bytesOf = async ({ body }: Answer, maxBytes: number): Promise<Uint8Array> =>
  isReadyStream(body) ? collect(body, maxBytes) : body

/** A stream was asked for and something else came: often an error with status 200. */
const notAStream = async (to: Target, answer: Answer, maxBytes: number): Promise<unknown> => {
  const body = parseBody(await bytesOf(answer, maxBytes))
  return asError(body) === undefined
    ? new UpstreamInvalid('The provider did not answer with a stream of events.')
    : providerError(to, statusOf(body), body, answer.headers)
}

/**
 * An error inside a 200 may carry its status as `error.status`, `error.status_code`, `error.code` or beside it, as
 * `status_code`; else it is a 502.
 */
const statusOf = (body: unknown): number => {
  const error = asError(body)
  if (!isRecord(error)) return 502
  const beside = isRecord(body) ? body.status_code : undefined
  const status = [error.status, error.status_code, error.code, beside]
    .map(Number)
    .find((value) => value >= 400 && value <= 599)
  return status ?? 502
}
