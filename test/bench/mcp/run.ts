/**
 * `bun run bench:mcp [SESSIONS [SECONDS]]`: calls of a tool through Weir, through a bare proxy of Bun's and straight to the server,
 * in turn, each in a process of its own; then open sessions. Prints time, processor time and memory as a table in Markdown.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCommand } from '../../support/command.ts'
import { ADMIN_KEY, API_KEY } from '../../support/gateway.ts'
import { type Program, spawnProgram, stopAll } from '../gateway/process/spawn.ts'
import { usageOf } from '../gateway/process/usage.ts'

const [sessions = 1_000, seconds = 5] = process.argv.slice(2).map(Number)
const ROUNDS = 5
const CONNECTIONS = 16
const SETTLE_MS = 2_000

interface Subject {
  readonly name: string
  readonly url: string
  readonly pid: number
}

const start = (program: string, ...args: readonly string[]): Program =>
  spawnProgram({
    name: program,
    command: [process.execPath, `${import.meta.dir}/${program}`, ...args],
    stdout: 'pipe',
    // Each open session is one; 256 unless said.
    env: { BUN_CONFIG_MAX_HTTP_REQUESTS: '65000' },
  })

interface Measured {
  readonly calls: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly usPerCall: number
}

const measure = async ({ url, pid }: Subject, connections: number, forSeconds = seconds): Promise<Measured> => {
  const before = usageOf(pid).cpuUs
  const client = start('client.ts', url, API_KEY, 'calls', String(connections), String(forSeconds))
  const measured = JSON.parse(await client.line()) as Omit<Measured, 'usPerCall'>
  await client.finish()
  return { ...measured, usPerCall: (usageOf(pid).cpuUs - before) / measured.calls }
}

const kbPerSession = async ({ url, pid }: Subject, count: number): Promise<number> => {
  await Bun.sleep(SETTLE_MS)
  const before = usageOf(pid).rssBytes
  const client = start('client.ts', url, API_KEY, 'sessions', String(count))
  await client.line()
  await Bun.sleep(SETTLE_MS)
  const after = usageOf(pid).rssBytes
  await client.finish()
  return (after - before) / 1024 / count
}

const manage = async (url: string, method: string, path: string, body: object): Promise<void> => {
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v2${path}`, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}

const server = start('server.ts')
const port = await server.line()
const proxy = start('proxy.ts', port)
const proxyPort = await proxy.line()
const folder = await mkdtemp(join(tmpdir(), 'weir-mcp-'))
await Bun.write(
  join(folder, 'weir.config.json'),
  JSON.stringify({ egress: { trustedHosts: ['127.0.0.1'] }, records: { bodies: 'none' } }),
)
const weir = await startCommand({ folder, env: { PORT: '0', WEIR_API_KEY: API_KEY, WEIR_ADMIN_KEY: ADMIN_KEY } })
const upstream = `http://127.0.0.1:${port}/mcp`
const integration = { name: 'bench', slug: 'bench', url: upstream, transport: 'http', auth_type: 'none' }
await manage(weir.url, 'POST', '/mcp-integrations', integration)
await manage(weir.url, 'PUT', '/mcp-integrations/bench/workspaces', {
  workspaces: [],
  global_workspace_access: { enabled: true },
})
await manage(weir.url, 'POST', '/mcp-servers', { name: 'bench', slug: 'bench', mcp_integration_id: 'bench' })
await Bun.sleep(SETTLE_MS)

const own: Subject = { name: 'Weir', url: `${weir.url}/mcp/bench/mcp`, pid: weir.pid }
const bare: Subject = { name: 'bare proxy', url: `http://127.0.0.1:${proxyPort}/mcp`, pid: proxy.pid }
const direct: Subject = { name: 'none', url: upstream, pid: server.pid }

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
const bar = (value: number, most: number, unit: string): string =>
  `${value.toFixed(2)} ${unit}: ${value <= most ? 'met' : 'missed'} (at most ${most} ${unit})`

try {
  // What is compiled on the way is no call's.
  for (const subject of [own, bare, direct]) await measure(subject, CONNECTIONS, 3)
  process.stdout.write(
    `| | connections | calls | p50, ms | p99, ms | processor, µs a call |\n| --- | --- | --- | --- | --- | --- |\n`,
  )
  const added: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const at = async (subject: Subject, connections: number): Promise<Measured> => {
      const measured = await measure(subject, connections)
      const { calls, p50Ms, p99Ms, usPerCall } = measured
      const numbers = [connections, calls, p50Ms.toFixed(2), p99Ms.toFixed(2), usPerCall.toFixed(0)]
      process.stdout.write(`| ${subject.name} | ${numbers.join(' | ')} |\n`)
      return measured
    }
    const [alone, through] = [await at(direct, 1), await at(own, 1)]
    added.push(through.p50Ms - alone.p50Ms)
    const [proxied, governed] = [await at(bare, CONNECTIONS), await at(own, CONNECTIONS)]
    ratios.push(governed.usPerCall / proxied.usPerCall)
  }
  await kbPerSession(own, Math.min(100, sessions))
  const kb = await kbPerSession(own, sessions)
  process.stdout.write(
    `\nAdded to a call at one connection, p50: ${bar(middle(added), 1, 'ms')}.\nProcessor time beside the bare proxy: ${bar(middle(ratios), 2, '×')}.\n${sessions} open sessions: ${bar(kb, 40, 'KB')} each.\n`,
  )
} finally {
  await weir.stop()
  await stopAll()
  await rm(folder, { recursive: true })
}
