import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { chargeOf, endedCall, newRoot, openedCall } from '../../../test/support/spool/process.ts'
import { createCounters, type OwnCounters } from '../../budgets/counters.ts'
import type { StoreAddress } from '../flusher/messages.ts'
import { openReader } from '../open-reader.ts'
import { createRecorder } from '../recorder.ts'
import type { RecordReader } from '../store.ts'
import { Spool, type SpoolOptions } from './spool.ts'

const SEGMENT_BYTES = 256 * 1024
/** Nobody listens there. */
const NOWHERE = { kind: 'postgres', url: 'postgres://nobody@127.0.0.1:1/nothing' } as const satisfies StoreAddress
const RULES = { fallback: { days: 3650, bodyDays: 3650 }, workspaces: new Map() }
const SLOW_MS = 30_000

let folder: ReturnType<typeof newRoot>
let files: StoreAddress
let reader: RecordReader
let spools: Spool[]
let lines: string[]

beforeEach(() => {
  folder = newRoot()
  files = { kind: 'sqlite', folder: join(folder.folder, 'records') }
  const opened = openReader(files, { rules: () => RULES, now: Date.now, warn: () => undefined })
  if (opened === undefined) throw new Error('there is no reader')
  reader = opened
  spools = []
  lines = []
})

afterEach(async () => {
  for (const spool of spools) await spool.close(0)
  await reader.close()
  folder.remove()
})

const open = (
  options: Partial<Omit<SpoolOptions, 'settings'>> & { settings?: Partial<SpoolOptions['settings']> } = {},
): Spool => {
  const note = (message: string, fields?: unknown): void => {
    lines.push(`${message} ${JSON.stringify(fields)}`)
  }
  const spool = new Spool({
    root: folder.root,
    store: files,
    ledger: { kind: 'sqlite', path: join(folder.folder, 'budgets.db') },
    onLedger: () => undefined,
    rules: { ...RULES, metadataKeys: new Map() },
    clock: { now: Date.now, monotonicMs: () => performance.now() },
    log: { info: note, warn: note, error: note },
    segmentBytes: SEGMENT_BYTES,
    ...options,
    settings: { maxBytes: 64 * SEGMENT_BYTES, durability: 'group', onFull: 'drop', ...options.settings },
  })
  spools.push(spool)
  return spool
}

const recorderOf = (spool: Spool) =>
  createRecorder(
    spool,
    { prepare: () => undefined, seal: () => new Uint8Array(2_000).fill(5) },
    { announce: () => () => undefined, spent: () => undefined },
  )

/** A call with bodies. */
const call = (spool: Spool, id: string): void => {
  const recorder = recorderOf(spool)
  recorder.open(openedCall(id, { time: Date.now() * 1_000 }))
  recorder.close(
    [endedCall(id, { time: Date.now() * 1_000, hasBodies: true })],
    new Map([[id, [{ side: 'request', headers: {} }]]]),
  )
}

const until = async (holds: () => boolean, wanted: string): Promise<void> => {
  for (let look = 0; !holds(); look++) {
    if (look > 1_000) throw new Error(`never came: ${wanted}\n${lines.join('\n')}`)
    await Bun.sleep(20)
  }
}

