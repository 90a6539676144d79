import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
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
