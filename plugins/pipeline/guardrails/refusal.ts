import type { CompiledGuardrail } from '#calls/guardrails/compile'
import type { GuardrailReports } from '#calls/slots'
import type { CheckStage, HookResults } from '#core/guardrails'
import { GuardrailDenied } from '#kit'

/** What guardrails came to, as clients see it. */
export const hookResults = ({ before, after }: GuardrailReports): HookResults => ({
  before_request_hooks: before,
  after_request_hooks: after,
})

/** The refusal of a guardrail. It names the guardrail and its checks, and nothing of what was said. */
export const denied = (by: CompiledGuardrail, stage: CheckStage, reports: GuardrailReports): GuardrailDenied => {
  const report = (stage === 'input' ? reports.before : reports.after).find(
    ({ id, verdict }) => id === by.id && !verdict,
  )
  const failed = report?.checks.filter(({ verdict }) => !verdict).map(({ id }) => id) ?? []
  const what = stage === 'input' ? 'the request' : 'the answer'
  return new GuardrailDenied(
    `The guardrail '${by.name ?? by.id}' refused ${what}: ${failed.join(', ')} failed. \`hook_results\` says more.`,
    { hookResults: hookResults(reports) },
  )
}
