import { isSocket } from '#calls/pass-through/pass-through'
import { type DryRun, dryRun, limitAccount, responseLimits } from '#calls/slots'
import { BUDGET_HEADER, type CallAccount, type CallFacts } from '#core/limits'
import { type Answer, type Call, definePlugin, RateLimited, type Stage, t } from '#kit'
import { type CallConfig, callConfig, type Target, target } from '#kit/slots'
import { Admission, callFacts, targetFacts } from './facts.ts'
import { limitsOfResponses } from './responses.ts'
import { spentBy } from './spent.ts'

const NOTHING = new Uint8Array(0)

/**
 * Rate limits and budgets: `rate-limit` opens the account of a call, and `target-limit` charges it, behind the cache: an
 * answer that is there already costs nothing. What was held back is settled when the call ends.
 */
export default definePlugin({
  name: 'rate-limit',
  config: t.Object({
    headers: t.Boolean({
      default: true,
      description: 'Tell callers about the limits that they met: `x-ratelimit-*`, `RateLimit` and `RateLimit-Policy`.',
    }),
    budgetHeader: t.Boolean({
      default: true,
      description: 'Tell callers what is left of the tightest budget that they met: `x-gateway-budget-remaining`.',
    }),
  }),
  needs: ['limits', 'prices'],
  setup({ headers, budgetHeader }, { limits, prices }) {
    /** Callers hear of their limits, whatever the store says. */
    const tell = (call: Call, account: CallAccount, thrown?: unknown): void => {
      // A refusal always comes with its numbers.
      const tellsLimits = headers || thrown instanceof RateLimited
      if (!tellsLimits && !budgetHeader) return
      for (const [name, value] of account.headers()) {
        if (name === BUDGET_HEADER ? budgetHeader : tellsLimits) call.replyHeaders.set(name, value)
      }
    }

    const explain = async (call: Call, facts: CallFacts, state: DryRun): Promise<Answer> => {
      const targets = await bindAll(call.get(callConfig))
      state.limits = await limits.dryRun(
        facts,
        targets.map((to) => ({ facts: targetFacts(to), options: new Admission(call, to, prices) })),
      )
      return emptyAnswer()
    }

    const rateLimit: Stage = {
      name: 'rate-limit',
      run(call, next) {
        if (!call.endpoint.isCounted) return next()
        const facts = callFacts(call)
        const state = call.find(dryRun)
        if (state !== undefined) return explain(call, facts, state)
        const account = limits.open(facts)
        call.set(limitAccount, account)
        call.onFinish((finish) => account.settle(spentBy(finish)))
        return next()
      },
    }

    const targetLimit: Stage = {
      name: 'target-limit',
      run(call, next) {
        const account = call.find(limitAccount)
        if (account === undefined) return next()
        const to = call.get(target)
        const goOn = (): Promise<Answer> => {
          tell(call, account)
          // Heard when the attempt is given up, also after its answer had begun; with the call itself all is settled already.
          // What a failed attempt may have cost stays held back: it costs nothing where no usage is known.
          call.onFinish(({ reachedProvider, usage }) => account.attemptEnded(reachedProvider, usage !== undefined))
          return next()
        }
        const refuse = (thrown: unknown): never => {
          tell(call, account, thrown)
          throw thrown
        }
        let admitted: void | Promise<void>
        try {
          const isSession = isSocket(call)
          if (isSession) call.set(responseLimits, limitsOfResponses(call, to, { limits, prices }))
          admitted = account.admit(new Admission(call, to, prices, isSession ? 'session' : 'call'), targetFacts(to))
        } catch (thrown) {
          return refuse(thrown)
        }
        return admitted === undefined ? goOn() : admitted.then(goOn, refuse)
      },
    }
    return { stages: [rateLimit, targetLimit] }
  },
})

/**
 * The targets of a call, for a dry run. One that the call cannot be sent to has no limits to tell.
 * @throws what the first one says, when there is no other
 */
const bindAll = async ({ plan, bind }: CallConfig): Promise<readonly Target[]> => {
  const bound = await Promise.allSettled(plan.leaves.map(async (leaf) => bind(leaf)))
  const targets = bound.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const refused = bound.find((each) => each.status === 'rejected')
  if (targets.length === 0 && refused !== undefined) throw refused.reason
  return targets
}

const emptyAnswer = (): Answer => ({ status: 200, headers: new Headers(), body: NOTHING })
