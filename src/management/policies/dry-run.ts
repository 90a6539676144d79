import { defined } from '../../core/defined.ts'
import type { ConditionVerdict, ExplainedBudget, LimitExplanation, LimitVerdict } from '../../core/limits.ts'
import { toEnvelope } from '../../errors/envelope.ts'
import { GatewayError } from '../../errors/gateway-error.ts'
import type { DryRunCall } from '../dry-run-call.ts'
import type { ExplanationAnswer } from './evaluation-model.ts'

export interface LimitDryRun {
  /**
   * What the limits would say to the call, changing nothing.
   * @throws GatewayError what the chain refuses the call with before it comes to its limits
   */
  dryRunLimits(call: DryRunCall): Promise<LimitExplanation>
}

/** What the call would be answered: also a refusal that has nothing to do with limits is an answer. */
export const dryRun = async (limits: LimitDryRun, call: DryRunCall): Promise<ExplanationAnswer> => {
  try {
    return toExplanationAnswer(await limits.dryRunLimits(call))
  } catch (thrown) {
    if (!(thrown instanceof GatewayError) || thrown.row.family === 'management') throw thrown
    return toRefusedAnswer(thrown)
  }
}

/** What a dry run found, as the interface writes it. */
const toExplanationAnswer = ({ allowed, status, targets }: LimitExplanation): ExplanationAnswer => ({
  allowed,
  status,
  targets: targets.map(({ target: { provider, virtualKey, model }, limits, budgets, ...verdict }) => ({
    target: defined({ provider, virtual_key: virtualKey, model }),
    ...verdict,
    limits: limits.map(toVerdict),
    budgets: budgets.map(toBudgetVerdict),
  })),
})

/** The call would not even come to its limits. */
const toRefusedAnswer = (error: GatewayError): ExplanationAnswer => ({
  allowed: false,
  status: error.status,
  targets: [],
  error: { ...toEnvelope(error).error },
})

const toVerdict = ({ conditions, wouldRefuse, retryAfterMs, group, ...verdict }: LimitVerdict) => ({
  ...verdict,
  conditions: conditions.map(toCondition),
  ...defined({ group: group && { ...group }, would_refuse: wouldRefuse, retry_after_ms: retryAfterMs }),
})

const toBudgetVerdict = (budget: ExplainedBudget) => {
  const { conditions, limit, group, isUnpriced, wouldRefuse, startMs: _, endMs, ...verdict } = budget
  return {
    ...verdict,
    credit_limit: limit,
    conditions: conditions.map(toCondition),
    ...defined({
      group: group && { ...group },
      is_unpriced: isUnpriced,
      would_refuse: wouldRefuse,
      next_usage_reset_at: endMs === undefined ? undefined : new Date(endMs).toISOString(),
    }),
  }
}

const toCondition = ({ value, excludes, ...condition }: ConditionVerdict) => ({
  ...condition,
  value: copyOf(value),
  ...defined({ excludes: excludes && copyOf(excludes) }),
})

const copyOf = (values: string | readonly string[]): string | string[] =>
  typeof values === 'string' ? values : [...values]
