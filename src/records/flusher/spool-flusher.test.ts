import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLedger, type Ledger } from '../../../test/support/spool/ledger.ts'
import { chargeOf, newRoot, SpoolProcess } from '../../../test/support/spool/process.ts'
import type { BudgetCharge } from '../../core/budgets.ts'
import { listSegments } from '../spool/segment-files.ts'
import type { SpoolWriterOptions } from '../spool/spool-writer.ts'

let ledger: Ledger
let folder: ReturnType<typeof newRoot>
let running: SpoolProcess[]

beforeEach(() => {
  ledger = createLedger()
  folder = newRoot()
  running = []
})

afterEach(() => {
  for (const each of running) each.die()
  folder.remove()
})

const start = (options?: Partial<SpoolWriterOptions>): SpoolProcess => {
  const started = new SpoolProcess(folder.root, ledger.writer, options)
  running.push(started)
  return started
}

const kill = (process: SpoolProcess): void => {
  process.die()
  running = running.filter((each) => each !== process)
}

const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, index) => `call ${from + index}`)

test('what is written is stored, in order, once', async () => {
  const process = start()
  for (const id of ids(0, 2_500)) {
    process.open(id)
    process.end(id)
  }
  expect(await process.flush()).toBe(true)
  expect(ledger.ids).toEqual(ids(0, 2_500))
  expect(ledger.batches.map(({ rows }) => rows)).toEqual([1_000, 1_000, 500])
  process.bodies('call 1', 5_000)
  expect(await process.flush()).toBe(true)
  expect(ledger.ids.at(-1)).toBe('bodies of call 1')
})

test('waits a moment for more, and no longer', async () => {
  const process = start()
  await process.flush()
  process.end('one')
  process.flusher.tick(false)
  await Bun.sleep(0)
  expect(ledger.ids).toEqual([])
  process.nowMs += 251
  process.flusher.tick(false)
  await Bun.sleep(0)
  await Bun.sleep(0)
  expect(ledger.ids).toEqual(['one'])
})

test('segments go when they are stored', async () => {
  const process = start()
  for (let round = 0; round < 6; round++) {
    process.prepare(1_048_576)
    for (const id of ids(round * 2_000, round * 2_000 + 2_000)) process.end(id)
  }
  expect(listSegments(process.folder.path).length).toBeGreaterThan(4)
  expect(await process.flush()).toBe(true)
  expect(ledger.ids).toEqual(ids(0, 12_000))
  expect(listSegments(process.folder.path).length).toBeLessThanOrEqual(2)
})

describe('after the death of a process', () => {
  test('the next one stores what was not, and tells of calls that were cut off', async () => {
    const first = start()
    for (const id of ids(0, 10)) first.open(id)
    for (const id of ids(0, 6)) first.end(id)
    kill(first)
    const second = start()
    expect(second.folder.id).toBe(first.folder.id)
    second.open('new')
    expect(await second.flush()).toBe(true)
    expect(ledger.ids).toEqual(ids(0, 10))
    kill(second)
    const third = start()
    expect(await third.flush()).toBe(true)
    expect(ledger.ids).toEqual([...ids(0, 10), 'new'])
    kill(third)
    const fourth = start()
    expect(await fourth.flush()).toBe(true)
    expect(ledger.ids).toHaveLength(11)
  })

  test('a call that was cut off has spent what was held back for it last', async () => {
    const held = (amount: number): readonly BudgetCharge[] => [
      { budgetId: 'policy', group: 'g', startMs: 0, type: 'cost', label: '{}', amount },
    ]
    const first = start()
    first.open('moved on', { held: held(500) })
    first.open('other')
    first.open('moved on', { held: held(700) })
    kill(first)
    expect(await start().flush()).toBe(true)
    expect(ledger.records.map(({ id, charges, cost, unpriced }) => [id, charges, cost?.total, unpriced])).toEqual([
      ['moved on', held(700), 700, undefined],
      ['other', undefined, undefined, true],
    ])
  })

  test('a batch that was being stored comes again as it was', async () => {
    const first = start()
    for (const id of ids(0, 30)) first.end(id)
    await first.flush(1)
    ledger.away(new Error('no answer'))
    first.flusher.tick(true)
    await Bun.sleep(0)
    await Bun.sleep(0)
    expect(first.failures).toHaveLength(1)
    for (const id of ids(30, 60)) first.end(id)
    kill(first)
    ledger.away(undefined)
    const second = start()
    expect(await second.flush()).toBe(true)
    // Without its plan it would have been one batch.
    expect(ledger.batches.map(({ rows }) => rows)).toEqual([30, 30])
    expect(ledger.ids).toEqual(ids(0, 60))
  })

  test('one that was stored, but whose end nobody saw, is not stored again', async () => {
    const first = start()
    for (const id of ids(0, 30)) first.end(id)
    await first.flush()
    const { position } = first.writer
    kill(first)
    const second = start()
    expect(await second.flush()).toBe(true)
    expect(ledger.ids).toEqual(ids(0, 30))
    expect(second.writer.position).toBeGreaterThan(position)
  })

  test('a call that has lasted for many segments is told of too', async () => {
    const first = start()
    first.open('long')
    for (let round = 0; round < 5; round++) {
      first.prepare(1_048_576)
      for (const id of ids(round * 2_000, round * 2_000 + 2_000)) first.end(id)
      await first.flush()
    }
    expect(listSegments(first.folder.path)).not.toContain(first.folder.firstSegment)
    kill(first)
    const second = start()
    expect(await second.flush()).toBe(true)
    expect(ledger.ids).toEqual([...ids(0, 10_000), 'long'])
  })
})

