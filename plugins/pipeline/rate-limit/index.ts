import { type Answer, type Call, definePlugin, type Finish, RateLimited, type Stage, t } from '#kit'
import { callConfig, limitAccount, rehearsal, target } from '#kit/slots'
import { admitOptions, callFacts, targetFacts } from './facts.ts'

const NOTHING = new Uint8Array(0)

/**
 * Rate limits: `rate-limit` charges what looks at the call alone, `target-limit` what looks at where it goes; a call that
 * can only go to one place is charged in one step. What was held back is settled when the call ends.
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
      for (const [name, value] of call.find(limitAccount)?.headers() ?? []) call.replyHeaders.set(name, value)
    }

    const rateLimit: Stage = {
      name: 'rate-limit',
      async run(call, next) {
        // Lists of models reach no model.
        if (call.endpoint === 'models') return next()
        const facts = callFacts(call)
        const { targets } = call.get(callConfig)
        const dryRun = call.find(rehearsal)
        if (dryRun !== undefined) {
          dryRun.limits = await limits.explain(
            facts,
            targets.map((to) => ({ facts: targetFacts(to), options: admitOptions(call, to) })),
          )
          return emptyAnswer()
        }
        const account = limits.open(facts)
        call.set(limitAccount, account)
        call.onFinish((finish) => account.settle(spentBy(finish)))
        const [only, another] = targets
        const isOnly = only !== undefined && another === undefined
        try {
          const admitted = isOnly
            ? account.admitCall(admitOptions(call, only), targetFacts(only))
            : account.admitCall(admitOptions(call, undefined))
          if (admitted !== undefined) await admitted
        } catch (thrown) {
          tell(call, thrown)
          throw thrown
        }
        tell(call)
        return next()
      },
    }

    const targetLimit: Stage = {
      name: 'target-limit',
      async run(call, next) {
        const account = call.find(limitAccount)
        if (account === undefined) return next()
        const to = call.get(target)
        try {
          const admitted = account.admitTarget(admitOptions(call, to), targetFacts(to))
          if (admitted !== undefined) {
            await admitted
            tell(call)
          }
          return await next()
        } catch (thrown) {
          tell(call, thrown)
          account.attemptFailed({ reachedProvider: call.reachedProvider, totalTokens: 0, outputTokens: 0 })
          throw thrown
        }
      },
    }
    return { stages: [rateLimit, targetLimit] }
  },
})

const spentBy = ({ usage, reachedProvider }: Finish) => ({
  reachedProvider,
  totalTokens: usage?.totalTokens ?? 0,
  outputTokens: usage?.outputTokens ?? 0,
})

const emptyAnswer = (): Answer => ({ status: 200, headers: new Headers(), body: NOTHING })
