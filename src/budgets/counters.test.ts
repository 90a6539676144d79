import { afterEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type BudgetCharge, type BudgetType, unitsOf } from '../core/budgets.ts'
import { StoreUnavailable } from '../store/errors.ts'
import { type CountersOptions, createCounters, type OwnCounters } from './counters.ts'
import type { LedgerTotal } from './ledger/ledger.ts'
import type { ToLedger } from './ledger/messages.ts'

const HOUR_MS = 3_600_000
const key = { workspaceId: 'w', budgetId: 'b', group: 'g', startMs: 0 }
const about = { type: 'cost' as const, label: '{}' }
const charge = (amount: number, over: Partial<BudgetCharge> = {}): BudgetCharge => ({
  budgetId: 'b',
  group: 'g',
  startMs: 0,
  ...about,
  amount,
  ...over,
})
const total = (amount: bigint, over: Partial<LedgerTotal> = {}): LedgerTotal => ({
  ...key,
  ...about,
  total: amount,
  generation: 0,
  resetAtUs: 0,
  ...over,
})

let nowMs = 1_000
const open: OwnCounters[] = []
const create = (options: Partial<CountersOptions> = {}): OwnCounters => {
  const counters = createCounters({ clock: { now: () => nowMs, monotonicMs: () => nowMs }, ...options })
  open.push(counters)
  return counters
}
afterEach(async () => {
  nowMs = 1_000
  for (const each of open.splice(0)) await each.close()
})

test('the same object for the same key, another for another period', () => {
  const counters = create()
  const counter = counters.of(key, about)
  expect(counters.of({ ...key }, about)).toBe(counter)
  expect(counters.find({ ...key })).toBe(counter)
  expect(counters.find({ ...key, group: 'none' })).toBeUndefined()
  expect(counters.of({ ...key, startMs: 1 }, about)).not.toBe(counter)
  expect(counters.of({ ...key, workspaceId: 'other' }, about)).not.toBe(counter)
  expect(counters.of(key, { ...about, endMs: 9 })).toBe(counter)
  expect(counter.endMs).toBe(9)
  counters.of(key, about)
  expect('endMs' in counter).toBe(false)
})

