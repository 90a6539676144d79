import { SEARCH_STEPS } from '#calls/config/conditions'
import { StepBudget } from '#core/step-budget'
import type { Call } from '#kit'
import type { ConditionSubject } from '#kit/plan'
import { callConfig, principal } from '#kit/slots'
import type { BalanceFacts } from './balance.ts'

/** What a way through a plan may look at. The body is only read when something asks for it. */
export const routeFacts = (call: Call, nowMs: number): BalanceFacts => {
  const { metadata } = call.get(callConfig)
  const subject: ConditionSubject = {
    metadata,
    pathname: call.request.path,
    searchBudget: new StepBudget(SEARCH_STEPS),
    get params() {
      return call.params
    },
  }
  return { keyId: call.get(principal).keyId, headers: call.request.headers, subject, nowMs }
}
