import type { CompiledGuardrail } from '#calls/guardrails/compile'
import { TextContent } from '#calls/guardrails/content'
import type { CheckContext } from '#calls/guardrails/run-check'
import { toReport } from '#calls/guardrails/run-guardrail'
import { runGuardrails, type StageOutcome } from '#calls/guardrails/run-guardrails'
import type { CheckReport, HookReport, TextKind } from '#core/guardrails'
import { NO_EDITS, type TextEdits } from '#core/text-edits'
import { defined } from '#kit'
import type { TextPart } from '#kit/check'
import type { CollectedText } from './collected-texts.ts'
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
  readonly #placed = new Map<TextPart, CheckContext>()
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

  /** @returns what is to be changed in a part of a text @throws the refusal */
  readonly look = (part: string, kind: TextKind, place: TextPart | undefined): TextEdits | Promise<TextEdits> => {
    const edits = this.#run(this.#options.plan.parts, new TextContent([part], undefined, [kind]), place)
    return edits instanceof Promise ? edits.then(([late = NO_EDITS]) => late) : (edits[0] ?? NO_EDITS)
  }

  /** @returns what is to be changed in each text @throws the refusal */
  readonly lookAtAll = (
    texts: readonly CollectedText[] | undefined,
  ): readonly TextEdits[] | Promise<readonly TextEdits[]> => {
    const { whole } = this.#options.plan
    if (texts !== undefined) return this.#run(whole, contentOf(texts))
    const reports = whole.all.map(({ guardrail }) => this.#tooLong(guardrail))
    const deniedBy = whole.all.find(({ of }, index) => of.definition.deny && reports[index]?.verdict === false)?.of
    return this.#looked(whole.all, { reports, deniedBy, hasFailed: false, edits: [] })
  }

  /** Looks at what went out, and tells what all came to. @param texts undefined where they are too long */
  readonly end = (texts: readonly CollectedText[] | undefined): void | Promise<void> => {
    this.tell()
    const { plan, context, report } = this.#options
    if (texts === undefined) {
      report(
        plan.after.flat().map((each) => this.#tooLong(each)),
        [],
      )
      return undefined
    }
    const outcome = runGuardrails(plan.after, contentOf(texts), context)
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
    content: TextContent,
    part?: TextPart,
  ): readonly TextEdits[] | Promise<readonly TextEdits[]> {
    if (all.length === 0) return content.edits
    const outcome = runGuardrails(groups, content, this.#contextOf(part))
    const looked = (after: StageOutcome): readonly TextEdits[] =>
      this.#looked(all, { ...after, edits: after.content.edits ?? [] })
    return outcome instanceof Promise ? outcome.then(looked) : looked(outcome)
  }

  #contextOf(part: TextPart | undefined): CheckContext {
    const { context } = this.#options
    if (part === undefined) return context
    const known = this.#placed.get(part)
    if (known !== undefined) return known
    const placed = { ...context, call: { ...context.call, part } }
    this.#placed.set(part, placed)
    return placed
  }

  #looked(shares: readonly Share[], { reports, deniedBy, hasFailed, edits }: Looked): readonly TextEdits[] {
    this.#merged.add(shares, reports)
    this.#hasFailed ||= hasFailed
    if (deniedBy === undefined) return edits
    this.#deniedBy = deniedBy
    this.tell()
    throw this.#options.refusal(deniedBy)
  }

  /** Nobody looks at a text of that length. A check that cannot look lets pass, unless it was told not to. */
  #tooLong(guardrail: CompiledGuardrail): HookReport {
    const { context, maxCharacters } = this.#options
    const nowMs = context.wallClock()
    const error = { name: 'Error', message: `the answer is longer than ${maxCharacters} characters` }
    const checks = guardrail.output.map(({ id, name, prepared }): CheckReport => {
      const report = {
        id,
        verdict: prepared.failsClosed !== true,
        transformed: false,
        execution_time: 0,
        created_at: new Date(nowMs).toISOString(),
      }
      return { ...report, ...defined({ name }), error }
    })
    return toReport(guardrail, checks, 0, nowMs, false)
  }
}

type Looked = Pick<StageOutcome, 'reports' | 'deniedBy' | 'hasFailed'> & { readonly edits: readonly TextEdits[] }

const contentOf = (texts: readonly CollectedText[]): TextContent =>
  new TextContent(
    texts.map(({ text }) => text),
    undefined,
    texts.map(({ kind }) => kind),
  )