describe('what was spent', () => {
  test('is pending until the ledger has counted up to behind its record', () => {
    const counters = create()
    const counter = counters.of(key, about)
    counters.spent('w', [charge(1_500), charge(2_000, { budgetId: 'c' })], 10, 100)
    counters.spent('w', [charge(1)], 20, 200)
    expect([counter.stored, counter.pending]).toEqual([0, 2])
    counters.hear({ type: 'news', position: 199, totals: [total(1_500n)] })
    expect([counter.stored, counter.pending]).toEqual([2, 1])
    expect(counters.total(counter)).toBe(1_501n)
    counters.hear({ type: 'news', position: 200, totals: [total(1_501n)] })
    expect([counter.stored, counter.pending]).toEqual([2, 0])
    expect(counters.total(counter)).toBe(1_501n)
  })

  test('is pending while its record is still to come, and once when it came', () => {
    const counters = create()
    const counter = counters.of(key, about)
    const end = counters.announce('w', [charge(1_500), charge(2_000, { budgetId: 'c' })], 10)
    expect([counter.pending, counters.total(counter)]).toEqual([2, 1_500n])
    end()
    end()
    expect(counter.pending).toBe(0)
    counters.spent('w', [charge(1_500)], 10, 100)
    expect(counter.pending).toBe(2)
  })

  test('is forgotten by a reset while its record is still to come', () => {
    const counters = create()
    const counter = counters.of(key, about)
    const ends = [counters.announce('w', [charge(1_500)], 10), counters.announce('w', [charge(7_000)], 30)]
    counters.hear({ type: 'news', totals: [total(0n, { generation: 1, resetAtUs: 20 })] })
    expect(counter.pending).toBe(7)
    const late = counters.announce('w', [charge(3_000)], 15)
    expect(counter.pending).toBe(7)
    for (const end of [...ends, late]) end()
    expect([counter.pending, counters.total(counter)]).toEqual([0, 0n])
  })

  test('is counted on for good where its record could not be kept', () => {
    const counters = create()
    counters.spent('w', [charge(5_000)], 10, undefined)
    counters.hear({ type: 'news', position: 1e9, totals: [total(1_000n)] })
    const counter = counters.of(key, about)
    expect([counter.stored, counter.pending]).toEqual([1, 5])
    expect(counters.stats().unkept).toBe(1)
  })

  test('of any number of calls is exact, in units rounded up once', () => {
    const spending = fc.record({ amount: fc.integer({ min: 0, max: 9_000_000_000_000_000 }), step: fc.nat(3_000_000) })
    fc.assert(
      fc.property(
        fc.constantFrom<BudgetType>('cost', 'tokens'),
        fc.array(spending, { maxLength: 900 }),
        fc.nat(900),
        (type, calls, counted) => {
          const counters = create()
          let position = 0
          const placed = calls.map(({ amount, step }) => {
            position += 8 + step
            // So many calls are made in no time, and cost little.
            const small = calls.length > 200 ? amount % 1_000_000 : amount
            counters.spent('w', [charge(type === 'cost' ? small : small % 100_000, { type })], 10, position)
            return { amount: BigInt(type === 'cost' ? small : small % 100_000), position }
          })
          const counter = counters.of(key, { ...about, type })
          const sum = (rows: typeof placed): number =>
            unitsOf(
              type,
              rows.reduce((all, { amount }) => all + amount, 0n),
            )
          expect(counter.pending).toBe(sum(placed))
          const to = placed[counted]?.position ?? 0
          counters.hear({ type: 'news', position: to, totals: [] })
          const left = sum(placed.slice(to === 0 ? 0 : counted + 1))
          expect(counter.pending).toBe(left)
          counters.hear({ type: 'news', position, totals: [] })
          expect(counter.pending).toBe(0)
        },
      ),
    )
  })

  test('takes little room while the ledger is away', () => {
    const counters = create()
    for (let call = 1; call <= 200_000; call++) counters.spent('w', [charge(1_000)], 10, call * 512)
    const counter = counters.of(key, about)
    expect(counter.pending).toBe(200_000)
    // A hundred megabytes of records: from the 16,384th on what lies in the same one is one entry.
    const steps = new Set<number>()
    for (let call = 0; call <= 200_000; call += 64) {
      counters.hear({ type: 'news', position: call * 512, totals: [] })
      steps.add(counter.pending)
      // Counted until all of the entry is in the ledger: never too little.
      expect(counter.pending).toBeGreaterThanOrEqual(200_000 - call)
    }
    expect(steps.size).toBeLessThan(400)
    counters.hear({ type: 'news', position: 200_000 * 512, totals: [] })
    expect(counter.pending).toBe(0)
  })
})

describe('totals', () => {
  test('do not fall when an older one comes later', () => {
    const counters = create()
    const counter = counters.of(key, about)
    counters.hear({ type: 'news', totals: [total(9_000n)] })
    counters.hear({ type: 'news', totals: [total(8_000n)] })
    expect(counter.stored).toBe(9)
  })

  test('of counts that this process has not seen are known, and listed while they run', () => {
    const counters = create()
    counters.hear({
      type: 'news',
      totals: [total(9_000n, { endMs: 5 * HOUR_MS }), total(7_000n, { group: 'h' }), total(1n, { budgetId: 'other' })],
    })
    const used = (atMs: number): number[] => counters.list('w', 'b', atMs).map(({ stored }) => stored)
    expect(used(5 * HOUR_MS - 1)).toEqual([9, 7])
    expect(used(5 * HOUR_MS)).toEqual([7])
    expect(counters.list('w', 'none', 0)).toEqual([])
  })

  test('beyond 2⁵³ are exact', () => {
    const counters = create()
    counters.hear({ type: 'news', totals: [total(8_999_999_000_000_000_001n)] })
    const counter = counters.of(key, about)
    expect(counters.total(counter)).toBe(8_999_999_000_000_000_001n)
    expect(counter.stored).toBe(8_999_999_000_000_001)
  })
})

describe('a count that is new here', () => {
  test('is asked for, many in one message', async () => {
    const counters = create()
    const asked: ToLedger[] = []
    counters.connect((message) => asked.push(message))
    for (let group = 0; group < 1_200; group++) counters.of({ ...key, group: `${group}` }, about)
    counters.hear({ type: 'news', totals: [total(1n, { group: 'told' })] })
    counters.of({ ...key, group: 'told' }, about)
    expect(asked).toEqual([])
    await Bun.sleep(0)
    expect(asked.map((message) => message.type === 'find' && message.keys.length)).toEqual([1_000, 200])
  })
})

