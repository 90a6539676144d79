import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningGateway, startCommand } from '../support/command.ts'
import { copyEmbeddedDatabase } from '../support/embedded-database.ts'

setDefaultTimeout(60_000)

const KEY = 'preset-key-of-the-reload-0123456789ab'

/** A stage that says which setting it runs with. */
const STAMP = `import { definePlugin, t } from 'weir/kit'
export default definePlugin({
  name: 'stamp',
  config: t.Object({ text: t.String() }),
  placement: { after: 'auth' },
  setup: ({ text }) => ({
    stages: [{ name: 'stamp', run: (call, next) => (call.replyHeaders.set('x-stamp', text), next()) }],
  }),
})
`

let folder: string
let gateway: RunningGateway
/** A whole config file; the stamp tells which one a call ran by. */
const config = (text: string): string => `plugins:\n  - defaults\n  - mock\n  - ./stamp.ts: { text: ${text} }\n`

const write = (text: string): Promise<number> => Bun.write(join(folder, 'weir.config.yaml'), text)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-reload-'))
  await Bun.write(join(folder, 'stamp.ts'), STAMP)
  await write(config('first'))
  await copyEmbeddedDatabase(join(folder, '.weir'))
  gateway = await startCommand({ folder, env: { PORT: '0', WEIR_API_KEY: KEY } })
})
afterAll(async () => {
  await gateway.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const stamped = async (): Promise<{ readonly status: number; readonly stamp: string | null }> => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': KEY, 'x-gateway-provider': 'mock', 'content-type': 'application/json' },
    body: '{"model":"mock","messages":[{"role":"user","content":"Hello"}]}',
  })
  await response.text()
  return { status: response.status, stamp: response.headers.get('x-stamp') }
}

const readiness = async (): Promise<Record<string, unknown>> =>
  (await (await fetch(`${gateway.url}/readyz`)).json()) as Record<string, unknown>

/** Lines of the operator's log with this message, so far. */
const lines = (message: string): Record<string, unknown>[] =>
  gateway
    .stderr()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line.message === message)

const RELOADED = 'config reloaded'
const REFUSED = 'the changed config cannot run; the last good one stays'

/** Resolves with the next line of this message after `change` was made. */
const after = async (message: string, change: () => unknown): Promise<Record<string, unknown>> => {
  const before = lines(message).length
  await change()
  await gateway.seen(new RegExp(`(?:"message":"${message}"[\\s\\S]*?){${before + 1}}\\n`), 10_000)
  const line = lines(message).at(-1)
  if (line === undefined) throw new Error('the line is gone')
  return line
}

describe('a changed config file', () => {
  test('is live at once, without a failed call on the way', async () => {
    const version = (await readiness()).config
    // One before the change: on a busy machine the others may all come behind it.
    const seen = [await stamped()]
    let changing = true
    const calling = Promise.all(
      [1, 2, 3].map(async () => {
        while (changing) seen.push(await stamped())
      }),
    )
    const line = await after(RELOADED, () => write(config('second')))
    expect(await stamped()).toEqual({ status: 200, stamp: 'second' })
    changing = false
    await calling
    expect([...new Set(seen.map(({ status }) => status))]).toEqual([200])
    expect(new Set(seen.map(({ stamp }) => stamp))).toContain('first')
    const now = (await readiness()).config
    expect(now).not.toEqual(version)
    expect(now).toEqual({ version: line.version })
  })

  test('that is renamed into place counts too', async () => {
    await after(RELOADED, async () => {
      await Bun.write(join(folder, 'next.yaml'), config('renamed'))
      await rename(join(folder, 'next.yaml'), join(folder, 'weir.config.yaml'))
    })
    expect((await stamped()).stamp).toBe('renamed')
  })

  test('that cannot run keeps the last good one; log and readiness say why, until it is mended', async () => {
    const file = join(folder, 'weir.config.yaml')
    const good = (await readiness()).config
    const refused = await after(REFUSED, () => write('plugins: [defaults, { mock: { prot: 1 } }]\n'))
    expect(refused).toMatchObject({
      level: 'error',
      error: `ConfigError: ${file}:1:31: plugins[1].mock.prot: unknown key; did you mean 'port'?`,
    })
    expect((await stamped()).status).toBe(200)
    expect(await readiness()).toMatchObject({
      ready: true,
      config: good,
      configError: `${file}:1:31: plugins[1].mock.prot: unknown key; did you mean 'port'?`,
    })
    const broken = await after(REFUSED, () => write('plugins: [defaults\n'))
    expect(broken.error).toContain('weir.config.yaml:2:1: ')
    await after(RELOADED, () => write(config('mended')))
    expect((await stamped()).stamp).toBe('mended')
    expect(await readiness()).not.toHaveProperty('configError')
  })

  test('that goes back to what runs clears the error without a swap', async () => {
    const swaps = lines(RELOADED).length
    await after(REFUSED, () => write('server: { prot: 1 }\n'))
    await write(config('mended'))
    const deadlineMs = performance.now() + 10_000
    while ('configError' in (await readiness()) && performance.now() < deadlineMs) await Bun.sleep(20)
    expect(await readiness()).not.toHaveProperty('configError')
    expect(lines(RELOADED)).toHaveLength(swaps)
  })

  test('with another port is told that only a restart changes it', async () => {
    const warned = await after('host, port, jwt and limits only change with a restart', () =>
      write(`server: { host: 127.0.0.2 }\n${config('moved')}`),
    )
    expect(warned.level).toBe('warn')
    expect((await stamped()).stamp).toBe('moved')
  })
})

test('SIGHUP reads the file again, also where no watcher sees it change', async () => {
  // Behind a link into another folder: the watcher sees the link come, but not what it points to change.
  const elsewhere = join(folder, 'elsewhere', 'real.yaml')
  await after(RELOADED, async () => {
    await Bun.write(elsewhere, config('linked'))
    await symlink(elsewhere, join(folder, 'link.yaml'))
    await rename(join(folder, 'link.yaml'), join(folder, 'weir.config.yaml'))
  })
  const refused = await after(REFUSED, async () => {
    await Bun.write(elsewhere, 'nonsense: 1\n')
    gateway.signal('SIGHUP')
  })
  expect(refused.error).toContain('nonsense: unknown key')
  expect((await stamped()).stamp).toBe('linked')
  await after(RELOADED, async () => {
    await Bun.write(elsewhere, config('signalled'))
    gateway.signal('SIGHUP')
  })
  expect((await stamped()).stamp).toBe('signalled')
})

test('SIGTERM after all of it ends with 0 and the calls logged', async () => {
  const calls = (await stamped()).status
  expect(calls).toBe(200)
  const { code, stdout } = await gateway.stop()
  expect(code).toBe(0)
  for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toMatchObject({ type: 'call', status: 200 })
})
