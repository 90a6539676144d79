import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import { chargeOf, type FaultRig, reportWaits, startFaultRig, type Traffic } from './support/fault-rig.ts'
import { type OwnRedis, startOwnRedis } from './support/own-redis.ts'
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts'

setDefaultTimeout(60_000)

/**
 * Calls that may be under way when something breaks: of those nobody knows whether they were charged, so each may be counted
 * twice. Each worker may have made a second one by the time of the fifth failure.
 */
const IN_FLIGHT = 16
/** For tests in which nothing fails: a busy machine is no outage. */
const PATIENT_MS = 5_000
/** More than the calls that anything here makes. */
const ROOMY = 1_000_000

let redis: OwnRedis
let proxy: TcpProxy
let rig: FaultRig
beforeEach(async () => {
  redis = await startOwnRedis()
  proxy = await startTcpProxy(redis.port)
  rig = await startFaultRig(proxy.port)
})
afterEach(async () => {
  try {
    await rig.close()
  } finally {
    await proxy.close()
    await redis.close()
  }
})

/** Lets the store settle what is under way, and says what the server counts then. */
const usedInTheEnd = async (charge: ReturnType<typeof chargeOf>, of: FaultRig = rig): Promise<number> => {
  await of.until('shared')
  await Bun.sleep(100)
  return of.used(charge)
}

/** All that was admitted is counted, and no more than what was under way is counted twice. */
const expectCounted = (used: number, admitted: number): void => {
  expect(used).toBeGreaterThanOrEqual(admitted)
  expect(used).toBeLessThanOrEqual(admitted + IN_FLIGHT)
}

/** The operator heard of the outage and of its end, each once. (A busy machine may add another, which ends as well.) */
const expectOutage = (reason: RegExp): void => {
  const began = rig.lines.filter(({ message }) => message.includes('does not answer'))
  const ended = rig.lines.filter(({ message }) => message.includes('shared again'))
  expect(began.map(({ fields }) => String(fields.reason)).filter((each) => reason.test(each))).not.toEqual([])
  expect(ended).toHaveLength(began.length)
  expect(rig.lines).toHaveLength(2 * began.length)
  expect(began.length).toBeLessThanOrEqual(2)
}

const total = (...traffic: readonly Traffic[]): number => traffic.reduce((sum, { admitted }) => sum + admitted, 0)

/** Calls before, while a fault lasts, and after. */
const through = async (
  charge: ReturnType<typeof chargeOf>,
  begin: () => unknown,
  end: () => unknown,
  lastsMs: number,
) => {
  const before = await rig.callDuring(charge, () => Bun.sleep(200))
  const during = await rig.callDuring(charge, async () => {
    await Bun.sleep(50)
    await begin()
    await Bun.sleep(lastsMs)
  })
  await end()
  const after = await rig.callDuring(charge, async () => {
    await rig.until('shared')
    await Bun.sleep(200)
  })
  return { before, during, after, admitted: total(before, during, after) }
}

test('SIGSTOP for less than the command time-out: what was under way may count twice, and nothing is forgotten', async () => {
  const charge = chargeOf(ROOMY)
  const { during, admitted } = await through(
    charge,
    () => redis.signal('SIGSTOP'),
    () => redis.signal('SIGCONT'),
    1_000,
  )
  expect(reportWaits('frozen for 1 s', during)).toBe(true)
  expect(during.origins.local).toBeGreaterThan(0)
  expectCounted(await usedInTheEnd(charge), admitted)
  expectOutage(/^no reply$/)
})

test('SIGSTOP for longer than the command time-out: the same', async () => {
  const charge = chargeOf(ROOMY)
  const { during, admitted } = await through(
    charge,
    () => redis.signal('SIGSTOP'),
    () => redis.signal('SIGCONT'),
    3_000,
  )
  expect(reportWaits('frozen for 3 s', during)).toBe(true)
  expectCounted(await usedInTheEnd(charge), admitted)
  expectOutage(/^no reply$/)
})