describe('a spool and its worker', () => {
  test(
    'bring records, bodies and feedback into the store',
    async () => {
      const spool = open()
      call(spool, 'one')
      recorderOf(spool).feedback([
        {
          id: 'f',
          time: Date.now() * 1_000,
          organisationId: 'organisation',
          workspaceId: 'workspace',
          traceId: 't',
          value: 5,
          weight: 1,
          metadata: {},
        },
      ])
      expect(await spool.stored(SLOW_MS)).toBe(true)
      const found = await reader.find('organisation', 'one')
      expect(found).toMatchObject([{ id: 'one', outcome: 'completed', hasBodies: true }])
      expect((await reader.bodies(found))[0]?.sealed).toEqual(new Uint8Array(2_000).fill(5))
      expect(await reader.feedback('organisation', 'f')).toMatchObject({ value: 5 })
      expect(spool.stats()).toMatchObject({ mode: 'mapped', durable: true, rows: 0, failures: 0 })
    },
    SLOW_MS,
  )

  test(
    'keep what the store does not take for the next process',
    async () => {
      const first = open({ store: NOWHERE })
      call(first, 'one')
      expect(await first.stored(300)).toBe(false)
      await until(() => first.stats().failuresInRow > 0, 'a failure that is told of')
      expect(first.stats()).toMatchObject({ rows: 2, durable: true })
      expect(lines.join('\n')).toContain('records cannot be stored now')
      expect(lines.join('\n')).not.toContain('nobody')
      await first.close(100)
      const second = open()
      call(second, 'two')
      expect(await second.stored(SLOW_MS)).toBe(true)
      expect(await reader.find('organisation', 'one')).toHaveLength(1)
      expect(await reader.find('organisation', 'two')).toHaveLength(1)
    },
    SLOW_MS,
  )

  test(
    'store what is left at a stop',
    async () => {
      const spool = open()
      call(spool, 'one')
      await spool.close(SLOW_MS)
      expect(await reader.find('organisation', 'one')).toHaveLength(1)
    },
    SLOW_MS,
  )
})

describe('what calls spend', () => {
  const start = (options: Parameters<typeof open>[0] = {}) => {
    const counters = createCounters({ clock: { now: Date.now, monotonicMs: () => performance.now() } })
    const spool = open({ onLedger: counters.hear, ...options })
    counters.connect((message) => spool.tellLedger(message))
    running.push(counters)
    const recorder = createRecorder(spool, { prepare: () => undefined, seal: () => undefined }, counters)
    const spend = (amount: number): void =>
      recorder.close([
        endedCall(crypto.randomUUID(), { time: Date.now() * 1_000, totalUs: 0, charges: [chargeOf(amount)] }),
      ])
    const { budgetId, group, startMs, type, label } = chargeOf(0)
    const counter = counters.of({ workspaceId: 'workspace', budgetId, group, startMs }, { type, label })
    return { counters, counter, spool, spend }
  }
  const running: OwnCounters[] = []
  afterEach(async () => {
    for (const each of running.splice(0)) await each.close()
  })

  test(
    'is known at once, counted in the ledger, and there after a start',
    async () => {
      const { counters, counter, spool, spend } = start()
      expect(await counters.loaded(SLOW_MS)).toBe(true)
      spend(1_500)
      spend(2_500)
      expect([counter.stored, counter.pending]).toEqual([0, 4])
      await until(() => counter.pending === 0, 'all is counted')
      expect(counter.stored).toBe(4)
      spend(1)
      await spool.close(SLOW_MS)
      const next = start()
      expect(await next.counters.loaded(SLOW_MS)).toBe(true)
      expect(next.counters.total(next.counter)).toBe(4_001n)
      expect(next.spool.stats().ledger).toEqual({ isOk: true, failures: 0 })
    },
    SLOW_MS,
  )

  test(
    'is counted before the totals are told, where the last process left it in its spool',
    async () => {
      // Its store is away, and with it the flusher waits before the ledger.
      const first = start({ store: NOWHERE, ledger: { kind: 'postgres', url: NOWHERE.url } })
      first.spend(7_000)
      expect(await first.counters.loaded(300)).toBe(false)
      await until(() => first.spool.stats().ledger?.isOk === false, 'a failure that is told of')
      expect(lines.join('\n')).toContain('the ledger of budgets cannot be reached')
      await first.spool.close(100)
      const { counters, counter } = start()
      expect(await counters.loaded(SLOW_MS)).toBe(true)
      expect([counter.stored, counter.pending]).toEqual([7, 0])
    },
    SLOW_MS,
  )

  test(
    'is set to 0 by hand, and goes on from there',
    async () => {
      const { counters, counter, spend } = start()
      await counters.loaded(SLOW_MS)
      spend(5_000)
      await counters.reset(counter)
      expect([counter.stored, counter.pending, counter.generation]).toEqual([0, 0, 1])
      // A call that ends later than the reset.
      await Bun.sleep(2)
      spend(3_000)
      await until(() => counter.pending === 0, 'all is counted')
      expect(counter.stored).toBe(3)
    },
    SLOW_MS,
  )

  test(
    'by another process is heard of within a second',
    async () => {
      const one = start()
      const other = start()
      await Promise.all([one.counters.loaded(SLOW_MS), other.counters.loaded(SLOW_MS)])
      // Some time without any news: both workers sleep.
      await Bun.sleep(1_000)
      const began = performance.now()
      one.spend(9_000)
      await until(() => other.counter.stored === 9, 'the other one knows')
      expect(performance.now() - began).toBeLessThan(1_000)
    },
    SLOW_MS,
  )
})

