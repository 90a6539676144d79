import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Ledger, LedgerNews, LedgerTotal, SpooledCharge } from '../../../src/budgets/ledger/ledger.ts'
import type { BudgetCharge } from '../../../src/core/budgets.ts'
import { StoreUnavailable } from '../../../src/store/errors.ts'
import { LEDGERS, type LedgerUnderTest } from './ledgers.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-11-23T00:00:00Z')
const SPOOL = 'spool'

const about = { type: 'cost' as const, label: '[["metadata._user","anna"]]' }
const key = { workspaceId: 'w', budgetId: 'b', group: 'g', startMs: NOW_MS }

const charge = (
  position: number,
  amount: number,
  { endedUs = position + 1, workspaceId = 'w', ...over }: Partial<BudgetCharge & SpooledCharge> = {},
): SpooledCharge => ({
  position,
  endedUs,
  workspaceId,
  charge: { budgetId: 'b', group: 'g', startMs: NOW_MS, ...about, amount, ...over },
})

const totalsOf = ({ totals }: LedgerNews): Record<string, bigint> =>
  Object.fromEntries(
    totals
      .map(({ workspaceId, budgetId, group, startMs, total }): [string, bigint] => [
        `${workspaceId}/${budgetId}/${group}/${startMs - NOW_MS}`,
        total,
      ])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

describe.each(LEDGERS)('the ledger in $name', ({ start }) => {
  let under: LedgerUnderTest
  let ledger: Ledger
  beforeEach(async () => {
    under = await start()
    ledger = under.open()
  })
  afterEach(() => under.close())

  const load = async (): Promise<Record<string, bigint>> => totalsOf(await under.open().load(SPOOL, NOW_MS))

  test('is empty at first, whatever is asked', async () => {
    const nothing = { position: 0, totals: [] }
    expect(await ledger.load(SPOOL, NOW_MS)).toEqual(nothing)
    expect(await ledger.changes(SPOOL)).toEqual(nothing)
    expect(await ledger.find(SPOOL, [key])).toEqual(nothing)
    await ledger.expire(NOW_MS)
  })

  test('adds by workspace, budget, group and period, and tells what it has', async () => {
    const endMs = NOW_MS + 7 * DAY_MS
    const news = await ledger.apply({
      spool: SPOOL,
      to: 100,
      charges: [
        charge(1, 5, { endMs }),
        charge(1, 7, { group: 'h', label: 'h' }),
        charge(9, 11, { endMs }),
        charge(20, 1, { budgetId: 'api_key.tokens', type: 'tokens' }),
        charge(30, 2, { startMs: NOW_MS + 1 }),
        charge(40, 3, { workspaceId: 'other' }),
      ],
    })
    const totals = { 'other/b/g/0': 3n, 'w/api_key.tokens/g/0': 1n, 'w/b/g/0': 16n, 'w/b/g/1': 2n, 'w/b/h/0': 7n }
    expect(news.position).toBe(100)
    expect(totalsOf(news)).toEqual(totals)
    expect(await load()).toEqual(totals)
    const found = await ledger.find(SPOOL, [key, { ...key, group: 'none' }])
    expect(found).toEqual({
      position: 100,
      totals: [{ ...key, ...about, endMs, total: 16n, generation: 0, resetAtUs: 0 }],
    })
  })

  test('has what it had when it is opened again', async () => {
    await ledger.apply({ spool: SPOOL, to: 10, charges: [charge(1, 5)] })
    await ledger.close()
    expect((await under.open().load(SPOOL, NOW_MS)).position).toBe(10)
    expect(await load()).toEqual({ 'w/b/g/0': 5n })
  })

  test('adds nothing twice, however a spool is cut into batches, and however often they come', async () => {
    const amounts = fc.array(
      fc.record({
        amount: fc.nat(1_000_000),
        group: fc.constantFrom('g', 'h', 'i'),
        size: fc.integer({ min: 1, max: 9 }),
      }),
      { minLength: 1, maxLength: 40 },
    )
    const cuts = fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { minLength: 1, maxLength: 12 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(amounts, cuts, async (rows, replays) => {
        const spool = `spool ${++run}`
        const over = { budgetId: `budget-${run}` }
        let at = 0
        const charges = rows.map(({ amount, group, size }) => {
          const placed = charge(at, amount, { ...over, group })
          at += size
          return placed
        })
        const behind = (index: number): number => charges[index]?.position ?? at
        // A batch begins anywhere that was counted already, as after a crash.
        let counted = 0
        for (const [one, other] of [...replays, [0, charges.length] as const]) {
          const from = Math.min(one, counted)
          const to = Math.min(Math.max(from, other), charges.length)
          const news = await ledger.apply({ spool, to: behind(to), charges: charges.slice(from, to) })
          counted = Math.max(counted, to)
          expect(news.position).toBe(behind(counted))
          const expected = new Map<string, bigint>()
          for (const { charge: each } of charges.slice(0, counted))
            expected.set(each.group, (expected.get(each.group) ?? 0n) + BigInt(each.amount))
          for (const { group, total } of news.totals) expect(total).toBe(expected.get(group) as bigint)
        }
      }),
      { numRuns: 25 },
    )
  }, 60_000)

  test('one batch that comes from two sides at once is added once', async () => {
    const batch = { spool: SPOOL, to: 1_000, charges: Array.from({ length: 100 }, (_, at) => charge(at * 10, 1)) }
    const heirs = [ledger, under.open(), under.open()]
    const told = await Promise.all(heirs.flatMap((heir) => [heir.apply(batch), heir.apply(batch)]))
    for (const news of told) expect(totalsOf(news)).toEqual({ 'w/b/g/0': 100n })
  })

  test('many processes add to the same counts at once, and nothing is lost', async () => {
    const processes = Array.from({ length: 4 }, () => under.open())
    await Promise.all(
      processes.map(async (process, index) => {
        for (let batch = 0; batch < 12; batch++) {
          // Each in an order of its own.
          const groups = Array.from({ length: 8 }, (_, group) => `group-${(group * 3 + index * 5) % 8}`)
          const charges = groups.map((group, at) => charge(batch * 100 + at, 1 + at, { group }))
          await process.apply({ spool: `spool ${index}`, to: batch * 100 + 100, charges })
        }
      }),
    )
    const sum = Object.values(await load()).reduce((all, total) => all + total, 0n)
    expect(sum).toBe(BigInt(4 * 12 * 36))
  }, 60_000)

  test('is exact beyond 2⁵³', async () => {
    const most = Number.MAX_SAFE_INTEGER
    const charges = Array.from({ length: 1_000 }, (_, at) => charge(at, at === 500 ? most - 1 : most))
    const news = await ledger.apply({ spool: SPOOL, to: 1_000, charges })
    expect(totalsOf(news)).toEqual({ 'w/b/g/0': 1_000n * BigInt(most) - 1n })
    await ledger.apply({ spool: SPOOL, to: 1_001, charges: [charge(1_000, 1)] })
    expect(await load()).toEqual({ 'w/b/g/0': 1_000n * BigInt(most) })
  })

  test('takes texts as callers write them', async () => {
    const label = '[["metadata.x","\\u0000 \ud800 \'\\" 日本"]]'
    const workspaceId = "w'; drop table counters; --"
    await ledger.apply({ spool: SPOOL, to: 5, charges: [charge(1, 5, { label, workspaceId })] })
    const { totals } = await ledger.find(SPOOL, [{ ...key, workspaceId }])
    expect(totals.map(({ total }) => total)).toEqual([5n])
    expect(totals[0]?.label).toContain('日本')
  })

  test('the period of a count may end at another time than it was thought', async () => {
    await ledger.apply({ spool: SPOOL, to: 5, charges: [charge(1, 5, { endMs: NOW_MS + 5 })] })
    const ends = async () => (await ledger.find(SPOOL, [key])).totals.map(({ endMs }) => endMs)
    await ledger.apply({ spool: SPOOL, to: 9, charges: [charge(6, 5, { endMs: NOW_MS + 9 })] })
    expect(await ends()).toEqual([NOW_MS + 9])
    await ledger.apply({ spool: SPOOL, to: 12, charges: [charge(10, 5)] })
    expect(await ends()).toEqual([undefined])
  })

  describe('a reset', () => {
    test('leaves out what was spent before, also what comes late', async () => {
      await ledger.apply({ spool: SPOOL, to: 10, charges: [charge(1, 5, { endedUs: 100 })] })
      const reset = await ledger.reset({ ...key, ...about }, 200)
      expect(reset).toEqual({ ...key, ...about, total: 0n, generation: 1, resetAtUs: 200 })
      const news = await ledger.apply({
        spool: SPOOL,
        to: 20,
        charges: [
          charge(10, 7, { endedUs: 150 }),
          charge(11, 11, { endedUs: 200 }),
          charge(12, 13, { endedUs: 201 }),
          charge(13, 17, { endedUs: 150, group: 'h' }),
        ],
      })
      expect(news.position).toBe(20)
      expect(totalsOf(news)).toEqual({ 'w/b/g/0': 13n, 'w/b/h/0': 17n })
    })

    test('of a count that nobody has added to is one nevertheless', async () => {
      await ledger.reset({ ...key, ...about, endMs: NOW_MS + 1 }, 200)
      await ledger.apply({ spool: SPOOL, to: 10, charges: [charge(1, 5, { endedUs: 100 })] })
      const [total] = (await ledger.find(SPOOL, [key])).totals
      expect(total).toMatchObject({ total: 0n, generation: 1, resetAtUs: 200 })
    })

    test('for which nobody waits any more is not done', async () => {
      await ledger.apply({ spool: SPOOL, to: 10, charges: [charge(1, 5, { endedUs: 100 })] })
      await expect(ledger.reset({ ...key, ...about }, 200, Date.now())).rejects.toBeInstanceOf(StoreUnavailable)
      expect((await ledger.find(SPOOL, [key])).totals).toMatchObject([{ total: 5n, generation: 0 }])
      expect(await ledger.reset({ ...key, ...about }, 200, Date.now() + 60_000)).toMatchObject({ generation: 1 })
    })

    test('by a clock that is behind takes away nothing that an earlier one left', async () => {
      await ledger.reset({ ...key, ...about }, 200)
      const reset = await ledger.reset({ ...key, ...about }, 150)
      expect(reset).toMatchObject({ generation: 2, resetAtUs: 200 })
    })

    test('in the middle of all: what is left is what ended after the last one', async () => {
      const adder = under.open()
      const adding = (async () => {
        for (let at = 0; at < 60; at++) {
          await adder.apply({ spool: SPOOL, to: (at + 1) * 10, charges: [charge(at * 10, 1, { endedUs: at + 1 })] })
        }
      })()
      const resetting = (async () => {
        for (const atUs of [10, 20, 30, 40]) await ledger.reset({ ...key, ...about }, atUs)
      })()
      await Promise.all([adding, resetting])
      const [total] = (await ledger.find(SPOOL, [key])).totals
      // All that ended after 40, and of what ended before what came after the last reset: nothing.
      expect(total).toMatchObject({ generation: 4, resetAtUs: 40 })
      expect(total?.total).toBe(20n)
    }, 30_000)
  })

  describe('changes', () => {
    test('of all processes are told, with the place that belongs to them', async () => {
      const other = under.open()
      await ledger.load(SPOOL, NOW_MS)
      await other.apply({ spool: 'other', to: 10, charges: [charge(1, 5)] })
      expect(await ledger.changes(SPOOL)).toMatchObject({ position: 0, totals: [{ total: 5n }] })
      await other.apply({ spool: 'other', to: 20, charges: [charge(11, 5), charge(11, 1, { group: 'h' })] })
      await ledger.apply({ spool: SPOOL, to: 7, charges: [charge(1, 5)] })
      const news = await ledger.changes(SPOOL)
      expect(news.position).toBe(7)
      expect(totalsOf(news)).toEqual({ 'w/b/g/0': 15n, 'w/b/h/0': 1n })
      expect((await ledger.changes(SPOOL)).totals).toEqual([])
      await other.reset({ ...key, ...about }, 5)
      expect((await ledger.changes(SPOOL)).totals).toMatchObject([{ total: 0n, generation: 1 }])
    })

    test('are all told, while others write', async () => {
      const known = new Map<string, LedgerTotal>()
      const writers = Array.from({ length: 4 }, () => under.open())
      await ledger.load(SPOOL, NOW_MS)
      let isWriting = true
      const writing = Promise.all(
        writers.map(async (writer, index) => {
          for (let batch = 0; batch < 40; batch++) {
            const charges = [charge(batch, 1, { group: `group-${(batch + index) % 5}` })]
            await writer.apply({ spool: `spool ${index}`, to: batch + 1, charges })
          }
        }),
      ).finally(() => {
        isWriting = false
      })
      const hear = async (): Promise<void> => {
        for (const total of (await ledger.changes(SPOOL)).totals) known.set(total.group, total)
      }
      while (isWriting) await hear()
      await writing
      await hear()
      const heard = Object.fromEntries([...known].map(([group, { total }]) => [`w/b/${group}/0`, total]))
      expect(heard).toEqual(await load())
      expect(Object.values(heard).reduce((all, total) => all + total, 0n)).toBe(160n)
    }, 60_000)
  })

  test('loads periods that run or have just ended, and forgets those that ended long ago', async () => {
    const ended = (days: number) => ({ group: `ended-${days}`, endMs: NOW_MS - days * DAY_MS })
    const charges = [
      charge(1, 1, { group: 'endless' }),
      charge(1, 1, { group: 'runs', endMs: NOW_MS + 1 }),
      ...[0.5, 2, 399, 401].map((days) => charge(1, 1, ended(days))),
    ]
    await ledger.apply({ spool: SPOOL, to: 5, charges })
    expect(Object.keys(await load())).toEqual(['w/b/ended-0.5/0', 'w/b/endless/0', 'w/b/runs/0'])
    // The newest change stays, so that what comes after it is one.
    await ledger.apply({ spool: SPOOL, to: 6, charges: [charge(5, 1, { group: 'runs', endMs: NOW_MS + 1 })] })
    await ledger.expire(NOW_MS)
    const keys = [399, 401].map((days) => ({ ...key, group: `ended-${days}` }))
    expect(Object.keys(totalsOf(await ledger.find(SPOOL, keys)))).toEqual(['w/b/ended-399/0'])
  })
})
