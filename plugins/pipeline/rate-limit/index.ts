import {
  type Answer,
  type Call,
  type CallAccount,
  type CallFacts,
  definePlugin,
  type Finish,
  RateLimited,
  type Stage,
  t,
} from '#kit'
import { type CallConfig, callConfig, limitAccount, type Rehearsal, rehearsal, type Target, target } from '#kit/slots'
import { admitOptions, callFacts, targetFacts } from './facts.ts'

const NOTHING = new Uint8Array(0)

/**
 * Rate limits: `rate-limit` charges what looks at the call alone, `target-limit` what looks at where it goes; a call that
 * can only go to one place is charged in one step, and one that the cache may answer is charged at the target. What was
 * held back is settled when the call ends.
 */
export default definePlugin({
  name: 'rate-limit',
  config: t.Object({
    headers: t.Boolean({
      default: true,
      description: 'Tell callers about the limits that they met: `x-ratelimit-*`, `RateLimit` and `RateLimit-Policy`.',
    }),
  }),
  setup({ headers }, { limits }) {
    const tell = (call: Call, thrown?: unknown): void => {
      // A refusal always comes with its numbers.
      if (!headers && !(thrown instanceof RateLimited)) return
      const account = call.find(limitAccount)
      if (account === undefined) return
      for (const [name, value] of account.headers()) call.replyHeaders.set(name, value)
    }

    /** Charges what looks at the call alone or, when it can only go to one place, everything. */
    const admit = (call: Call, account: CallAccount): void | Promise<void> => {
      const { only } = call.get(callConfig)
      return only === undefined
        ? account.admitCall(admitOptions(call, undefined))
        : account.admitCall(admitOptions(call, only), targetFacts(only))
    }
    /** Accounts that are charged at the target: an answer from the cache costs nothing, and it is looked for there. */
    const postponed = new WeakSet<CallAccount>()

    const explain = async (call: Call, facts: CallFacts, dryRun: Rehearsal): Promise<Answer> => {
      const targets = await bindAll(call.get(callConfig))
      dryRun.limits = await limits.explain(
        facts,
        targets.map((to) => ({ facts: targetFacts(to), options: admitOptions(call, to) })),
      )
      return emptyAnswer()
    }

    /** @returns nothing where nothing is charged, or nobody needs to be asked */
    const chargeTarget = (call: Call, account: CallAccount, to: Target): undefined | Promise<void> => {
      if (postponed.has(account)) return told(call, chargeAll(call, account, to))
      try {
        const admitted = account.admitTarget(admitOptions(call, to), targetFacts(to))
        return admitted === undefined ? undefined : told(call, admitted)
      } catch (thrown) {
        tell(call, thrown)
        throw thrown
      }
    }

    /** What was postponed, and what looks at the target. */
    const chargeAll = async (call: Call, account: CallAccount, to: Target): Promise<void> => {
      await admit(call, account)
      // Only now: refused here, the call is refused at its next target too.
      postponed.delete(account)
      await account.admitTarget(admitOptions(call, to), targetFacts(to))
    }

    /** The caller hears of its limits, whatever the store says. */
    const told = async (call: Call, admitted: Promise<void>): Promise<void> => {
      try {
        await admitted
      } catch (thrown) {
        tell(call, thrown)
        throw thrown
      }
      tell(call)
    }

    const rateLimit: Stage = {
      name: 'rate-limit',
      run(call, next) {
        // Lists of models reach no model.
        if (call.endpoint === 'models') return next()
        const facts = callFacts(call)
        const dryRun = call.find(rehearsal)
        if (dryRun !== undefined) return explain(call, facts, dryRun)
        const account = limits.open(facts)
        call.set(limitAccount, account)
        call.onFinish((finish) => account.settle(spentBy(finish)))
        if (call.get(callConfig).plan.usesCache) {
          postponed.add(account)
          return next()
        }
        let admitted: void | Promise<void>
        try {
          admitted = admit(call, account)
        } catch (thrown) {
          tell(call, thrown)
          throw thrown
        }
        if (admitted !== undefined) return told(call, admitted).then(() => next())
        tell(call)
        return next()
      },
    }

    const targetLimit: Stage = {
      name: 'target-limit',
      run(call, next) {
        const account = call.find(limitAccount)
        if (account === undefined) return next()
        const charged = chargeTarget(call, account, call.get(target))
        const goOn = (): Promise<Answer> => {
          // Heard when the attempt is given up, also after its answer had begun; with the call itself all is settled already.
          call.onFinish(({ reachedProvider }) =>
            account.attemptFailed({ reachedProvider, totalTokens: 0, outputTokens: 0 }),
          )
          return next()
        }
        return charged === undefined ? goOn() : charged.then(goOn)
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

const spentBy = ({ usage, reachedProvider }: Finish) => {
  const { totalTokens = 0, outputTokens = 0 } = usage?.ownCount ?? usage ?? {}
  return { reachedProvider, totalTokens, outputTokens }
}

const emptyAnswer = (): Answer => ({ status: 200, headers: new Headers(), body: NOTHING })
