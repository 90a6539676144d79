import { defined } from '../../core/defined.ts'
import type { CheckReport, FeedbackAction, GuardrailDefinition, HookReport } from '../../core/guardrails.ts'
import type { CompiledCheck, CompiledGuardrail } from './compile.ts'
import type { Content } from './content.ts'
import { isoTime } from './iso-time.ts'
import { type CheckContext, type CheckOutcome, runCheck } from './run-check.ts'

/** What a guardrail came to. */
export interface GuardrailOutcome {
  readonly guardrail: CompiledGuardrail
  readonly report: HookReport
  /** As its checks have left it. */
  readonly content: Content
}

/**
 * Runs the checks of a guardrail that belong to the stage: side by side, or one after the other where it says so or changes
 * things (a mutator). Never throws or rejects; at once, where all of its checks answer so.
 */
export const runGuardrail = (
  guardrail: CompiledGuardrail,
  content: Content,
  context: CheckContext,
): GuardrailOutcome | Promise<GuardrailOutcome> => {
  const { sequential, type } = guardrail.definition
  const startedMs = context.now()
  const checks = checksOf(guardrail, context)
  const run = sequential || type === 'mutator' ? inSequence : sideBySide
  const done = run(checks, content, context)
  const toOutcome = ({ reports, content: after }: Checked): GuardrailOutcome => ({
    guardrail,
    content: after,
    report: toReport(guardrail, reports, context.now() - startedMs, context.wallClock(), after !== content),
  })
  return done instanceof Promise ? done.then(toOutcome) : toOutcome(done)
}

/** Checks that run in a stage. */
export const checksOf = (
  guardrail: CompiledGuardrail,
  { stage, hasTexts }: Pick<CheckContext, 'stage' | 'hasTexts'>,
): readonly CompiledCheck[] => {
  if (hasTexts) return guardrail[stage]
  return stage === 'input' ? guardrail.request : NONE
}

const NONE: readonly CompiledCheck[] = []

interface Checked {
  readonly reports: readonly CheckReport[]
  readonly content: Content
}

const inSequence = (
  checks: readonly CompiledCheck[],
  content: Content,
  context: CheckContext,
  before: readonly CheckReport[] = [],
): Checked | Promise<Checked> => {
  const reports = [...before]
  let current = content
  for (const [index, check] of checks.entries()) {
    const outcome = runCheck(check, current, context)
    if (outcome instanceof Promise) {
      return outcome.then((done) =>
        inSequence(checks.slice(index + 1), done.content, context, [...reports, done.report]),
      )
    }
    reports.push(outcome.report)
    current = outcome.content
  }
  return { reports, content: current }
}

const sideBySide = (
  checks: readonly CompiledCheck[],
  content: Content,
  context: CheckContext,
): Checked | Promise<Checked> => {
  const outcomes: (CheckOutcome | Promise<CheckOutcome>)[] = []
  let isLater = false
  for (const check of checks) {
    const outcome = runCheck(check, content, context)
    isLater ||= outcome instanceof Promise
    outcomes.push(outcome)
  }
  return isLater
    ? Promise.all(outcomes).then((done) => joined(checks, done, content, context))
    : joined(checks, outcomes as CheckOutcome[], content, context)
}

/** All have judged what there was at first; of those that changed it, each later one changes what the earlier ones left. */
const joined = (
  checks: readonly CompiledCheck[],
  outcomes: readonly CheckOutcome[],
  content: Content,
  context: CheckContext,
): Checked | Promise<Checked> => {
  const reports = outcomes.map(({ report }) => report)
  const changing = checks.filter((_, index) => outcomes[index]?.content !== content)
  const [first, ...others] = outcomes.filter((outcome) => outcome.content !== content)
  if (first === undefined) return { reports, content }
  if (others.length === 0) return { reports, content: first.content }
  const again = inSequence(changing.slice(1), first.content, context)
  return again instanceof Promise
    ? again.then((done) => ({ reports, content: done.content }))
    : { reports, content: again.content }
}

/** The report of a guardrail whose checks have reported. @param tookMs milliseconds of all of them */
export const toReport = (
  { id, name, definition }: CompiledGuardrail,
  checks: readonly CheckReport[],
  tookMs: number,
  nowMs: number,
  transformed: boolean,
): HookReport => {
  const verdict = checks.every((each) => each.verdict)
  return {
    id,
    type: definition.type,
    verdict,
    transformed,
    deny: definition.deny,
    async: definition.async,
    checks,
    feedback: toFeedback(definition, verdict, checks),
    execution_time: Math.round(tookMs * 1000) / 1000,
    created_at: isoTime(nowMs),
    ...defined({ name }),
  }
}

const labelsOf = ({ metadata }: FeedbackAction): Readonly<Record<string, string>> => {
  if (typeof metadata !== 'string') return metadata
  return metadata === '' ? {} : { note: metadata }
}

const toFeedback = (
  { on_success: onSuccess, on_fail: onFail }: GuardrailDefinition,
  verdict: boolean,
  checks: readonly CheckReport[],
): HookReport['feedback'] => {
  const action: FeedbackAction | undefined = (verdict ? onSuccess : onFail)?.feedback
  if (action === undefined) return null
  const ids = (of: (check: CheckReport) => boolean): string =>
    checks
      .filter(of)
      .map(({ id }) => id)
      .join(', ')
  return {
    value: action.value,
    weight: action.weight,
    metadata: {
      ...labelsOf(action),
      successfulChecks: ids((each) => each.verdict && each.error === undefined),
      failedChecks: ids((each) => !each.verdict),
      erroredChecks: ids((each) => each.error !== undefined),
    },
  }
}
