import { limitAccount, type ResponseLimits } from '#calls/slots'
import type { CallAccount, RateLimits } from '#core/limits'
import type { Prices } from '#core/prices'
import type { Call } from '#kit'
import type { Target } from '#kit/slots'
import { Admission, callFacts, targetFacts } from './facts.ts'
import { spentBy } from './spent.ts'

const UNUSED = { reachedProvider: false, totalTokens: 0, outputTokens: 0 }

/** Tokens and money of the responses of a session: each has an account of its own. The session was charged as a request. */
export const limitsOfResponses = (
  session: Call,
  to: Target,
  { limits, prices }: { readonly limits: RateLimits; readonly prices: Prices },
): ResponseLimits => {
  const facts = callFacts(session)
  const admit = (account: CallAccount): void | Promise<void> =>
    account.admit(new Admission(session, to, prices, 'part'), targetFacts(to))
  return {
    admit(response) {
      const account = limits.open(facts)
      response.set(limitAccount, account)
      response.onFinish((finish) => account.settle(spentBy(finish)))
      return admit(account)
    },
    check() {
      const account = limits.open(facts)
      const giveBack = (): void => {
        account.attemptEnded(false)
        account.settle(UNUSED)
      }
      const admitted = admit(account)
      if (admitted === undefined) return giveBack()
      return admitted.then(giveBack)
    },
  }
}