test('the window holds through an outage and after it', async () => {
  const charge = chargeOf(300)
  const before = await rig.callDuring(charge, () => Bun.sleep(100))
  redis.signal('SIGSTOP')
  const during = await rig.callDuring(charge, () => Bun.sleep(1_500))
  redis.signal('SIGCONT')
  await rig.until('shared')
  const after = await rig.callDuring(charge, () => Bun.sleep(200))
  expect(during.refused).toBeGreaterThan(0)
  const admitted = total(before, during, after)
  expect(admitted).toBeLessThanOrEqual(300)
  expect(admitted).toBeGreaterThanOrEqual(300 - IN_FLIGHT)
  expectCounted(await usedInTheEnd(charge), admitted)
})

test('kill -9 and restart: what was counted without the server is merged into the new one', async () => {
  const charge = chargeOf(ROOMY)
  const during = await rig.callDuring(charge, async () => {
    await Bun.sleep(200)
    redis.signal('SIGKILL')
    await Bun.sleep(1_500)
  })
  expect(reportWaits('killed', during)).toBe(true)
  expect(during.origins.shared).toBeGreaterThan(0)
  expect(during.origins.local).toBeGreaterThan(0)
  await redis.restart()
  const after = await rig.callDuring(charge, async () => {
    await rig.until('shared')
    await Bun.sleep(200)
  })
  // The server keeps nothing: what it had counted is gone, as the design says.
  expectCounted(await usedInTheEnd(charge), during.origins.local + after.admitted)
  expectOutage(/^(?:connection lost|not connected)$/)
})

test('kill -9 does not open a full window again', async () => {
  const charge = chargeOf(200)
  const before = await rig.callDuring(charge, () => Bun.sleep(300))
  expect(before.admitted).toBe(200)
  redis.signal('SIGKILL')
  const during = await rig.callDuring(charge, () => Bun.sleep(1_000))
  expect(during.admitted).toBe(0)
  expect(during.refused).toBeGreaterThan(0)
  await redis.restart()
  await rig.until('shared')
})

test('200 ms of latency: no call is forgotten, though every reply is late', async () => {
  const charge = chargeOf(ROOMY)
  const { during, admitted } = await through(
    charge,
    () => {
      proxy.delayMs = 200
    },
    () => {
      proxy.delayMs = 0
    },
    2_000,
  )
  expect(reportWaits('200 ms of latency', during)).toBe(true)
  expectCounted(await usedInTheEnd(charge), admitted)
})

test('half-open TCP: limits are counted here until the connection ends, and then shared', async () => {
  const charge = chargeOf(ROOMY)
  const { during, admitted } = await through(
    charge,
    () => proxy.halfOpen(),
    () => proxy.reset(),
    3_000,
  )
  expect(reportWaits('half-open', during)).toBe(true)
  expectCounted(await usedInTheEnd(charge), admitted)
  expectOutage(/^no reply$/)
})

test('SCRIPT FLUSH: nobody notices', async () => {
  const patient = await startFaultRig(redis.port, { deadlineMs: PATIENT_MS })
  const charge = chargeOf(ROOMY)
  const traffic = await patient.callDuring(charge, async () => {
    for (let flush = 0; flush < 10; flush += 1) {
      await Bun.sleep(30)
      await redis.command('SCRIPT', 'FLUSH')
    }
  })
  expect(reportWaits('SCRIPT FLUSH', traffic)).toBe(true)
  expect(await patient.used(charge)).toBe(traffic.admitted)
  expect(traffic.origins.local).toBe(0)
  expect(patient.lines).toEqual([])
  await patient.close()
})

test('out of memory: a refused write was no charge, and is merged later', async () => {
  const charge = chargeOf(ROOMY)
  const { during, admitted } = await through(
    charge,
    () => redis.command('CONFIG', 'SET', 'maxmemory', '1'),
    () => redis.command('CONFIG', 'SET', 'maxmemory', '0'),
    1_500,
  )
  expect(reportWaits('out of memory', during)).toBe(true)
  expect(during.origins.local).toBeGreaterThan(0)
  expectCounted(await usedInTheEnd(charge), admitted)
  expectOutage(/^OOM$/)
})

test('a server that has become a replica: the same', async () => {
  const charge = chargeOf(ROOMY)
  const { during, admitted } = await through(
    charge,
    () => redis.command('REPLICAOF', '127.0.0.1', '1'),
    () => redis.command('REPLICAOF', 'NO', 'ONE'),
    1_500,
  )
  expect(reportWaits('READONLY', during)).toBe(true)
  expect(during.origins.local).toBeGreaterThan(0)
  expectCounted(await usedInTheEnd(charge), admitted)
  expectOutage(/^READONLY$/)
})

