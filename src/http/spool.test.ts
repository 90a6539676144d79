import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSpool } from './spool.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-spool-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Files of the folder that this process has open, whether they have a name or not. */
const openFiles = async (): Promise<string[]> => {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map(async (fd) => {
      const path = `/proc/self/fd/${fd}`
      return { path, target: await readlink(path).catch(() => '') }
    }),
  )
  return links.filter(({ target }) => target.startsWith(folder)).map(({ path }) => path)
}

test('what was kept is read from any place, and nobody else finds it', async () => {
  const file = await createSpool(join(folder, 'uploads'), 1_000_000).open()
  expect(await file?.append(new Uint8Array(100_000).fill(1))).toBe(true)
  expect(await file?.append(new Uint8Array(10).fill(2))).toBe(true)
  expect(await readdir(join(folder, 'uploads'))).toEqual([])
  const [open = ''] = await openFiles()
  expect((await stat(open)).mode & 0o777).toBe(0o600)
  let read = 0
  for (let piece = await file?.read(0); piece !== undefined; piece = await file?.read(read)) read += piece.length
  expect(read).toBe(100_010)
  expect(await file?.read(99_999)).toEqual(Uint8Array.from([1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]))
  await file?.close()
  expect(await openFiles()).toEqual([])
})

test('no more is kept than allowed', async () => {
  const file = await createSpool(folder, 10).open()
  expect(await file?.append(new Uint8Array(10))).toBe(true)
  expect(await file?.append(new Uint8Array(1))).toBe(false)
  await file?.close()
})

test('where nothing can be written, nothing is kept', async () => {
  await writeFile(join(folder, 'taken'), '')
  expect(await createSpool(join(folder, 'taken'), 10).open()).toBeUndefined()
})
