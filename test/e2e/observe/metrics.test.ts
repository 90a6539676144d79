import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningGateway, spawnCommand, startCommand } from '../../support/command.ts'
import { copyEmbeddedDatabase } from '../../support/embedded-database.ts'
import { freePorts } from '../../support/start-ports.ts'

setDefaultTimeout(60_000)

const KEY = 'preset-key-of-a-counted-gateway-0123456789'
const ADMIN_KEY = 'preset-admin-key-of-a-counted-gateway-0123456789'

let folder: string
let metricsPort: number
let gateway: RunningGateway

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-metrics-'))
  await mkdir(join(folder, '.weir'), { mode: 0o700 })
  await copyEmbeddedDatabase(join(folder, '.weir'))
  await Bun.write(join(folder, 'weir.config.json'), JSON.stringify({ plugins: ['defaults', 'mock'] }))
  const [port] = await freePorts(1)
  if (port === undefined) throw new Error('no port is free')
  metricsPort = port
  const env = { PORT: '0', WEIR_METRICS_PORT: String(metricsPort), WEIR_API_KEY: KEY, WEIR_ADMIN_KEY: ADMIN_KEY }
  gateway = await startCommand({ folder, env })
})
afterAll(async () => {
  await gateway.stop()
  await rm(folder, { recursive: true, force: true })
})

const scrape = async (url: string, key?: string): Promise<Response> =>
  fetch(url, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } })

test('calls are counted by what became of them, within a moment', async () => {
  const call = (body: object) =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': KEY, 'x-gateway-provider': 'mock' },
      body: JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'hello' }], ...body }),
    }).then((response) => response.text())
  await Promise.all([call({}), call({ stream: true }), call({ mock: { fault: 'rate-limited' } })])
  let text = ''
  for (const untilMs = performance.now() + 10_000; performance.now() < untilMs; await Bun.sleep(50)) {
    text = await (await scrape(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    if (/^weir_calls_total\{.*status="429"/m.test(text)) break
  }
  const value = (pattern: RegExp): number | undefined => {
    const [, found] = pattern.exec(text) ?? []
    return found === undefined ? undefined : Number(found)
  }
  expect(value(/^weir_calls_total\{.*model="mock".*status="200".*\} (\d+)$/m)).toBe(2)
  expect(value(/^weir_calls_total\{.*status="429".*\} (\d+)$/m)).toBe(1)
  expect(value(/^weir_attempts_total\{provider="mock",status="200"\} (\d+)$/m)).toBe(2)
  expect(value(/^weir_tokens_total\{.*type="input".*\} (\d+)$/m)).toBeGreaterThan(0)
  expect(value(/^weir_calls_unpriced_total\{.*model="mock".*\} (\d+)$/m)).toBe(2)
  expect(value(/^gen_ai_client_operation_duration_count\{.*gen_ai_request_model="mock".*\} (\d+)$/m)).toBe(2)
  expect(value(/^weir_spool_durable (\d)$/m)).toBe(1)
  expect(text).not.toContain(KEY)
})

test('they are for an organisation key on the port of the calls, and for anybody on their own', async () => {
  const url = `${gateway.url}/metrics`
  const statuses = await Promise.all(
    [undefined, 'no-such-key', KEY, ADMIN_KEY].map(async (key) => (await scrape(url, key)).status),
  )
  expect(statuses).toEqual([401, 401, 403, 200])
  const open = await scrape(`http://127.0.0.1:${metricsPort}/metrics`)
  expect(open.headers.get('content-type')).toStartWith('text/plain; version=0.0.4')
  expect((await scrape(`http://127.0.0.1:${metricsPort}/v1/models`)).status).toBe(404)
})

test('a port that is taken costs no keys: it is told in a line', async () => {
  const other = await mkdtemp(join(tmpdir(), 'weir-metrics-'))
  const env = { PORT: '0', WEIR_METRICS_PORT: String(metricsPort) }
  const { code, stderr } = await spawnCommand({ folder: other, env }).exited
  expect(code).toBe(1)
  expect(stderr).toContain(`cannot listen on 127.0.0.1:${metricsPort}: the port is taken`)
  expect(await Array.fromAsync(new Bun.Glob('**/*').scan({ cwd: other, dot: true }))).toEqual([])
  await rm(other, { recursive: true, force: true })
})
