import type { CompiledGuardrail } from '#calls/guardrails/compile'
import type { CheckContext } from '#calls/guardrails/run-check'
import type { HookReport, StreamTexts } from '#core/guardrails'
import { Pipe, type ReadyStream } from '#kit'
import { AfterMachine } from './after.ts'
import { CollectedTexts } from './collected-texts.ts'
import type { StreamPlan } from './plan.ts'
import { StreamChecks } from './stream-checks.ts'
import { WindowMachine } from './window.ts'

export interface StreamGuardOptions {
  readonly plan: StreamPlan
  readonly texts: StreamTexts
  readonly context: CheckContext
  /** Most bytes of a stream that are held back. */
  readonly maxBytes: number
  /** The end of a text that the client has already, of an answer that goes on from there. */
  readonly before?: string | undefined
  /** Takes down what guardrails came to. @param later those that only report, still at work */
  report(reports: readonly HookReport[], later: readonly Promise<HookReport>[]): void
  /** What the stream ends with where a guardrail refuses it; its report was taken down. */
  refusal(by: CompiledGuardrail): Error
  /** What ends the stream instead, behind the last event. Undefined: the refusal is an error. */
  endOfRefused(by: CompiledGuardrail): string | undefined
  /** What is written behind the last event. */
  last(): string
  /** Whether another target goes on from what went out when the stream breaks off now. */
  isCarriedOn(): boolean
  /** Calls when nobody wants the stream any more. */
  onGivenUp(tell: () => void): void
}

export interface GuardedStream {
  readonly body: ReadyStream
  /** The guardrail that refuses the answer, before anything of it went out. The body gives nothing then. */
  readonly deniedBy: CompiledGuardrail | undefined
  /** A guardrail that does not deny has failed, before anything of the answer went out. */
  readonly hasFailed: boolean
}

/**
 * A stream that guardrails look at. One that is held back is given once its first text may go out: what fails before is a
 * failure of the attempt.
 * @throws what the stream fails with before that
 */
export const guardStream = async (source: ReadyStream, options: StreamGuardOptions): Promise<GuardedStream> => {
  const { plan, texts, context, report, refusal, last, maxBytes } = options
  const collected = new CollectedTexts(maxBytes)
  const checks = new StreamChecks({ plan, context, maxCharacters: maxBytes, report, refusal })
  const end = (): string | Promise<string> => {
    const told = checks.end(collected.isTooLong ? undefined : collected.all())
    return told instanceof Promise ? told.then(last) : last()
  }
  if (plan.mode === 'after') {
    const body = new Pipe(source, new AfterMachine({ texts, collected, end }))
    return { body, deniedBy: undefined, hasFailed: false }
  }
  options.onGivenUp(checks.tell)
  const looksAtAll = plan.whole.all.length > 0
  const body = new Pipe(
    source,
    new WindowMachine(source, {
      texts,
      maxBytes,
      before: options.before,
      isCarriedOn: options.isCarriedOn,
      window: plan.window,
      reach: plan.reach,
      collected: looksAtAll || plan.after.some(({ length }) => length > 0) ? collected : undefined,
      isSaidAgain: texts.saysAgain,
      look: checks.look,
      lookAtAll: looksAtAll ? checks.lookAtAll : undefined,
      end,
      onBroken: checks.tell,
      endOfRefused: () => checks.deniedBy && options.endOfRefused(checks.deniedBy),
    }),
  )
  try {
    await body.begin()
  } catch (thrown) {
    body.cancel()
    source.cancel()
    if (checks.deniedBy === undefined) throw thrown
  }
  return { body, deniedBy: checks.deniedBy, hasFailed: checks.hasFailed }
}
