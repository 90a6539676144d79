import type { HookReport } from '../../core/guardrails.ts'
import type { CompiledGuardrail } from './compile.ts'
import type { Content } from './content.ts'
import type { CheckContext } from './run-check.ts'
import { checksOf, type GuardrailOutcome, runGuardrail } from './run-guardrail.ts'

/** What the guardrails of one stage came to. */
export interface StageOutcome {
  readonly reports: readonly HookReport[]
  readonly content: Content
  /** The guardrail that refuses the call. */
  readonly deniedBy: CompiledGuardrail | undefined
  /** One that does not deny has failed. */
  readonly hasFailed: boolean
  /** Those that only report, still at work. */
  readonly later: readonly Promise<HookReport>[]
}

/**
 * Runs the guardrails of a call, group by group (organisation, workspace, config): each group gets what the one before has left,
 * and does not run where that refuses. Within a group all look at the same, side by side. Never throws or rejects.
 */
export const runGuardrails = (
  groups: readonly (readonly CompiledGuardrail[])[],
  content: Content,
  context: CheckContext,
): StageOutcome | Promise<StageOutcome> => {
  let outcome: StageOutcome = { ...NOTHING, content }
  for (const [index, group] of groups.entries()) {
    if (group.length === 0) continue
    const after = runGroup(group, outcome, context)
    if (after instanceof Promise) return runRest(after, groups.slice(index + 1), context)
    outcome = after
    if (outcome.deniedBy !== undefined) return outcome
  }
  return outcome
}

const NOTHING: Omit<StageOutcome, 'content'> = { reports: [], deniedBy: undefined, hasFailed: false, later: [] }

const runRest = async (
  first: Promise<StageOutcome>,
  groups: readonly (readonly CompiledGuardrail[])[],
  context: CheckContext,
): Promise<StageOutcome> => {
  let outcome = await first
  for (const group of groups) {
    if (outcome.deniedBy !== undefined) return outcome
    if (group.length > 0) outcome = await runGroup(group, outcome, context)
  }
  return outcome
}

const runGroup = (
  group: readonly CompiledGuardrail[],
  before: StageOutcome,
  context: CheckContext,
): StageOutcome | Promise<StageOutcome> => {
  const outcomes: (GuardrailOutcome | Promise<GuardrailOutcome>)[] = []
  const later = [...before.later]
  const reports = [...before.reports]
  let waits = false
  for (const guardrail of group) {
    if (checksOf(guardrail, context).length === 0) continue
    const outcome = runGuardrail(guardrail, before.content, context)
    if (!guardrail.definition.async) {
      waits ||= outcome instanceof Promise
      outcomes.push(outcome)
    } else if (outcome instanceof Promise) later.push(outcome.then(({ report }) => asReported(report)))
    else reports.push(asReported(outcome.report))
  }
  const known = { ...before, reports, later }
  return waits
    ? Promise.all(outcomes).then((done) => joined(done, known, context))
    : joined(outcomes as GuardrailOutcome[], known, context)
}

/** What reports alone changes nothing. */
const asReported = (report: HookReport): HookReport => ({ ...report, transformed: false })

/** All have judged the same; of those that changed it, each later one changes what the earlier ones left. */
const joined = (
  outcomes: readonly GuardrailOutcome[],
  before: StageOutcome,
  context: CheckContext,
): StageOutcome | Promise<StageOutcome> => {
  const outcome: StageOutcome = {
    ...before,
    reports: [...before.reports, ...outcomes.map(({ report }) => report)],
    deniedBy: outcomes.find(({ report }) => !report.verdict && report.deny)?.guardrail,
    hasFailed: before.hasFailed || outcomes.some(({ report }) => !report.verdict && !report.deny),
  }
  const changing = outcomes.filter(({ content }) => content !== before.content)
  const content = changing.reduce<Content | Promise<Content>>((current, { guardrail, content: changed }, index) => {
    if (index === 0) return changed
    return current instanceof Promise
      ? current.then(async (now) => (await runGuardrail(guardrail, now, context)).content)
      : contentOf(runGuardrail(guardrail, current, context))
  }, before.content)
  return content instanceof Promise
    ? content.then((after) => ({ ...outcome, content: after }))
    : { ...outcome, content }
}

const contentOf = (outcome: GuardrailOutcome | Promise<GuardrailOutcome>): Content | Promise<Content> =>
  outcome instanceof Promise ? outcome.then(({ content }) => content) : outcome.content
