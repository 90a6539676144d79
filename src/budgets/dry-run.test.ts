import { expect, test } from 'bun:test'
import type { CallFacts } from '../core/limits.ts'
import {
  AT_OTHER,
  budgetBench,
  budgetPolicy,
  NOON,
  OPENAI,
  OTHER,
  optionsOf,
  ownedBudgets,
  WORKSPACE,
} from './test-support/budget-bench.ts'

const FACTS: CallFacts = {
  organisationId: 'organisation',
  workspaceId: WORKSPACE,
  apiKeyId: 'key-1',
  metadata: {},
  endpointType: 'chatComplete',
}
const MIDNIGHT = Date.parse('2026-11-25T00:00:00Z')

test('a dry run explains each budget and the answer, and holds nothing', async () => {
  const daily = budgetPolicy({ enforcement: 'reserve', schedule: { every: 1, since: { startMs: 0, setAtMs: 0 } } })
  const strange = budgetPolicy({ conditions: [{ key: 'metadata.plan', value: 'free' }] })
  const our = budgetBench({ policies: [daily, strange] })
  our.call({ dollars: 0.75 })
  const budgets = [ownedBudgets('api_key', { limit: 5 })]
  const run = () => our.limits.dryRun(FACTS, [{ facts: OPENAI, options: optionsOf(0.5, { budgets }) }])
  const explained = await run()
  expect(explained).toMatchObject({ allowed: false, status: 412 })
  const [target] = explained.targets
  expect(target?.message).toContain(
    '0.75 USD of 1 USD used, and the call may take 0.5 USD. It starts again at 2026-11-25',
  )
  expect(target?.budgets).toEqual([
    {
      id: daily.id,
      name: null,
      owner: 'policy',
      type: 'cost',
      limit: 1,
      enforcement: 'reserve',
      mode: 'enforce',
      matches: true,
      conditions: [{ key: 'api_key', value: '*', actual: 'key-1', holds: true, reason: 'any value will do' }],
      group: { api_key: 'key-1' },
      used: 0.75,
      remaining: 0.25,
      reserved: 0.5,
      wouldRefuse: true,
      startMs: MIDNIGHT - 86_400_000,
      endMs: MIDNIGHT,
    },
    expect.objectContaining({ id: strange.id, matches: false }),
    expect.objectContaining({ id: 'api_key.cost', owner: 'api_key', used: 0, remaining: 5, reserved: 0, startMs: 0 }),
  ])
  expect(target?.budgets[1]?.used).toBeUndefined()
  expect(await run()).toEqual(explained)
  our.time.nowMs = MIDNIGHT
  expect(await run()).toMatchObject({ allowed: true, status: 200 })
  expect(our.time.nowMs).toBeGreaterThan(NOON)
})

test('a dry run says that a price is not known, and goes on to a target whose price is', async () => {
  const policy = budgetPolicy({ onUnknownPrice: 'refuse' })
  const our = budgetBench({ policies: [policy] })
  const explained = await our.limits.dryRun(FACTS, [
    { facts: OPENAI, options: optionsOf(undefined) },
    { facts: OTHER, options: optionsOf(0.1, { target: AT_OTHER }) },
  ])
  expect(explained).toMatchObject({
    allowed: true,
    targets: [
      { allowed: false, status: 412, budgets: [{ isUnpriced: true, wouldRefuse: true, group: { api_key: 'key-1' } }] },
      { allowed: true, budgets: [{ wouldRefuse: false }] },
    ],
  })
})

test('budgets do not refuse a dry run of a call that asks no model', async () => {
  const our = budgetBench({ policies: [budgetPolicy({ dollars: 0 })] })
  const options = optionsOf(undefined, { isFree: true })
  expect(await our.limits.dryRun(FACTS, [{ facts: OPENAI, options }])).toMatchObject({ allowed: true, status: 200 })
})

test('a budget in shadow mode would refuse, and the call is let through', async () => {
  const our = budgetBench({ policies: [budgetPolicy({ dollars: 0, mode: 'shadow' })] })
  expect(await our.limits.dryRun(FACTS, [{ facts: OPENAI, options: optionsOf(1) }])).toMatchObject({
    allowed: true,
    targets: [{ budgets: [{ mode: 'shadow', wouldRefuse: true }] }],
  })
})
