import { type Call, type ConditionSubject, SEARCH_STEPS, StepBudget } from '#kit'
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
