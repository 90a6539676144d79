import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawnCommand } from '../support/command.ts'
import { copyEmbeddedDatabase } from '../support/embedded-database.ts'

const SLOW_MS = 30_000
setDefaultTimeout(SLOW_MS)
/** Stands for a password or a key: it must never be printed. */
const SECRET = 'hunter2secretpassword'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-refusals-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A port that nobody listens on. */
const closedPort = async (): Promise<number> => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** Starts in an empty folder, which must stay empty. */
const expectRefusal = async (env: Record<string, string>, message: RegExp): Promise<void> => {
  const own = await mkdtemp(join(folder, 'run-'))
  const command = spawnCommand({ folder: own, env: { PORT: '0', WEIR_DATA_DIR: join(own, 'data'), ...env } })
  const late = setTimeout(() => command.signal('SIGKILL'), SLOW_MS - 5_000)
  const { code, stdout, stderr } = await command.exited
  clearTimeout(late)
  const errors = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatch(message)
  expect(code).toBe(1)
  expect(stdout).toBe('')
  expect(stderr).not.toContain(SECRET)
  expect(stderr).not.toMatch(/weir_[0-9A-Za-z]{12}_/)
  expect(stderr).not.toContain('    at ')
  expect(await readdir(own)).toEqual([])
}

describe('a start that cannot work says why in one line, prints no secret and makes no keys', () => {
  test('the port is taken', async () => {
    const taken = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('') })
    try {
      await expectRefusal(
        { PORT: String(taken.port) },
        new RegExp(
          `^weir: cannot listen on 127\\.0\\.0\\.1:${taken.port}: the port is taken by another process; choose another with PORT$`,
        ),
      )
    } finally {
      await taken.stop(true)
    }
  })

  test('the address is not of this machine', async () => {
    await expectRefusal({ HOST: '192.0.2.1' }, /^weir: cannot listen on 192\.0\.2\.1:0: ./)
  })

  test('the data folder cannot be written', async () => {
    const file = join(folder, 'a-file')
    await Bun.write(file, '')
    await expectRefusal(
      { WEIR_DATA_DIR: join(file, 'data') },
      /^weir: The data folder ".*a-file\/data" cannot be written \(ENOTDIR\)\.$/,
    )
  })

  test('Postgres is away', async () => {
    const port = await closedPort()
    await expectRefusal(
      { DATABASE_URL: `postgres://weir:${SECRET}@127.0.0.1:${port}/weir` },
      new RegExp(`^weir: The database at 127\\.0\\.0\\.1:${port} cannot be used: connection refused\\.$`),
    )
  })

  test('the database URL is none', async () => {
    await expectRefusal(
      { DATABASE_URL: `mysql://weir:${SECRET}@db/weir` },
      /^weir: The database URL is not of the form/,
    )
  })

  // A Redis that is only starting gets five seconds, so these two wait together.
  test.concurrent('Redis is away', async () => {
    const port = await closedPort()
    await expectRefusal(
      { REDIS_URL: `redis://weir:${SECRET}@127.0.0.1:${port}` },
      new RegExp(`^weir: Redis at 127\\.0\\.0\\.1:${port} cannot be used: connection refused\\.$`),
    )
  })

  test.concurrent('the nodes of a Redis cluster are away', async () => {
    const [first, second] = [await closedPort(), await closedPort()]
    await expectRefusal(
      { REDIS_URL: `redis://:${SECRET}@127.0.0.1:${first},redis://:${SECRET}@127.0.0.1:${second}` },
      new RegExp(`^weir: Redis at 127\\.0\\.0\\.1:${first},127\\.0\\.0\\.1:${second} cannot be used: .+\\.$`),
    )
  })

  test('a variable of the environment is no port', async () => {
    await expectRefusal({ PORT: 'http' }, /^weir: PORT: 'http' is not a port$/)
  })

  test('the config file cannot run', async () => {
    const own = await mkdtemp(join(folder, 'config-'))
    await Bun.write(join(own, 'weir.config.yaml'), 'server: { prot: 1 }\n')
    const { code, stderr } = await spawnCommand({ folder: own, env: { PORT: '0' } }).exited
    expect(stderr).toBe(`weir: ${own}/weir.config.yaml:1:11: server.prot: unknown key; did you mean 'port'?\n`)
    expect(code).toBe(1)
    expect(await readdir(own)).toEqual(['weir.config.yaml'])
  })
})

test('a preset key that is too short costs no keys, and a second gateway on the folder is refused', async () => {
  const own = await mkdtemp(join(folder, 'preset-'))
  await copyEmbeddedDatabase(join(own, '.weir'))
  const options = { folder: own, env: { PORT: '0' } }
  const refused = await spawnCommand({ ...options, env: { ...options.env, WEIR_API_KEY: SECRET } }).exited
  expect(refused).toEqual({
    code: 1,
    stdout: '',
    stderr: 'weir: WEIR_API_KEY has 21 characters; it needs 32 to 512.\n',
  })
  const first = spawnCommand(options)
  try {
    // The one before made none, so this is still the first start.
    await first.seen(/The first keys are in \S+first-keys\.env/)
    const { code, stderr } = await spawnCommand(options).exited
    expect(code).toBe(1)
    expect(stderr).toBe(
      `weir: The data folder "${own}/.weir" is in use by another Weir process (process ${first.pid}). Stop that one, or choose another folder.\n`,
    )
  } finally {
    expect((await first.stop()).code).toBe(0)
  }
})