describe('while the store is away', () => {
  test('it is asked again, ever more seldom, and everything comes once it is back', async () => {
    const process = start()
    await process.flush()
    ledger.away(new Error('away'))
    for (const id of ids(0, 100)) process.end(id)
    await process.flush(4_000)
    // Ten minutes: 0.25 + 0.5 + … + 16 s, then every half minute.
    expect(process.failures.length).toBeGreaterThan(8)
    expect(process.failures.length).toBeLessThan(20)
    for (const id of ids(100, 5_000)) process.end(id)
    ledger.away(undefined)
    expect(await process.flush(1_000)).toBe(true)
    expect(ledger.ids).toEqual(ids(0, 5_000))
  })

  test('only a batch of it is in memory, and the oldest can be dropped, counted', async () => {
    const process = start()
    await process.flush()
    ledger.away(new Error('away'))
    for (let round = 0; round < 8; round++) {
      process.prepare(1_048_576)
      for (const id of ids(round * 1_500, round * 1_500 + 1_500)) process.end(id)
    }
    await process.flush(20)
    const before = listSegments(process.folder.path).length
    const lost = process.flusher.discard(3 * 1_048_576)
    expect(listSegments(process.folder.path).length).toBe(before - 3)
    expect(lost.record).toBeGreaterThan(3_000)
    ledger.away(undefined)
    expect(await process.flush(2_000)).toBe(true)
    expect(ledger.ids.length + lost.record).toBe(12_000)
    expect(new Set(ledger.ids).size).toBe(ledger.ids.length)
    expect(ledger.ids.slice(0, 1_000)).toEqual(ids(0, 1_000))
    expect(ledger.ids.at(-1)).toBe('call 11999')
  })
})

test('a row that no store takes is set aside, the others are stored', async () => {
  const process = start()
  ledger.refuse('call 7', 'call 130')
  for (const id of ids(0, 200)) process.end(id)
  expect(await process.flush(1_000)).toBe(true)
  expect(ledger.ids).toEqual(ids(0, 200).filter((id) => id !== 'call 7' && id !== 'call 130'))
  const kept = readFileSync(join(folder.root, 'quarantine.jsonl'), 'utf8').trim().split('\n')
  expect(kept.map((line) => JSON.parse(line).row.id)).toEqual(['call 7', 'call 130'])
  expect(process.quarantine.rows).toBe(2)
  expect(process.failures).toEqual([])
})

