import type { CompiledGuardrail } from '#calls/guardrails/compile'
import { TextContent } from '#calls/guardrails/content'
import type { CheckContext } from '#calls/guardrails/run-check'
import { toReport } from '#calls/guardrails/run-guardrail'
import { runGuardrails, type StageOutcome } from '#calls/guardrails/run-guardrails'
import type { CheckReport, HookReport } from '#core/guardrails'
import { defined } from '#kit'
import type { TextPart } from '#kit/check'
import { MergedReports } from './merged-reports.ts'
import type { Share, Shares, StreamPlan } from './plan.ts'

export interface StreamChecksOptions {
  readonly plan: StreamPlan
  readonly context: CheckContext
  /** Most characters of all texts that a check gets. */
  readonly maxCharacters: number
  /** Takes down what guardrails came to. @param later those that only report, still at work */
  report(reports: readonly HookReport[], later: readonly Promise<HookReport>[]): void
  /** What the stream ends with where a guardrail refuses it; its report was taken down. */
  refusal(by: CompiledGuardrail): Error
}

/** Runs the checks of a stream, and tells once what all their looks came to. */
export class StreamChecks {
  readonly #options: StreamChecksOptions
  readonly #merged = new MergedReports()
  #deniedBy: CompiledGuardrail | undefined
  #hasFailed = false
  #isTold = false

  constructor(options: StreamChecksOptions) {
    this.#options = options
  }

  /** The guardrail that refused the stream. */
  get deniedBy(): CompiledGuardrail | undefined {
    return this.#deniedBy
  }

  /** One that does not deny has failed. */
  get hasFailed(): boolean {
    return this.#hasFailed
  }

  /** @returns what becomes of a part of a text @throws the refusal */
  readonly look = (part: string, place: TextPart | undefined): string | Promise<string> => {
    const texts = this.#run(this.#options.plan.parts, [part], place)
    return texts instanceof Promise ? texts.then((late) => late[0] ?? part) : (texts[0] ?? part)
  }

  /** @returns what becomes of all texts @throws the refusal */
  readonly lookAtAll = (texts: readonly string[] | undefined): readonly string[] | Promise<readonly string[]> => {
    const { whole } = this.#options.plan
    if (texts !== undefined) return this.#run(whole, texts)
    this.#merged.add(
      whole.all,
      whole.all.map(({ guardrail }) => this.#tooLong(guardrail)),
    )
    return []
  }

  /** Looks at what went out, and tells what all came to. @param texts undefined where they are too long */
  readonly end = (texts: readonly string[] | undefined): void | Promise<void> => {
    this.tell()
    const { plan, context, report } = this.#options
    if (texts === undefined) {
      report(
        plan.after.flat().map((each) => this.#tooLong(each)),
        [],
      )
      return undefined
    }
    const outcome = runGuardrails(plan.after, new TextContent(texts), context)
    const told = ({ reports, later }: StageOutcome): void => report(reports, later)
    return outcome instanceof Promise ? outcome.then(told) : told(outcome)
  }

  /** Tells what the looks came to so far, once. */
  readonly tell = (): void => {
    if (this.#isTold) return
    this.#isTold = true
    const { plan, context, report } = this.#options
    report(this.#merged.reportsOf(plan.holding, context.wallClock()), [])
  }

  #run(
    { all, groups }: Shares,
    texts: readonly string[],
    part?: TextPart,
  ): readonly string[] | Promise<readonly string[]> {
    if (all.length === 0) return texts
    const { context } = this.#options
    const placed = part === undefined ? context : { ...context, call: { ...context.call, part } }
    const outcome = runGuardrails(groups, new TextContent(texts), placed)
    return outcome instanceof Promise ? outcome.then((late) => this.#looked(all, late)) : this.#looked(all, outcome)
  }

  #looked(shares: readonly Share[], { reports, deniedBy, hasFailed, content }: StageOutcome): readonly string[] {
    this.#merged.add(shares, reports)
    this.#hasFailed ||= hasFailed
    if (deniedBy === undefined) return content.texts
    this.#deniedBy = deniedBy
    this.tell()
    throw this.#options.refusal(deniedBy)
  }

  /** Nobody looks at a text of that length; a check that cannot look lets pass. */
  #tooLong(guardrail: CompiledGuardrail): HookReport {
    const { context, maxCharacters } = this.#options
    const nowMs = context.wallClock()
    const error = { name: 'Error', message: `the answer is longer than ${maxCharacters} characters` }
    const checks = guardrail.output.map(({ id, name }): CheckReport => {
      const report = {
        id,
        verdict: true,
        transformed: false,
        execution_time: 0,
        created_at: new Date(nowMs).toISOString(),
      }
      return { ...report, ...defined({ name }), error }
    })
    return toReport(guardrail, checks, 0, nowMs, false)
  }
}
