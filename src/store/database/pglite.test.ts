import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyEmbeddedDatabase } from '../../../test/support/embedded-database.ts'
import { openStore } from '../db.ts'
import { StoreUnavailable } from '../errors.ts'
import { organisations } from '../schema/tenancy.ts'
import { rejection, SLOW_START_MS, temporaryFolder } from '../testing.ts'
import { lockFolder } from './folder-lock.ts'

/** Opens the folder in another process, writes a row, says so, and stays. */
const OTHER_PROCESS = `
  import { openStore } from ${JSON.stringify(join(import.meta.dir, '../db.ts'))}
  import { createOrganisation } from ${JSON.stringify(join(import.meta.dir, '../objects/tenancy.ts'))}
  const store = await openStore({ dataDir: process.argv[2] })
  await createOrganisation(store.db, { name: 'from the other process' })
  // The lock holds although nothing refers to the store any more.
  Bun.gc(true)
  process.stdout.write('written')
  setInterval(() => {}, 1_000)
`

const startOtherProcess = async (folder: string) => {
  const script = join(folder, 'other.ts')
  writeFileSync(script, OTHER_PROCESS)
  const child = Bun.spawn([process.execPath, script, join(folder, 'data')], { stdout: 'pipe', stderr: 'inherit' })
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  expect(new TextDecoder().decode(value)).toBe('written')
  return child
}

describe('the data folder', () => {
  test(
    'belongs to one process, and to the next one once that was killed, with all that was committed',
    async () => {
      const folder = temporaryFolder()
      const dataDir = join(folder.path, 'data')
      await copyEmbeddedDatabase(dataDir)
      const other = await startOtherProcess(folder.path)
      const error = await rejection(openStore({ dataDir })).finally(() => other.kill('SIGKILL'))
      expect(error).toBeInstanceOf(StoreUnavailable)
      expect(error.message).toBe(
        `The data folder "${dataDir}" is in use by another Weir process (process ${other.pid}). Stop that one, or choose another folder.`,
      )
      await other.exited

      const store = await openStore({ dataDir })
      expect(await store.db.select({ name: organisations.name }).from(organisations)).toEqual([
        { name: 'from the other process' },
      ])
      await store.close()
      folder.remove()
    },
    SLOW_START_MS,
  )

  test('is taken once in one process too, and free again after closing', () => {
    const folder = temporaryFolder()
    const unlock = lockFolder(folder.path)
    expect(() => lockFolder(folder.path)).toThrow(`(process ${process.pid})`)
    unlock()
    lockFolder(folder.path)()
    folder.remove()
  })

  test('is named when its lock is not one', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder.path, 'weir.lock'), 'some other file '.repeat(64))
    expect(() => lockFolder(folder.path)).toThrow(`The data folder "${folder.path}" cannot be locked`)
    folder.remove()
  })

  test('is named when it cannot be made', async () => {
    const folder = temporaryFolder()
    const file = join(folder.path, 'file')
    writeFileSync(file, '')
    const error = await rejection(openStore({ dataDir: join(file, 'data') }))
    expect(error.message).toBe(`The data folder "${join(file, 'data')}" cannot be written (ENOTDIR).`)
    folder.remove()
  })

  test.each([
    ['killed half way', 'pgdata'],
    ['of an earlier version killed half way', 'pgdata.unfinished'],
  ])(
    'gets a whole database although a first start was %s',
    async (_, half) => {
      const folder = temporaryFolder()
      const unfinished = join(folder.path, 'pgdata.unfinished')
      if (half === 'pgdata') writeFileSync(unfinished, '')
      mkdirSync(join(folder.path, half, 'base'), { recursive: true })
      writeFileSync(join(folder.path, half, 'PG_VERSION'), '18\n')
      const store = await openStore({ dataDir: folder.path })
      await store.ping()
      expect(existsSync(unfinished)).toBe(false)
      await store.close()
      folder.remove()
    },
    SLOW_START_MS,
  )

  test(
    'with a broken database ends in one error that names it, and is free again',
    async () => {
      const folder = temporaryFolder()
      mkdirSync(join(folder.path, 'pgdata'))
      writeFileSync(join(folder.path, 'pgdata/PG_VERSION'), '18\n')
      const error = await rejection(openStore({ dataDir: folder.path }))
      expect(error).toBeInstanceOf(StoreUnavailable)
      expect(error.message).toContain(`"${folder.path}"`)
      lockFolder(folder.path)()
      folder.remove()
    },
    SLOW_START_MS,
  )
})

test(
  'the database works in a single-file executable, away from the packages',
  async () => {
    const folder = temporaryFolder()
    const entry = join(folder.path, 'entry.ts')
    writeFileSync(
      entry,
      `import { openStore } from ${JSON.stringify(join(import.meta.dir, '../db.ts'))}
       import { bootstrap } from ${JSON.stringify(join(import.meta.dir, '../bootstrap.ts'))}
       const store = await openStore({ dataDir: 'data' })
       process.stdout.write(Object.keys((await bootstrap(store.db, {})).created ?? {}).join())
       await store.close()`,
    )
    const executable = join(folder.path, 'executable')
    const build = await Bun.build({ entrypoints: [entry], compile: { outfile: executable } })
    expect(build.success).toBe(true)
    mkdirSync(join(folder.path, 'elsewhere'))
    const run = Bun.spawn([executable], { cwd: join(folder.path, 'elsewhere'), stdout: 'pipe', stderr: 'inherit' })
    expect(await new Response(run.stdout).text()).toBe('adminKey,apiKey')
    expect(await run.exited).toBe(0)
    folder.remove()
  },
  SLOW_START_MS,
)
