import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { watchFiles } from './watch.ts'

let folder: string
const stops: (() => void)[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-watch-'))
  await Bun.write(join(folder, 'weir.config.yaml'), 'server: {}\n')
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await rm(folder, { recursive: true, force: true })
})

/** Starts to watch; `next` resolves with the next change that is reported. */
const watching = (...names: readonly string[]): { readonly count: () => number; next(): Promise<void> } => {
  let count = 0
  let report: () => void = () => undefined
  stops.push(
    watchFiles(folder, names, () => {
      count++
      report()
    }),
  )
  return {
    count: () => count,
    next: () =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('no change was reported within 5 s')), 5_000)
        report = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}

test('a file written in several steps is one change', async () => {
  const { next, count } = watching('weir.config.yaml')
  const changed = next()
  for (const port of [1, 2, 3]) await Bun.write(join(folder, 'weir.config.yaml'), `server: { port: ${port} }\n`)
  await changed
  expect(count()).toBe(1)
})

test('a file replaced by another one is a change, each time', async () => {
  const { next, count } = watching('weir.config.yaml')
  for (const port of [1, 2]) {
    const changed = next()
    await Bun.write(join(folder, 'new.yaml'), `server: { port: ${port} }\n`)
    await rename(join(folder, 'new.yaml'), join(folder, 'weir.config.yaml'))
    await changed
  }
  expect(count()).toBe(2)
})

test('files that come and go are changes, whichever of the names they have', async () => {
  const { next, count } = watching('weir.config.yaml', 'weir.config.json')
  let changed = next()
  await Bun.write(join(folder, 'weir.config.json'), '{}')
  await changed
  changed = next()
  await rm(join(folder, 'weir.config.yaml'))
  await changed
  expect(count()).toBe(2)
})

test('another file of the folder is none of its business', async () => {
  const { count } = watching('weir.config.yaml')
  // Its watcher starts later and waits as long: once it has reported, the first one would have.
  const { next } = watching('other.yaml')
  const changed = next()
  await Bun.write(join(folder, 'other.yaml'), 'a: 1\n')
  await changed
  expect(count()).toBe(0)
})

test('nothing is reported once it has stopped', async () => {
  const { count } = watching('weir.config.yaml')
  stops[0]?.()
  const { next } = watching('weir.config.yaml')
  const changed = next()
  await Bun.write(join(folder, 'weir.config.yaml'), 'server: { port: 5 }\n')
  await changed
  expect(count()).toBe(0)
})
