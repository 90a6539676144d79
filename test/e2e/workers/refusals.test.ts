import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandEnd, spawnCommand, startCommand } from '../../support/command.ts'
import { copyEmbeddedDatabase } from '../../support/embedded-database.ts'
import { call, KEY, workersOf } from './support/gateway.ts'

setDefaultTimeout(120_000)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-workers-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CommandEnd> =>
  spawnCommand({ folder, args: ['start', ...args], env: { PORT: '0', ...env } }).exited

describe('weir start refuses', () => {
  test.each(['0', 'many', '1000', '2.5'])('--workers %s, by name', async (text) => {
    const { code, stderr } = await start(['--workers', text])
    expect(code).toBe(2)
    expect(stderr).toStartWith(
      `weir start: --workers is '${text}': it must be a number from 1 to 256, or auto\n\nUsage: weir start`,
    )
  })

  test('--workers -1, and one without a number', async () => {
    for (const args of [['--workers', '-1'], ['--workers=-1'], ['--workers']]) {
      const { code, stderr } = await start(args)
      expect([code, stderr]).toEqual([2, expect.stringContaining('--workers')])
    }
  })

  test('a variable that is no number, by its name', async () => {
    const { code, stderr } = await start([], { WEIR_WORKERS: 'several' })
    expect([code, stderr]).toEqual([1, "weir: WEIR_WORKERS is 'several': it must be a number from 1 to 256, or auto\n"])
  })

  test('two workers on the embedded database, and makes nothing', async () => {
    const { code, stderr } = await start(['--workers', '2'])
    expect([code, stderr]).toEqual([
      1,
      'weir: --workers is 2: the embedded database has room for one worker; set DATABASE_URL to a Postgres that all of them share, and REDIS_URL for rate limits that they share\n',
    ])
    expect(await readdir(folder)).toEqual([])
  })

  test('--workers for other commands', async () => {
    const { code, stderr } = await spawnCommand({ folder, args: ['check', '--workers', '2'] }).exited
    expect([code, stderr]).toEqual([2, expect.stringContaining("'check' takes no --workers")])
  })
})

describe('one process serves on the embedded database', () => {
  let own: string
  beforeAll(async () => {
    own = await mkdtemp(join(tmpdir(), 'weir-workers-'))
    await copyEmbeddedDatabase(join(own, '.weir'))
  })
  afterAll(() => rm(own, { recursive: true, force: true }))

  test.each(['1', 'auto'])('with --workers %s', async (text) => {
    const gateway = await startCommand({
      folder: own,
      args: ['start', '--workers', text],
      env: { PORT: '0', WEIR_API_KEY: KEY },
    })
    expect(workersOf(gateway)).toEqual([])
    expect((await call(gateway.url)).status).toBe(200)
    const { code, stdout, stderr } = await gateway.stop()
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.not.stringContaining('"worker"'),
      expect.not.stringContaining('"worker"'),
    ])
    // A machine with one core has nothing to say.
    const isTold = text === 'auto' && navigator.hardwareConcurrency > 1
    expect(stderr.includes('"message":"there is one worker"')).toBe(isTold)
  })
})