test('a server that answers and takes no writes is not taken for one that is back', async () => {
  await redis.command('REPLICAOF', '127.0.0.1', '1')
  // Nothing is counted, so nothing has to be merged, which would show it too.
  await rig.callDuring(chargeOf(ROOMY, 'open'), () => Bun.sleep(1_800))
  expect(rig.store.state).toBe('local')
  expect(rig.lines).toHaveLength(1)
})

test('FLUSHALL: counting begins anew, and what is given back of before never makes it less than nothing', async () => {
  const patient = await startFaultRig(redis.port, { deadlineMs: PATIENT_MS })
  const charge = chargeOf(ROOMY)
  const { origin, verdicts } = await patient.store.admit([{ ...charge, weight: 5_000 }])
  await redis.command('FLUSHALL')
  const first = await patient.callDuring(charge, () => Bun.sleep(100))
  expect(reportWaits('FLUSHALL', first)).toBe(true)
  expect(await patient.used(charge)).toBe(first.admitted)
  patient.store.settle([{ key: charge.key, index: verdicts[0]?.index ?? 0, delta: -4_000, grain: 10 }], origin)
  await Bun.sleep(200)
  // All of it when it is in the same bucket still: nobody can tell one charge from another there.
  const left = await patient.used(charge)
  expect([0, first.admitted]).toContain(left)
  const second = await patient.callDuring(charge, () => Bun.sleep(100))
  expect(await patient.used(charge)).toBe(left + second.admitted)
  expect(patient.lines).toEqual([])
  await patient.close()
})

test('settlements wait for the server, and reach it once', async () => {
  // A charge that came late would be kept beside what was counted without the server: that is another test's.
  const patient = await startFaultRig(proxy.port, { deadlineMs: PATIENT_MS })
  const charge = { ...chargeOf(ROOMY), weight: 100 }
  const first = await patient.store.admit([charge])
  const second = await patient.store.admit([charge])
  const settle = ({ origin, verdicts }: typeof first, delta: number): void =>
    patient.store.settle([{ key: charge.key, index: verdicts[0]?.index ?? 0, delta, grain: 10 }], origin)
  await redis.command('REPLICAOF', '127.0.0.1', '1')
  await patient.callDuring(chargeOf(ROOMY, 'open'), () => patient.until('local'))
  settle(first, -70)
  settle(second, 20)
  const third = await patient.store.admit([charge])
  settle(third, -90)
  await redis.command('REPLICAOF', 'NO', 'ONE')
  expect(await usedInTheEnd(charge, patient)).toBe(160)
  await patient.close()
})

test('open lets calls through uncounted, and closed refuses them, at once', async () => {
  const open = chargeOf(5, 'open')
  const closed = chargeOf(ROOMY, 'closed')
  redis.signal('SIGSTOP')
  const letThrough = await rig.callDuring(open, () => Bun.sleep(700))
  const refused = await rig.callDuring(closed, () => Bun.sleep(200))
  redis.signal('SIGCONT')
  expect(reportWaits('frozen, open', letThrough)).toBe(true)
  expect(reportWaits('frozen, closed', refused)).toBe(true)
  expect(letThrough.refused).toBe(0)
  expect(refused.admitted).toBe(0)
  expect(refused.closed).toBeGreaterThan(0)
  // What was under way when the server froze.
  expect(await usedInTheEnd(open)).toBeLessThanOrEqual(IN_FLIGHT)
  expect(await rig.used(closed)).toBe(0)
})

test('a process that stands still does not take the server for dead', async () => {
  // Not through the proxy, which is part of this process and stands still with it.
  const direct = await startFaultRig(redis.port)
  const charge = chargeOf(ROOMY)
  // The server knows the script.
  await direct.store.admit([charge])
  const origins: string[] = []
  for (let round = 0; round < 5; round += 1) {
    const calls = Array.from({ length: 8 }, async () => (await direct.store.admit([charge])).origin)
    const untilMs = performance.now() + 400
    while (performance.now() < untilMs);
    origins.push(...(await Promise.all(calls)))
  }
  await direct.close()
  expect(origins).toEqual(Array.from({ length: 40 }, () => 'shared'))
})
