import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { cp, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningGateway, startCommand } from '../support/command.ts'

const SLOW_MS = 60_000
setDefaultTimeout(SLOW_MS)

const KEYS_FILE = 'first-keys.env'
const ADMIN_KEY = /^WEIR_ADMIN_KEY=(weir_\S+)$/m
const API_KEY = /^WEIR_API_KEY=(weir_\S+)$/m

let folder: string
/** Data folder after a first start, and what that start said. */
let data: string
let firstWords: string
let keys: { readonly admin: string; readonly api: string }

const running: RunningGateway[] = []

const start = async (env: Record<string, string> = {}, cwd = folder): Promise<RunningGateway> => {
  const gateway = await startCommand({ folder: cwd, env: { PORT: '0', WEIR_DATA_DIR: data, ...env } })
  running.push(gateway)
  return gateway
}

const stop = async (gateway: RunningGateway): Promise<void> => {
  running.splice(running.indexOf(gateway), 1)
  expect((await gateway.stop()).code).toBe(0)
}

/** A copy of the data folder, for a test that changes what is stored. */
const copyOfData = async (name: string): Promise<string> => {
  const path = join(folder, name)
  await cp(data, path, { recursive: true })
  return path
}

const call = (url: string, key: string, provider = 'mock'): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'x-gateway-provider': provider, 'content-type': 'application/json' },
    body: '{"model":"mock","messages":[{"role":"user","content":"Hello"}]}',
  })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-command-'))
  data = join(folder, 'data')
  const gateway = await start()
  expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
  firstWords = gateway.stderr()
  const written = await Bun.file(join(data, KEYS_FILE)).text()
  keys = { admin: ADMIN_KEY.exec(written)?.[1] ?? '', api: API_KEY.exec(written)?.[1] ?? '' }
  const response = await call(gateway.url, keys.api)
  expect(response.status).toBe(200)
  await stop(gateway)
}, 4 * SLOW_MS)

afterAll(async () => {
  await Promise.all(running.map((gateway) => gateway.stop('SIGKILL')))
  await rm(folder, { recursive: true, force: true })
})

describe('the first start', () => {
  test('writes both keys to a file of its owner alone, says where, and prints none', async () => {
    expect(keys.admin).toMatch(/^weir_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/)
    expect(keys.api).toMatch(/^weir_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/)
    expect(keys.admin).not.toBe(keys.api)
    const file = join(data, KEYS_FILE)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(firstWords).toContain(`The first keys are in ${file}`)
    expect(firstWords).not.toMatch(/weir_[0-9A-Za-z]{12}_/)
  })

  test('says what takes so long', () => {
    expect(firstWords).toMatch(/"message":"making the embedded database: a first start takes some seconds"/)
  })

  test('keeps its data where WEIR_DATA_DIR says, and nothing elsewhere', async () => {
    expect(await readdir(data)).toContain('pgdata')
    expect(await readdir(folder)).not.toContain('.weir')
  })

  test('the printed call works as it stands', async () => {
    const lines = firstWords.split('\n')
    const line = lines.slice(lines.findIndex((each) => each.startsWith('. '))).join('\n')
    const gateway = await start()
    const printedUrl = /http:\/\/[^/]+/.exec(line)?.[0] ?? ''
    const child = Bun.spawn(['sh', '-c', line.replaceAll(printedUrl, gateway.url)], {
      stdout: 'pipe',
      stderr: 'ignore',
    })
    expect(JSON.parse(await new Response(child.stdout).text())).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { content: 'Mock answer to: Hello' } }],
    })
    await stop(gateway)
  })
})

