import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLedger, type Ledger } from '../../../test/support/spool/ledger.ts'
import { newRoot, SpoolProcess } from '../../../test/support/spool/process.ts'
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
