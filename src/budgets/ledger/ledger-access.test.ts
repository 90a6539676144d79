import { beforeEach, describe, expect, test } from 'bun:test'
import type { CounterKey } from '../../core/budgets.ts'
import type { Ledger, LedgerNews, LedgerTotal } from './ledger.ts'
import { LedgerAccess, LOOK_MS } from './ledger-access.ts'
import type { FromLedger } from './messages.ts'

const key = (group: string): CounterKey => ({ workspaceId: 'w', budgetId: 'b', group, startMs: 0 })
const totalOf = (group: string, over: Partial<LedgerTotal> = {}): LedgerTotal => ({
  ...{ ...key(group), type: 'cost', label: '[]', total: 1n, generation: 0, resetAtUs: 0 },
  ...over,
})

let nowMs: number
let said: FromLedger[]
let asked: string[]
let news: LedgerNews
let failure: Error | undefined
let failures: number[]
let timesBack: number
let access: LedgerAccess

beforeEach(() => {
  nowMs = 1_000
  said = []
  asked = []
  news = { position: 0, totals: [] }
  failure = undefined
  failures = []
  timesBack = 0
  const answer = async (what: string): Promise<LedgerNews> => {
    asked.push(what)
    if (failure !== undefined) throw failure
    return news
  }
  const ledger: Ledger = {
    apply: ({ spool }) => answer(`apply ${spool}`),
    load: () => answer('load'),
    find: (_spool, keys) => answer(`find ${keys.length}`),
    changes: () => answer('changes'),
    reset: async (counter) => {
      await answer('reset')
      return totalOf(counter.group, { total: 0n, generation: 1 })
    },
    expire: async () => void (await answer('expire')),
    close: async () => undefined,
  }
  access = new LedgerAccess({
    spool: 'own',
    open: () => ledger,
    post: (message) => said.push(message),
    now: () => nowMs,
    monotonicMs: () => nowMs,
    onFailure: (_error, inRow) => failures.push(inRow),
    onBack: () => timesBack++,
  })
})

const tick = async (afterMs = 0, isCaughtUp = true): Promise<string[]> => {
  nowMs += afterMs
  access.tick(isCaughtUp)
  await Bun.sleep(0)
  return asked.splice(0)
}

test('totals are loaded first, and said to be when what lies in spools is counted too', async () => {
  news = { position: 5, totals: [totalOf('g')] }
  expect(await tick(0, false)).toEqual(['load', 'changes'])
  expect(said[0]).toEqual({ type: 'news', position: 5, totals: [totalOf('g')] })
  await tick(10, false)
  expect(said.at(-1)).not.toEqual({ type: 'loaded' })
  expect(access.isQuiet).toBe(false)
  await tick(10, true)
  expect(said.at(-1)).toEqual({ type: 'loaded' })
  expect(access.isQuiet).toBe(true)
})

test('what cannot be counted is not waited for longer than some seconds', async () => {
  await tick(0, false)
  await tick(2_900, false)
  expect(said).toEqual([])
  await tick(200, false)
  expect(said).toEqual([{ type: 'loaded' }])
})

describe('changes', () => {
  test('are looked for seldom while no budget is in use', async () => {
    await tick()
    expect(access.pauseMs).toBe(5_000)
    expect(await tick(4_900)).toEqual([])
    expect(await tick(100)).toEqual(['changes'])
  })

  test.each([
    ['is told of', [totalOf('g')], []],
    ['is asked for', [], [key('g')]],
  ])('are looked for often once one %s', async (_what, totals, keys) => {
    news = { position: 0, totals }
    access.take({ type: 'find', keys })
    await tick()
    expect(access.pauseMs).toBe(LOOK_MS)
    expect(await tick(LOOK_MS)).toEqual(['changes'])
  })

  test('are looked for seldom again when all periods are over', async () => {
    news = { position: 0, totals: [totalOf('g', { endMs: 50_000 })] }
    await tick()
    expect(access.pauseMs).toBe(LOOK_MS)
    nowMs = 50_000
    expect(access.pauseMs).toBe(5_000)
  })

  test('that are none are not told', async () => {
    await tick()
    await tick(5_000)
    expect(said.filter(({ type }) => type === 'news')).toEqual([])
  })
})

test('counts that are new are asked for at once, and again after a failure', async () => {
  await tick()
  access.take({ type: 'find', keys: Array.from({ length: 1_500 }, (_, group) => key(`${group}`)) })
  expect(await tick()).toEqual(['find 1000', 'find 500', 'changes'])
  failure = new Error('away')
  access.take({ type: 'find', keys: [key('g')] })
  expect(await tick()).toEqual(['find 1'])
  expect(await tick(10)).toEqual([])
  failure = undefined
  expect(await tick(5_000)).toEqual(['find 1', 'changes'])
  expect(timesBack).toBe(1)
})

test('many totals come in parts, the place with the last of them', async () => {
  news = { position: 77, totals: Array.from({ length: 4_000 }, (_, group) => totalOf(`${group}`)) }
  await access.apply({ spool: 'own', to: 77, charges: [] })
  expect(said.map((message) => message.type === 'news' && [message.totals.length, message.position])).toEqual([
    [2_000, undefined],
    [2_000, 77],
  ])
})

test('of the spool of a dead process the totals are told, and not its place', async () => {
  news = { position: 5, totals: [totalOf('g')] }
  await access.apply({ spool: 'own', to: 5, charges: [] })
  news = { position: 900, totals: [totalOf('g', { total: 2n })] }
  await access.apply({ spool: 'dead', to: 900, charges: [] })
  expect(said.at(-1)).toEqual({ type: 'news', position: 5, totals: news.totals })
})

describe('a ledger that is away', () => {
  test('is asked ever more seldom, and said to be away until it takes what it is given', async () => {
    failure = new Error('away')
    await expect(access.apply({ spool: 'own', to: 5, charges: [] })).rejects.toBe(failure)
    expect(access.state).toEqual({ isOk: false, failures: 1 })
    asked = []
    let looks = 0
    for (let elapsed = 0; elapsed < 60_000; elapsed += 100) looks += (await tick(100)).length
    expect(looks).toBeGreaterThan(10)
    expect(looks).toBeLessThan(20)
    expect(failures.at(-1)).toBe(looks)
    failure = undefined
    await tick(5_000)
    expect(timesBack).toBe(1)
    // It answers, and has not taken what was spent.
    expect(access.state.isOk).toBe(false)
    await access.apply({ spool: 'own', to: 5, charges: [] })
    expect(access.state.isOk).toBe(true)
  })

  test('resets nothing, and says so', async () => {
    const counter = { ...key('g'), type: 'cost' as const, label: '[]' }
    access.take({ type: 'reset', id: 1, counter, atUs: 5, beforeMs: 9 })
    await Bun.sleep(0)
    failure = new Error('away')
    access.take({ type: 'reset', id: 2, counter, atUs: 5, beforeMs: 9 })
    await Bun.sleep(0)
    expect(said).toEqual([
      { type: 'reset', id: 1, total: totalOf('g', { total: 0n, generation: 1 }) },
      { type: 'reset', id: 2 },
    ])
  })
})

test('old counts go once an hour', async () => {
  await tick()
  expect(await tick(3_599_000)).toEqual(['changes'])
  expect(await tick(5_000)).toEqual(['changes', 'expire'])
  expect(await tick(5_000)).toEqual(['changes'])
})

test('a question that the end cut off is no failure', async () => {
  failure = new Error('closed')
  access.tick(true)
  await access.close()
  await Bun.sleep(0)
  expect(failures).toEqual([])
})