describe('what calls spend', () => {
  const amountsOf = ({ counted }: SpoolProcess): number[] =>
    counted.flatMap(({ charges }) => charges.map(({ charge }) => charge.amount))

  test('is counted before their records are stored, with the place behind them', async () => {
    const process = start()
    process.end('free')
    await process.flush()
    expect(process.counted).toEqual([])
    process.end('one', { charges: [chargeOf(5), chargeOf(7, { budgetId: 'other' })], time: 1_000, totalUs: 234 })
    process.end('two', { charges: [chargeOf(11)] })
    process.countFailure = new Error('away')
    await process.flush(20)
    expect(ledger.ids).toEqual(['free'])
    expect(process.failures.length).toBeGreaterThan(0)
    process.countFailure = undefined
    expect(await process.flush()).toBe(true)
    expect(ledger.ids).toEqual(['free', 'one', 'two'])
    expect(process.counted).toHaveLength(1)
    const [batch] = process.counted
    expect(batch).toMatchObject({ spool: process.folder.id, to: process.writer.position })
    const [one, same, two] = batch?.charges ?? []
    expect(one).toMatchObject({ workspaceId: 'workspace', endedUs: 1_234, charge: chargeOf(5) })
    expect(same?.position).toBe(one?.position as number)
    expect(two?.position).toBeGreaterThan(one?.position as number)
  })

  test('is tried again at once when the ledger says that it is back', async () => {
    const process = start()
    await process.flush()
    process.countFailure = new Error('away')
    process.end('one', { charges: [chargeOf(5)] })
    await process.flush(2_000)
    process.countFailure = undefined
    process.flusher.tick(true)
    await Bun.sleep(0)
    expect(process.counted).toEqual([])
    process.flusher.retry()
    process.flusher.tick(true)
    await Bun.sleep(0)
    expect(amountsOf(process)).toEqual([5])
  })

  test('is counted once where the store fails after it, or takes only halves of a batch', async () => {
    const process = start()
    await process.flush()
    ledger.away(new Error('away'))
    ledger.refuse('call 3', 'call 8')
    for (const [index, id] of ids(0, 10).entries()) process.end(id, { charges: [chargeOf(index)] })
    await process.flush(300)
    ledger.away(undefined)
    expect(await process.flush(1_000)).toBe(true)
    expect(ledger.ids).toHaveLength(8)
    expect(amountsOf(process)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('comes again after a crash, under the same places', async () => {
    const first = start()
    await first.flush()
    ledger.away(new Error('away'))
    first.end('one', { charges: [chargeOf(5)] })
    await first.flush(10)
    kill(first)
    ledger.away(undefined)
    const second = start()
    expect(await second.flush()).toBe(true)
    expect(second.counted).toEqual(first.counted)
  })

  test('is counted where there was no room for the record itself', async () => {
    const process = start()
    await process.flush()
    ledger.away(new Error('away'))
    process.countFailure = new Error('away')
    let calls = 0
    for (let round = 0; round < 8; round++) {
      process.prepare(1_048_576)
      for (let call = 0; call < 1_500; call++) process.end(`call ${calls++}`, { charges: [chargeOf(1)] })
    }
    await process.flush(20)
    expect(process.flusher.discard(3 * 1_048_576).record).toBeGreaterThan(3_000)
    ledger.away(undefined)
    process.countFailure = undefined
    expect(await process.flush(2_000)).toBe(true)
    expect(ledger.ids.length).toBeLessThan(9_000)
    const charges = process.counted.flatMap((batch) => batch.charges)
    expect(charges).toHaveLength(12_000)
    expect(new Set(charges.map(({ position }) => position)).size).toBe(12_000)
    // What a ledger is told lies before the place that comes with it, and behind the one before: nothing is skipped.
    let before = 0
    for (const batch of process.counted) {
      for (const { position } of batch.charges) expect(position >= before && position < batch.to).toBe(true)
      before = batch.to
    }
  })

  test('and is not to be understood is left out, and said', async () => {
    const process = start()
    const odd = [
      { amount: -1 },
      { amount: 0.5 },
      { amount: 2 ** 60 },
      { startMs: Number.NaN },
      { budgetId: 'a b' },
      { group: '' },
      { label: 'x'.repeat(4_097) },
      { endMs: -5 },
    ]
    for (const over of odd) process.end(`odd ${JSON.stringify(over).slice(0, 20)}`, { charges: [chargeOf(1, over)] })
    process.end('sound', { charges: [chargeOf(3, { label: JSON.stringify([['api_key', '\0'.repeat(128)]]) })] })
    expect(await process.flush()).toBe(true)
    expect(amountsOf(process)).toEqual([3])
    expect(process.unsound).toHaveLength(odd.length)
    expect(ledger.ids).toHaveLength(odd.length + 1)
  })
})

test('a clock that steps back changes no order and loses nothing', async () => {
  const process = start()
  for (const [index, id] of ids(0, 50).entries()) process.end(id, { time: 1_790_000_000_000_000 - index * 60_000_000 })
  expect(await process.flush()).toBe(true)
  expect(ledger.ids).toEqual(ids(0, 50))
})

test('a damaged place costs the row that it hits', async () => {
  const process = start()
  for (const id of ids(0, 20)) process.end(id)
  kill(process)
  const [segment = 0] = listSegments(process.folder.path)
  const path = join(process.folder.path, `${String(segment).padStart(12, '0')}.seg`)
  const bytes = readFileSync(path)
  const at = bytes.indexOf('"call 7"')
  bytes[at] = 0
  await Bun.write(path, bytes)
  const next = start()
  expect(await next.flush()).toBe(true)
  expect(ledger.ids).toEqual(ids(0, 20).filter((id) => id !== 'call 7'))
  expect(next.reader.damaged).toBe(1)
})

describe('where memory cannot be mapped', () => {
  test('records are written one by one, and survive', async () => {
    const modes: string[] = []
    const process = start({
      map: () => {
        throw new Error('not here')
      },
      onMode: (mode) => modes.push(mode),
    })
    for (const id of ids(0, 3_000)) process.end(id)
    kill(process)
    expect(modes).toEqual(['written'])
    const next = start()
    expect(await next.flush()).toBe(true)
    expect(ledger.ids).toEqual(ids(0, 3_000))
  })
})

describe('where no disk takes them', () => {
  test('records are kept in memory up to a bound, counted beyond it, and stored', async () => {
    const modes: string[] = []
    const process = start({ folder: undefined, memoryBytes: 8 * 1024 * 1024, onMode: (mode) => modes.push(mode) })
    await process.flush()
    ledger.away(new Error('away'))
    let kept = 0
    for (let index = 0; index < 30_000; index++) if (process.end(`call ${index}`)) kept++
    expect(modes).toEqual(['memory'])
    expect(kept).toBeLessThan(30_000)
    expect(process.writer.dropped.record).toBe(30_000 - kept)
    ledger.away(undefined)
    expect(await process.flush(2_000)).toBe(true)
    expect(ledger.ids).toEqual(ids(0, kept))
    expect(process.end('again')).toBe(true)
    expect(await process.flush()).toBe(true)
    expect(ledger.ids.at(-1)).toBe('again')
  })

  test('it goes back to the disk once there is one', async () => {
    const modes: string[] = []
    const process = start({ onMode: (mode) => modes.push(mode) })
    process.end('one')
    // A name that is taken by a folder: no segment can be there.
    const { rmSync, mkdirSync } = await import('node:fs')
    const { path } = process.folder
    for (let index = 0; index < 700; index++) process.end(`fill ${index}`)
    rmSync(path, { recursive: true })
    for (let index = 700; index < 4_000; index++) process.end(`fill ${index}`)
    expect(modes).toEqual(['mapped', 'memory'])
    mkdirSync(path)
    process.nowMs += 10_000
    process.end('back')
    expect(modes).toEqual(['mapped', 'memory', 'mapped'])
    expect(await process.flush(1_000)).toBe(true)
    expect(ledger.ids).toContain('fill 3999')
    expect(ledger.ids.at(-1)).toBe('back')
  })
})

test('a second process on the same data folder has a spool of its own', async () => {
  const first = start()
  const second = start()
  expect(second.folder.id).not.toBe(first.folder.id)
  for (const id of ids(0, 10)) (id.endsWith('3') ? first : second).end(id)
  await first.flush()
  await second.flush()
  expect(ledger.ids.toSorted()).toEqual(ids(0, 10).toSorted())
})
