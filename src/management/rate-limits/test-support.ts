import { builtInEndpoints } from '../../../plugins/built-in.ts'
import type { LimitExplanation } from '../../core/limits.ts'
import type { UsedGroup } from '../../limits/rate-limits.ts'
import type { Store } from '../../store/types.ts'
import { createFixture, type Fixture } from '../integrations/test-support.ts'
import type { RateLimitsDeps } from './deps.ts'
import { rateLimitsRoutes } from './routes.ts'
import { rateLimitsUsageRoutes } from './usage-routes.ts'

export const PATH = '/policies/rate-limits'

/** What the limits of a test say, and what they were asked. */
export interface FakeLimits {
  readonly limits: RateLimitsDeps['limits']
  asked: unknown[]
  used: readonly UsedGroup[]
  explanation: LimitExplanation
  /** Thrown instead of an answer. */
  failure: Error | undefined
  /** Back to limits that have counted nothing and refuse nothing. */
  clear(): void
}

export const createFakeLimits = (): FakeLimits => {
  const told = { asked: [] as unknown[], used: [] as readonly UsedGroup[], explanation: NOTHING }
  const fake: FakeLimits = {
    ...told,
    failure: undefined,
    clear() {
      Object.assign(fake, { asked: [], used: [], explanation: NOTHING, failure: undefined })
    },
    limits: {
      async usage({ id, value }, page) {
        if (fake.failure !== undefined) throw fake.failure
        fake.asked.push({ id, value, page })
        return { total: fake.used.length, groups: fake.used.slice(page.offset, page.offset + page.limit) }
      },
      async ownedUsage(workspaceId, { owner, id, limits }) {
        if (fake.failure !== undefined) throw fake.failure
        fake.asked.push({ workspaceId, owner, id })
        return limits.map((limit) => ({ ...limit, used: 1, remaining: limit.value - 1 }))
      },
      async reset({ id }, group) {
        if (fake.failure !== undefined) throw fake.failure
        fake.asked.push({ id, group })
      },
      async dryRunLimits(call) {
        if (fake.failure !== undefined) throw fake.failure
        fake.asked.push({ ...call, headers: Object.fromEntries(call.headers) })
        return fake.explanation
      },
    },
  }
  return fake
}

const NOTHING: LimitExplanation = { allowed: true, status: 200, targets: [] }

/** An organisation with two workspaces and the routes of rate limits, over limits of the test's own. */
export const createLimitsFixture = (store: Store, { limits }: FakeLimits): Promise<Fixture> =>
  createFixture(store, ({ now }) => [
    ...rateLimitsRoutes({ endpointTypes }),
    ...rateLimitsUsageRoutes({ limits, now, endpointTypes }),
  ])

/** Words of the built-in endpoints. */
export const endpointTypes = (): readonly string[] => builtInEndpoints.flatMap(({ requestTypes }) => requestTypes)
