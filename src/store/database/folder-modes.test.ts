import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openStore } from '../db.ts'
import { StoreUnavailable } from '../errors.ts'
import { rejection, SLOW_START_MS, temporaryFolder } from '../testing.ts'
import { closeFolder, restrictFolder } from './folder-modes.ts'

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8)

let folder: ReturnType<typeof temporaryFolder>
let data: string
let umask: number
beforeEach(() => {
  folder = temporaryFolder()
  data = join(folder.path, 'data')
  umask = process.umask(0)
})
afterEach(() => {
  process.umask(umask)
  folder.remove()
})

/** Everything below a folder whose mode is not that of its owner alone. */
const openPaths = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .map((entry) => ({ path: join(entry.parentPath, entry.name), wanted: entry.isDirectory() ? '700' : '600' }))
    .filter((entry) => modeOf(entry.path) !== entry.wanted)
    .map((entry) => `${modeOf(entry.path)} ${entry.path}`)

describe('the data folder is for its owner alone', () => {
  test(
    'whatever the umask is, and what an earlier start left readable too',
    async () => {
      await (await openStore({ dataDir: data })).close()
      expect(openPaths(data)).toEqual([])
      expect(modeOf(data)).toBe('700')

      chmodSync(data, 0o755)
      chmodSync(join(data, 'pgdata'), 0o755)
      chmodSync(join(data, 'pgdata', 'PG_VERSION'), 0o644)
      writeFileSync(join(data, 'master.key'), 'a key')
      await (await openStore({ dataDir: data })).close()
      expect(modeOf(join(data, 'pgdata', 'PG_VERSION'))).toBe('600')
      expect(modeOf(join(data, 'master.key'))).toBe('600')
      expect(modeOf(join(data, 'pgdata'))).toBe('700')
      expect(modeOf(data)).toBe('700')
    },
    SLOW_START_MS,
  )

  test.each([0o777, 0o770, 0o722])('one with something in it that others may write is refused: %o', async (mode) => {
    mkdirSync(data)
    writeFileSync(join(data, 'planted'), '')
    chmodSync(data, mode)
    const error = await rejection(openStore({ dataDir: data }))
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(error.message).toContain(`"${data}" may be written by others (mode ${mode.toString(8)})`)
    expect(error.message).toEndWith(`chmod 700 "${data}"`)
    expect(readdirSync(data)).toEqual(['planted'])
  })

  test('an empty one that others may write, such as a fresh volume, is closed', () => {
    mkdirSync(data)
    chmodSync(data, 0o777)
    closeFolder(data)
    expect(modeOf(data)).toBe('700')
  })

  test('links are not followed', () => {
    const outside = join(folder.path, 'outside')
    writeFileSync(outside, '')
    mkdirSync(data, { mode: 0o700 })
    symlinkSync(outside, join(data, 'link'))
    restrictFolder(data)
    expect(modeOf(outside)).toBe('666')
  })
})
