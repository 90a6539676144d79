import { type KeptCall, keptCall, providerMessages } from '#calls/slots'
import { type Answer, type Call, definePlugin, isReadyStream, isRecord, type Stage, t } from '#kit'
import { adapterOf } from '#kit/provider'
import { providerRequest, report, type Target, target } from '#kit/slots'
import { answerItself } from './answer-itself.ts'
import { answerJson, bytesOf, countAnswer, notAStream } from './answer-json.ts'
import { answerStream, isOfEvents } from './answer-stream.ts'
import { countInput } from './counted-usage.ts'
import { statusOf } from './error-in-answer.ts'
import { lostParams, refuseLoss } from './lost-params.ts'
import { sendAsItIs } from './pass-through.ts'
import { namedError, parseBody, providerError } from './provider-error.ts'
import { answerAsEvents, answerRaw, type RawOptions, rawOf } from './raw.ts'
import { type Prepared, prepare } from './request.ts'
import { asError } from './stream/stream-data.ts'

/** Whether the client will get the answer of a provider in other words. */
const isReworded = ({ adapter, bridge, context }: Prepared, { status }: Answer): boolean =>
  status < 200 ||
  status > 299 ||
  bridge !== undefined ||
  adapter.wire === 'own' ||
  adapter.amend?.(context) !== undefined

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
  needs: ['bridges', 'clock', 'endpoints', 'randomId', 'resilience'],
  setup({ maxAnswerBytes }, { bridges, clock, endpoints, randomId, resilience: { skipMalformedEvent } }) {
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
        if (form === undefined) return sendAsItIs(call, next, { clock, randomId })
        const to = call.get(target)
        const kept = call.find(keptCall)
        if (kept !== undefined) {
          const inline = inlineOf(call, to, kept)
          const passes = kept.needs?.every((kind) => to.provider.keeps?.includes(kind))
          if (to.provider.keepsAt?.(to.settings) === false) return await kept.answer()
          if (inline === 'weir' || (passes === undefined && inline === undefined)) return await kept.answer()
          if (adapterOf(to.provider, form, to.model ?? '') === undefined)
            return await (passes === true ? sendAsItIs(call, next, { clock, randomId }) : kept.answer())
        }
        const prepared = prepare(call, form, { bridges, endpoints, clock }, to)
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
        if (prepared.request.perform !== undefined) return await performed(next, to)
        const answer = await next()
        if (isReworded(prepared, answer)) call.find(providerMessages)?.received(call, answer)
        try {
          if (answer.status < 200 || answer.status > 299) {
            const bytes = await bytesOf(answer, maxAnswerBytes)
            throw providerError(to, answer.status, parseBody(bytes), answer.headers, clock.now())
          }
          const raw = rawOf(call.endpoint, prepared.params)
          if (raw !== undefined) return await answerRaw(call, to, prepared, answer, raw, rawOptions(call, to, answer))
          if (context.stream && isOfEvents(answer, prepared))
            return await answerStream(call, to, prepared, answer, { clock, skipMalformedEvent, startedMs })
          const instead = context.stream
            ? await answerAsEvents(call, prepared, answer, rawOptions(call, to, answer))
            : undefined
          if (instead !== undefined) return instead
          if (context.stream) throw await notAStream(to, answer, maxAnswerBytes)
          return await answerJson(call, to, prepared, answer, maxAnswerBytes)
        } catch (thrown) {
          if (isReadyStream(answer.body)) answer.body.cancel()
          throw namedError(thrown, to)
        }
      },
    }
    return { stages: [transform] }
  },
})

/** Who has what a call is about, where the provider makes batches of lines; a file tells nothing of what its lines are yet. */
const inlineOf = (
  { params }: Call,
  { provider: { inlineBatches } }: Target,
  { inline }: KeptCall,
): KeptCall['inline'] => {
  if (inlineBatches === undefined) return undefined
  return inline === 'weir' || inlineBatches.some((path) => path === params.endpoint) ? inline : undefined
}

/** The answer of a call that its adapter performs. */
const performed = async (next: () => Promise<Answer>, to: Target): Promise<Answer> => {
  try {
    return await next()
  } catch (thrown) {
    throw namedError(thrown, to)
  }
}