describe('a later start', () => {
  test('makes no database, prints no key, and the keys still work', async () => {
    const gateway = await start()
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200)
    expect((await call(gateway.url, keys.api)).status).toBe(200)
    const refused = await call(gateway.url, keys.admin)
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: { code: '033' } }])
    expect((await call(gateway.url, `${keys.api.slice(0, -1)}~`)).status).toBe(401)
    await stop(gateway)
    expect(gateway.stderr()).not.toContain('making the embedded database')
    expect(gateway.stderr()).not.toContain('weir_')
    expect(gateway.stdout()).not.toContain('weir_')
  })

  test('preset keys work, are never printed, and a new value ends the old one', async () => {
    const WEIR_DATA_DIR = await copyOfData('preset')
    const [first, second] = ['first-preset-key-0123456789abcdef', 'second-preset-key-0123456789abcde']
    const gateway = await start({ WEIR_DATA_DIR, WEIR_API_KEY: first })
    expect((await call(gateway.url, first)).status).toBe(200)
    expect((await call(gateway.url, keys.api)).status).toBe(200)
    await stop(gateway)
    expect(gateway.stderr() + gateway.stdout()).not.toContain(first)
    const later = await start({ WEIR_DATA_DIR, WEIR_API_KEY: second })
    expect((await call(later.url, second)).status).toBe(200)
    expect((await call(later.url, first)).status).toBe(401)
    await stop(later)
  })

  test('the chain is logged and each call is one line on standard output', async () => {
    const gateway = await start()
    await gateway.seen(/"message":"chain"/)
    const response = await call(gateway.url, keys.api)
    await response.text()
    await stop(gateway)
    const lines = gateway.stdout().trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      type: 'call',
      status: 200,
      provider: 'mock',
      outcome: 'completed',
    })
    expect(gateway.stderr()).toContain(
      '"stages":["logging","auth","mcp-tools","responses","files","batches","mcp","config","rate-limit","route","guardrails","cache","target-limit","transform","provider-call"]',
    )
  })
})

describe('the mock provider', () => {
  test('stays with a file on a loopback address, and is elsewhere only there if the file lists it', async () => {
    const [own, without, listed] = [join(folder, 'loopback'), join(folder, 'without'), join(folder, 'listed')]
    await Promise.all([mkdir(own), mkdir(without), mkdir(listed)])
    await Bun.write(join(own, 'weir.config.yaml'), 'plugins: [defaults]\n')
    const third = await start({}, own)
    expect((await call(third.url, keys.api)).status).toBe(200)
    await stop(third)
    await Bun.write(join(without, 'weir.config.yaml'), 'server: { host: 0.0.0.0 }\n')
    await Bun.write(join(listed, 'weir.config.yaml'), 'plugins: [defaults, mock]\n')
    const first = await start({}, without)
    const refused = await call(first.url, keys.api)
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { code: 'unknown_provider' } }])
    await stop(first)
    const second = await start({}, listed)
    expect((await call(second.url, keys.api)).status).toBe(200)
    await stop(second)
  })
})

describe('a plugin file of the operator', () => {
  test('imports `weir/kit` from a folder without any package', async () => {
    const own = join(folder, 'own')
    await mkdir(own)
    await Bun.write(
      join(own, 'stamp.ts'),
      `import { definePlugin, InvalidRequest, t } from 'weir/kit'
import { principal } from 'weir/kit/slots'
export default definePlugin({
  name: 'stamp',
  config: t.Object({ text: t.String({ default: 'none' }) }),
  placement: { after: 'auth' },
  setup: ({ text }) => ({
    stages: [
      {
        name: 'stamp',
        run(call, next) {
          if (call.request.headers.has('x-refuse')) throw new InvalidRequest('Refused by stamp.', { param: 'x-refuse' })
          call.replyHeaders.set('x-stamp', text + ' ' + call.get(principal).kind)
          return next()
        },
      },
    ],
  }),
})
`,
    )
    await Bun.write(join(own, 'weir.config.yaml'), 'plugins: [defaults, mock, { ./stamp.ts: { text: seen } }]\n')
    const gateway = await start({}, own)
    const response = await call(gateway.url, keys.api)
    expect([response.status, response.headers.get('x-stamp')]).toEqual([200, 'seen workspace-service'])
    const refused = await fetch(`${gateway.url}/v1/models`, {
      headers: { authorization: `Bearer ${keys.api}`, 'x-refuse': '1' },
    })
    expect([refused.status, await refused.json()]).toMatchObject([400, { error: { param: 'x-refuse' } }])
    await stop(gateway)
  })
})
