import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { claimOf, counterOf } from '../../../../src/limits/test-support/claims.ts'
import { chargeOf, type FaultRig, reportWaits, startFaultRig } from './support/fault-rig.ts'
import { type OwnRedis, startOwnRedis } from './support/own-redis.ts'

setDefaultTimeout(60_000)

/** More than the calls that anything here makes. */
const ROOMY = 1_000_000
/** For tests in which nothing fails: a busy machine is no outage. */
const PATIENT_MS = 5_000

let redis: OwnRedis
let rig: FaultRig
beforeEach(async () => {
  redis = await startOwnRedis()
  rig = await startFaultRig(redis.port, { leases: true, deadlineMs: PATIENT_MS })
})
afterEach(async () => {
  await rig.close()
  await redis.close()
})

/** Scripts that the server has run. */
const scripts = async (): Promise<number> => {
  const stats = String(await redis.command('INFO', 'commandstats'))
  return Number(/cmdstat_evalsha:calls=(\d+)/.exec(stats)?.[1] ?? 0)
}

test('Redis stands still for 100 ms: calls far from their limit do not notice', async () => {
  const charge = chargeOf(ROOMY)
  await rig.callDuring(charge, () => Bun.sleep(1_000))
  const during = await rig.callDuring(charge, async () => {
    redis.signal('SIGSTOP')
    await Bun.sleep(100)
    redis.signal('SIGCONT')
  })
  expect(reportWaits('frozen for 100 ms, with leases', during)).toBe(true)
  expect(during.waitsMs.length).toBeGreaterThan(50)
  // Nobody asked: that takes longer than the server stood still.
  expect(during.waitsMs.at(-1)).toBeLessThan(50)
  expect(during.origins).toMatchObject({ local: 0, open: 0 })
  expect(during.refused).toBe(0)
})

describe('calls that have budgets too, one that holds back and one that does not', () => {
  const claims = () => [
    claimOf(counterOf(crypto.randomUUID(), { key: keyOf() }), { limit: ROOMY, weight: 9 }),
    claimOf(counterOf(crypto.randomUUID(), { key: keyOf() }), { limit: ROOMY, weight: 0 }),
  ]
  const keyOf = () => ({ workspaceId: 'faults', budgetId: crypto.randomUUID(), group: 'group', startMs: 0 })

  test('do not notice that Redis stands still for 100 ms', async () => {
    const [charge, budgets] = [chargeOf(ROOMY), claims()]
    await rig.callDuring(charge, () => Bun.sleep(1_000), budgets)
    const during = await rig.callDuring(
      charge,
      async () => {
        redis.signal('SIGSTOP')
        await Bun.sleep(100)
        redis.signal('SIGCONT')
      },
      budgets,
    )
    expect(reportWaits('frozen for 100 ms, with leases of budgets', during)).toBe(true)
    expect(during.waitsMs.length).toBeGreaterThan(50)
    expect(during.waitsMs.at(-1)).toBeLessThan(50)
    expect(during.origins).toMatchObject({ local: 0, open: 0 })
    expect(during.refused).toBe(0)
  })

  test('are more than ten for one command, and Redis has what they spent in the end', async () => {
    const [charge, budgets] = [chargeOf(ROOMY), claims()]
    const first = await rig.callDuring(charge, () => Bun.sleep(500), budgets)
    const before = await scripts()
    const { admitted } = await rig.callDuring(charge, () => Bun.sleep(2_000), budgets)
    const asked = (await scripts()) - before
    console.log(`${admitted} calls with budgets, ${asked} commands`)
    expect(admitted).toBeGreaterThan(500)
    expect(asked / admitted).toBeLessThan(0.1)
    await Bun.sleep(3_500)
    const { budgets: verdicts } = await rig.store.peek([], budgets)
    const spent = 3 * (first.admitted + admitted)
    expect(verdicts.map(({ used }) => used)).toEqual([spent, spent])
  })
})

test('one command for more than ten calls, and all that was let through is counted, no more', async () => {
  const charge = chargeOf(ROOMY)
  await rig.callDuring(charge, () => Bun.sleep(500))
  const before = await scripts()
  const { admitted } = await rig.callDuring(charge, () => Bun.sleep(2_000))
  const asked = (await scripts()) - before
  console.log(`${admitted} calls, ${asked} commands`)
  expect(admitted).toBeGreaterThan(500)
  expect(asked / admitted).toBeLessThan(0.1)
})

test('what is left is given back, so that in the end Redis counts what was let through', async () => {
  const charge = chargeOf(ROOMY)
  const { admitted } = await rig.callDuring(charge, () => Bun.sleep(1_500))
  await Bun.sleep(1_500)
  expect(await rig.used(charge)).toBe(admitted)
})

test('the value is reached to the last call, and no further', async () => {
  const charge = chargeOf(1_500)
  const { admitted, refused } = await rig.callDuring(charge, () => Bun.sleep(4_000))
  expect(refused).toBeGreaterThan(0)
  expect(admitted).toBe(1_500)
  expect(await rig.used(charge)).toBe(1_500)
})

test('FLUSHALL: what was leased before is used no more after the next question, nor given back', async () => {
  const charge = chargeOf(ROOMY)
  await rig.callDuring(charge, () => Bun.sleep(1_000))
  const leased = await rig.used(charge)
  await redis.command('FLUSHALL')
  const { admitted } = await rig.callDuring(charge, () => Bun.sleep(2_000))
  await Bun.sleep(1_500)
  const used = await rig.used(charge)
  // All that was let through, but for what was in hand: a second of calls and a quarter.
  expect(used).toBeLessThanOrEqual(admitted)
  expect(used).toBeGreaterThanOrEqual(admitted - 1.25 * leased)
  expect(used).toBeGreaterThan(admitted / 4)
})

test('a connection that is lost takes what was leased with it', async () => {
  const charge = chargeOf(ROOMY)
  const before = await rig.callDuring(charge, () => Bun.sleep(1_000))
  redis.signal('SIGKILL')
  await Bun.sleep(20)
  // Nobody is let through by what was leased: each call is decided by the process alone.
  expect((await rig.store.admit([charge])).origin).toBe('local')
  await redis.restart()
  await rig.until('shared')
  expect(before.origins.local).toBe(0)
})
