import { periodAt } from '../../budgets/schedule.ts'
import { createFakeCounters, type FakeCounters } from '../../budgets/test-support/fake-counters.ts'
import { createBudgetUsage } from '../../budgets/usage.ts'
import type { BudgetCharge } from '../../core/budgets.ts'
import { groupOf } from '../../limits/match/groups.ts'
import { usagePolicyRows } from '../../store/objects/usage-limit-policies.ts'
import type { Store } from '../../store/types.ts'
import { createFixture, type Fixture } from '../integrations/test-support.ts'
import { createFakeLimits, type FakeLimits } from '../rate-limits/test-support.ts'
import { usageLimitsPoliciesRoutes } from './routes.ts'

export const PATH = '/policies/usage-limits'
/** A Wednesday. */
export const NOON_MS = Date.UTC(2030, 0, 2, 12)
export const DAY_MS = 86_400_000

export const NEW = {
  name: 'Per user',
  conditions: [{ key: 'api_key', value: '*' }],
  group_by: [{ key: 'metadata._user' }],
  type: 'cost',
  credit_limit: 10,
}

type Values = Readonly<Record<string, string | null>>

export interface BudgetsFixture extends Fixture {
  readonly counters: FakeCounters
  readonly fake: FakeLimits
  /** Moved by tests. */
  readonly time: { nowMs: number }
  /** Path of a new policy. */
  make(token: string, changes?: Readonly<Record<string, unknown>>): Promise<string>
  shown(path: string, token?: string): Promise<Readonly<Record<string, unknown>>>
  /** Groups of calls have spent something now: 10⁻¹² dollars, tokens or requests. */
  spend(path: string, group: Values, amount: number): Promise<void>
  spendAll(path: string, spent: readonly (readonly [Values, number])[]): Promise<void>
}

/** An organisation with two workspaces and the routes of usage limits policies, over counts of the test's own. */
export const createBudgetsFixture = async (store: Store): Promise<BudgetsFixture> => {
  const counters = createFakeCounters()
  const fake = createFakeLimits()
  const time = { nowMs: NOON_MS }
  const now = (): number => time.nowMs
  const fixture = await createFixture(
    store,
    () => usageLimitsPoliciesRoutes({ budgets: createBudgetUsage({ counters, now }), limits: fake.limits, now }),
    { now },
  )
  const shown: BudgetsFixture['shown'] = async (path, token = 'blue') => {
    const { status, body } = await fixture.call(token, 'GET', path)
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
  const spendAll: BudgetsFixture['spendAll'] = async (path, spent) => {
    const { organisationId } = fixture
    const policy = await usagePolicyRows.find(store.db, { organisationId, reference: path.slice(PATH.length + 1) })
    if (policy === undefined) throw new Error(`there is no policy at ${path}`)
    const charges = spent.map(([group, amount]): BudgetCharge => {
      const { hash, label } = groupOf(policy, group)
      const { type, schedule } = policy
      return { budgetId: policy.id, group: hash, label, type, amount, ...periodAt(schedule, time.nowMs) }
    })
    counters.spent(policy.workspaceId, charges, time.nowMs * 1_000, 1)
  }
  return {
    ...fixture,
    counters,
    fake,
    time,
    shown,
    async make(token, changes = {}) {
      const { status, body } = await fixture.call(token, 'POST', PATH, { ...NEW, ...changes })
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
      return `${PATH}/${body.id}`
    },
    spend: (path, group, amount) => spendAll(path, [[group, amount]]),
    spendAll,
  }
}
