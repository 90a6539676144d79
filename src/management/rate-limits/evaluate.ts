import { GatewayError } from '../../errors/gateway-error.ts'
import type { DryRunCall } from '../dry-run-call.ts'
import type { LimitDryRun } from './deps.ts'
import type { ExplanationAnswer } from './evaluation-model.ts'
import { toExplanationAnswer, toRefusedAnswer } from './explanation-view.ts'

/** What the call would be answered: also a refusal that has nothing to do with limits is an answer. */
export const evaluate = async (limits: LimitDryRun, call: DryRunCall): Promise<ExplanationAnswer> => {
  try {
    return toExplanationAnswer(await limits.dryRunLimits(call))
  } catch (thrown) {
    if (!(thrown instanceof GatewayError) || thrown.row.family === 'management') throw thrown
    return toRefusedAnswer(thrown)
  }
}
