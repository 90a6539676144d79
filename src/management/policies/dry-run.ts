import { defined } from '../../core/defined.ts'
import type { LimitExplanation, LimitVerdict } from '../../core/limits.ts'
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
  targets: targets.map(({ target: { provider, virtualKey, model }, limits, budgets: _, ...verdict }) => ({
    target: defined({ provider, virtual_key: virtualKey, model }),
    ...verdict,
    limits: limits.map(toVerdict),
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
  conditions: conditions.map(({ value, excludes, ...condition }) => ({
    ...condition,
    value: copyOf(value),
    ...(excludes === undefined ? {} : { excludes: copyOf(excludes) }),
  })),
  ...defined({
    group: group === undefined ? undefined : { ...group },
    would_refuse: wouldRefuse,
    retry_after_ms: retryAfterMs,
  }),
})

const copyOf = (values: string | readonly string[]): string | string[] =>
  typeof values === 'string' ? values : [...values]
