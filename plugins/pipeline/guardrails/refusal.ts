import type { CompiledGuardrail } from '#calls/guardrails/compile'
import type { GuardrailReports } from '#calls/slots'
import type { CheckStage, HookReport, HookResults } from '#core/guardrails'
import { GuardrailDenied } from '#kit'

/**
 * What guardrails came to, as clients see it. Where an answer is withheld or was changed, what checks say of it is left out: they
 * may quote what the client is not to see.
 */
export const hookResults = ({ before, after }: GuardrailReports): HookResults => ({
  before_request_hooks: before,
  after_request_hooks: after.some(hides) ? after.map(withoutData) : after,
})

const hides = ({ verdict, deny, transformed }: HookReport): boolean => transformed || (deny && !verdict)

const withoutData = (report: HookReport): HookReport => ({
  ...report,
  checks: report.checks.map(({ data: _data, log: _log, ...check }) => check),
})

/** What a refusal says: the guardrail and its checks, and nothing of what was said. */
export const refusalText = (by: CompiledGuardrail, stage: CheckStage, reports: GuardrailReports): string => {
  const report = (stage === 'input' ? reports.before : reports.after).find(
    ({ id, verdict }) => id === by.id && !verdict,
  )
  const failed = report?.checks.filter(({ verdict }) => !verdict).map(({ id }) => id) ?? []
  const what = stage === 'input' ? 'the request' : 'the answer'
  return `The guardrail '${by.name ?? by.id}' refused ${what}: ${failed.join(', ')} failed.`
}

/** The refusal of a guardrail. */
export const denied = (by: CompiledGuardrail, stage: CheckStage, reports: GuardrailReports): GuardrailDenied =>
  new GuardrailDenied(`${refusalText(by, stage, reports)} \`hook_results\` says more.`, {
    hookResults: hookResults(reports),
  })