describe('a reset', () => {
  test('takes away what had ended by then, here and in other processes', async () => {
    const counters = create()
    const counter = counters.of(key, about)
    counters.spent('w', [charge(1_000)], 10, 100)
    counters.spent('w', [charge(2_000)], 11, 200)
    counters.spent('w', [charge(4_000)], 10, undefined)
    counters.hear({ type: 'news', totals: [total(0n, { generation: 1, resetAtUs: 10 })] })
    expect([counter.stored, counter.pending, counter.generation]).toEqual([0, 2, 1])
    // As the ledger, it does not count what comes late.
    counters.spent('w', [charge(8_000)], 10, 300)
    expect(counter.pending).toBe(2)
    // A total of before the reset.
    counters.hear({ type: 'news', totals: [total(77_000n)] })
    expect(counter.stored).toBe(0)
    counters.hear({ type: 'news', position: 200, totals: [total(2_000n, { generation: 1, resetAtUs: 10 })] })
    expect([counter.stored, counter.pending]).toEqual([2, 0])
  })

  test('is done by the ledger, and known when it is', async () => {
    const counters = create()
    const counter = counters.of(key, { ...about, endMs: 2 * HOUR_MS })
    counters.hear({ type: 'news', totals: [total(5_000n, { endMs: 2 * HOUR_MS })] })
    const asked: ToLedger[] = []
    counters.connect((message) => {
      asked.push(message)
      if (message.type !== 'reset') return
      counters.hear({ type: 'reset', id: message.id, total: total(0n, { generation: 1, resetAtUs: message.atUs }) })
    })
    await counters.reset(counter)
    expect(asked).toEqual([
      {
        ...{ type: 'reset', id: 1, counter: { ...key, ...about, endMs: 2 * HOUR_MS } },
        ...{ atUs: 1_000_999, beforeMs: 4_000 },
      },
    ])
    expect([counter.stored, counter.generation]).toEqual([0, 1])
  })

  test('that the ledger could not do is an error', async () => {
    const counters = create()
    counters.connect((message) => {
      if (message.type === 'reset') counters.hear({ type: 'reset', id: message.id })
    })
    await expect(counters.reset(counters.of(key, about))).rejects.toBeInstanceOf(StoreUnavailable)
  })
})

test('listeners hear once of a count that has changed several times', async () => {
  const counters = create()
  const heard: string[] = []
  counters.onChange(({ key: { group }, pending }) => heard.push(`${group} ${pending}`))
  counters.spent('w', [charge(1_000), charge(1_000, { group: 'h' })], 10, 100)
  counters.spent('w', [charge(1_000)], 10, 200)
  expect(heard).toEqual([])
  await Bun.sleep(0)
  expect(heard.splice(0)).toEqual(['g 2', 'h 1'])
  counters.hear({ type: 'news', position: 100, totals: [total(1_000n)] })
  await Bun.sleep(0)
  expect(heard.splice(0)).toEqual(['g 1', 'h 0'])
  counters.hear({ type: 'news', position: 100, totals: [total(1_000n)] })
  await Bun.sleep(0)
  expect(heard).toEqual([])
})

test('no more are kept than there may be, but for those that nobody else knows', () => {
  const counters = create({ most: 10 })
  const first = counters.of({ ...key, group: 'pending' }, about)
  counters.spent('w', [charge(1_000, { group: 'pending' })], 10, 100)
  const held = counters.of({ ...key, group: 'held' }, about)
  held.held = 5
  const idle = counters.of({ ...key, group: 'idle' }, about)
  for (let group = 0; group < 50; group++) counters.of({ ...key, group: `${group}` }, about)
  expect(counters.stats().counters).toBe(10)
  expect([first.isKept, held.isKept, idle.isKept]).toEqual([true, true, false])
  expect(counters.of({ ...key, group: 'idle' }, about)).not.toBe(idle)
})

test('the totals of the ledger are waited for, but not for ever', async () => {
  const counters = create()
  expect(await counters.loaded(5)).toBe(false)
  const loaded = counters.loaded(10_000)
  counters.hear({ type: 'loaded' })
  expect(await loaded).toBe(true)
  expect(counters.stats().isLoaded).toBe(true)
})