describe('durability', () => {
  test(
    'strict: an answer waits until its record is on the disk',
    async () => {
      const spool = open({ settings: { durability: 'strict' } })
      expect(spool.durable()).toBeUndefined()
      call(spool, 'one')
      const waiting = spool.durable()
      expect(waiting).toBeInstanceOf(Promise)
      await waiting
      expect(spool.durable()).toBeUndefined()
      expect(lines.join('\n')).not.toContain('did not reach the disk')
    },
    SLOW_MS,
  )

  test('group: no answer waits', () => {
    const spool = open()
    call(spool, 'one')
    expect(spool.durable()).toBeUndefined()
  })
})

describe('without a disk', () => {
  test(
    'records are kept in memory and stored, and an error says so',
    async () => {
      mkdirSync(dirname(folder.root), { recursive: true })
      await Bun.write(folder.root, 'a file where the folder should be')
      const spool = open({ settings: { durability: 'strict' } })
      call(spool, 'one')
      expect(spool.stats()).toMatchObject({ mode: 'memory', durable: false })
      expect(lines.join('\n')).toContain('records are kept in memory alone')
      expect(spool.durable()).toBeUndefined()
      expect(await spool.stored(SLOW_MS)).toBe(true)
      expect(await reader.find('organisation', 'one')).toHaveLength(1)
    },
    SLOW_MS,
  )
})

describe('a spool that is full', () => {
  let calls: number
  beforeEach(() => {
    calls = 0
  })

  const fill = async (spool: Spool, isEnough: () => boolean, atOnce = 50): Promise<void> => {
    for (; !isEnough(); calls++) {
      call(spool, `call ${calls}`)
      if (calls % atOnce === 0) await Bun.sleep(20)
      if (calls > 50_000) throw new Error(`never full: ${JSON.stringify(spool.stats())}`)
    }
  }

  test(
    'keeps records without their bodies first, then drops the oldest, and counts them to the last one',
    async () => {
      const spool = open({ store: NOWHERE, settings: { maxBytes: 16 * SEGMENT_BYTES } })
      // So slowly that the worker has looked before the last quarter is full too.
      await fill(spool, () => spool.stats().dropped.bodies > 0, 6)
      expect(spool.stats().dropped.record).toBe(0)
      expect(spool.refusesCalls).toBe(false)
      await fill(spool, () => spool.stats().dropped.record > 0)
      await until(() => spool.stats().bytes <= 17 * SEGMENT_BYTES, 'room')
      await spool.close(0)
      const { dropped } = spool.stats()
      const second = open()
      expect(await second.stored(SLOW_MS)).toBe(true)
      call(second, 'last')
      expect(await second.stored(SLOW_MS)).toBe(true)
      const filter = { organisationId: 'organisation', from: 0, to: 9e15, where: [] }
      const { rows } = await reader.ask({ from: 'calls', filter, groups: [], measures: [{ as: 'n', count: true }] })
      expect(Number(rows[0]?.n) + dropped.record).toBe(calls + 1)
      expect(lines.join('\n')).toContain('the spool is full')
    },
    SLOW_MS * 2,
  )

  test(
    'refuses new calls where the operator wants that, and takes the records of those that run',
    async () => {
      // Above the segments that a call makes itself (1 MiB) when the worker is late: two of them must not fill it.
      const segmentBytes = 8 * SEGMENT_BYTES
      const spool = open({ store: NOWHERE, segmentBytes, settings: { maxBytes: 8 * segmentBytes, onFull: 'refuse' } })
      await fill(spool, () => spool.refusesCalls)
      call(spool, 'running')
      expect(spool.stats().dropped.record).toBe(0)
      expect(spool.stats().dropped.bodies).toBeGreaterThan(0)
    },
    SLOW_MS,
  )
})
