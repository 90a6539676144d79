import { afterEach, beforeEach, expect, test } from 'bun:test'
import { createCounters, type OwnCounters } from '../../../src/budgets/counters.ts'
import { createRecorder } from '../../../src/records/recorder.ts'
import { Spool } from '../../../src/records/spool/spool.ts'
import { StoreUnavailable } from '../../../src/store/errors.ts'
import { type PrivateDatabase, privateDatabase } from '../../support/services.ts'
import { chargeOf, endedCall, newRoot } from '../../support/spool/process.ts'
import { setAvailable } from './support/availability.ts'

const LONGEST_MS = 240_000
const clock = { now: Date.now, monotonicMs: () => performance.now() }

let database: PrivateDatabase
let folders: ReturnType<typeof newRoot>[]
let running: { readonly spool: Spool; readonly counters: OwnCounters }[]
beforeEach(async () => {
  database = await privateDatabase()
  folders = []
  running = []
})
afterEach(async () => {
  await setAvailable(database.url, true)
  for (const { spool, counters } of running) {
    await spool.close(1_000)
    await counters.close()
  }
  await database.drop()
  for (const folder of folders) folder.remove()
})

/** A gateway, as far as budgets are concerned, on a machine of its own. */
const start = async () => {
  const folder = newRoot()
  folders.push(folder)
  const counters = createCounters({ clock })
  const silent = (): void => undefined
  const spool = new Spool({
    root: folder.root,
    settings: { maxBytes: 2 * 1024 ** 3, durability: 'group', onFull: 'drop' },
    store: { kind: 'postgres', url: database.url },
    ledger: { kind: 'postgres', url: database.url },
    onLedger: counters.hear,
    rules: { fallback: { days: 30, bodyDays: 7 }, workspaces: new Map(), metadataKeys: new Map() },
    clock,
    log: { info: silent, warn: silent, error: silent },
    segmentBytes: 512 * 1024,
  })
  counters.connect((message) => spool.tellLedger(message))
  running.push({ spool, counters })
  expect(await counters.loaded(20_000)).toBe(true)
  const recorder = createRecorder(spool, { prepare: () => undefined, seal: () => undefined }, counters)
  let spent = 0n
  const { budgetId, group, startMs, type, label } = chargeOf(0)
  const counter = counters.of({ workspaceId: 'workspace', budgetId, group, startMs }, { type, label })
  return {
    counters,
    counter,
    isOk: () => spool.stats().ledger?.isOk === true,
    spent: () => spent,
    total: () => counters.total(counter),
    spend(calls: number): void {
      for (let call = 0; call < calls; call++) {
        const amount = Math.floor(Math.random() * 1e12)
        spent += BigInt(amount)
        recorder.close([endedCall(Bun.randomUUIDv7(), { time: Date.now() * 1_000, charges: [chargeOf(amount)] })])
      }
    },
  }
}

const until = async (what: string, isDone: () => boolean, withinMs = 110_000): Promise<number> => {
  const began = performance.now()
  while (!isDone()) {
    if (performance.now() - began > withinMs) throw new Error(`it took too long until ${what}`)
    await Bun.sleep(10)
  }
  return performance.now() - began
}

test(
  'while Postgres is away each goes on with what it knows, and in the end all know all',
  async () => {
    const [one, other] = [await start(), await start()]
    one.spend(500)
    other.spend(300)
    const sum = (): bigint => one.spent() + other.spent()
    const bothKnow = (): boolean => one.total() === sum() && other.total() === sum()
    await until('both know', bothKnow)
    // Asleep, both hear of each other within a second all the same.
    await Bun.sleep(700)
    other.spend(1)
    expect(await until('the other one knows', bothKnow)).toBeLessThan(1_000)

    const before = sum()
    const ownBefore = one.spent()
    await setAvailable(database.url, false)
    one.spend(4_000)
    other.spend(2_000)
    await until('both say that it is away', () => !one.isOk() && !other.isOk())
    expect(one.total()).toBe(before + one.spent() - ownBefore)
    await expect(one.counters.reset(one.counter)).rejects.toBeInstanceOf(StoreUnavailable)

    await setAvailable(database.url, true)
    await until('both know again', () => one.isOk() && other.isOk() && bothKnow())
    expect([one.counter.pending, other.counter.pending]).toEqual([0, 0])

    await one.counters.reset(one.counter)
    await until('the other one knows of the reset', () => other.total() === 0n)
    expect(other.counter.generation).toBe(1)
  },
  LONGEST_MS,
)
