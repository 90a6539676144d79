import { noteAnswer, noteBought } from '#calls/answered'
import { attempt } from '#calls/slots'
import { type Answer, type Call, type Clock, isReadyStream, Pipe, UpstreamInvalid, type Usage } from '#kit'
import type { Framing } from '#kit/provider'
import { report, type Target } from '#kit/slots'
import { countUsage } from './counted-usage.ts'
import { statusOf } from './error-in-answer.ts'
import { namedError, providerError } from './provider-error.ts'
import { formOf } from './raw.ts'
import type { Prepared } from './request.ts'
import { AnswerMeter } from './stream/answer-meter.ts'
import { BridgedMachine } from './stream/bridged.ts'
import { prime } from './stream/prime.ts'
import { TranslatedMachine } from './stream/translated.ts'
import { UntranslatedMachine } from './stream/untranslated.ts'
import { WatchedMachine } from './stream/watched.ts'

export interface StreamOptions {
  readonly clock: Clock
  /** An event that is not JSON is left out when the next one is sound. */
  readonly skipMalformedEvent: boolean
  /** When the target was asked, in milliseconds that never step back. */
  readonly startedMs: number
}

/** A provider's stream of events as one in the form of the client, once it has said something. */
export const answerStream = async (
  call: Call,
  to: Target,
  prepared: Prepared,
  answer: Answer,
  { clock, skipMalformedEvent, startedMs }: StreamOptions,
): Promise<Answer> => {
  const { adapter, context, choices, bridge, params } = prepared
  const onUsage = (usage: Usage, said?: unknown): void => {
    call.recordUsage(usage)
    if (said !== undefined) noteAnswer(call, said)
  }
  noteBought(call, params)
  if (!isReadyStream(answer.body)) throw new UpstreamInvalid('The provider did not answer with a stream.')
  const source = isFramed(answer, adapter) ? new Pipe(answer.body, adapter.framing.machine()) : answer.body
  const machine = adapter.stream?.(context)
  const onSkipped = skipMalformedEvent ? () => countSkipped(call) : undefined
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

const countSkipped = (call: Call): void => {
  const sent = call.get(report)
  sent.skippedEvents = (sent.skippedEvents ?? 0) + 1
}

/** Whether an answer comes in events, of the web or of the provider's own framing. */
export const isOfEvents = (answer: Answer, { adapter }: Prepared): boolean =>
  isEventStream(answer) || isFramed(answer, adapter)

const isEventStream = ({ headers }: Answer): boolean => /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')

/** Whether the events come in the provider's own framing. */
const isFramed = <A extends { readonly framing?: Framing }>(
  { headers }: Answer,
  adapter: A,
): adapter is A & { readonly framing: Framing } =>
  adapter.framing !== undefined && headers.get('content-type')?.split(';', 1)[0]?.trim() === adapter.framing.type
