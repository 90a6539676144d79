/**
 * `bun run bench:realtime [SESSIONS [RATE [SECONDS]]]`: sessions through Weir and through a bare proxy of Bun's WebSockets, in turn,
 * with provider and clients in processes of their own. Prints memory a session and processor time a message as a table in Markdown.
 */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCommand } from '../../support/command.ts'
import { ADMIN_KEY, API_KEY } from '../../support/gateway.ts'

const [sessions = 500, rate = 5, seconds = 10] = process.argv.slice(2).map(Number)
const ROUNDS = 5
const SETTLE_MS = 1_500
const TICKS_PER_SECOND = 100

interface Subject {
  readonly name: string
  readonly url: string
  readonly pid: number
}

const start = (program: string, ...args: readonly string[]) =>
  Bun.spawn([process.execPath, `${import.meta.dir}/${program}`, ...args], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })

const lines = (stdout: ReadableStream<Uint8Array>) => {
  const reader = stdout.getReader()
  const decoder = new TextDecoder()
  let held = ''
  return async (): Promise<string> => {
    while (!held.includes('\n')) {
      const { value, done } = await reader.read()
      if (done) throw new Error('a process of the benchmark has ended')
      held += decoder.decode(value, { stream: true })
    }
    const [line = '', ...rest] = held.split('\n')
    held = rest.join('\n')
    return line
  }
}

/** Milliseconds of processor time of a process, in user and system mode. */
const cpuMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / TICKS_PER_SECOND
}

const residentKb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

interface Measured {
  readonly usPerMessage: number
  /** Of an open session that says nothing, and of one that has talked. */
  readonly quietKb: number
  readonly busyKb: number
  readonly messages: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const measure = async ({ url, pid }: Subject, { count = sessions, forSeconds = seconds } = {}): Promise<Measured> => {
  await Bun.sleep(SETTLE_MS)
  const before = residentKb(pid)
  const clients = start('clients.ts', url, API_KEY, String(count), String(rate), String(forSeconds))
  const line = lines(clients.stdout)
  if ((await line()) !== 'open') throw new Error('the sessions were not opened')
  await Bun.sleep(SETTLE_MS)
  const quiet = residentKb(pid)
  const cpu = cpuMs(pid)
  clients.stdin.write('\n')
  clients.stdin.flush()
  const { sent, came, p50Ms, p99Ms } = JSON.parse(await line()) as Record<'sent' | 'came' | 'p50Ms' | 'p99Ms', number>
  const spentMs = cpuMs(pid) - cpu
  const busy = residentKb(pid)
  if (came < sent) throw new Error(`${sent - came} messages of ${sent} were lost`)
  clients.stdin.write('\n')
  clients.stdin.end()
  await clients.exited
  return {
    usPerMessage: (spentMs * 1_000) / (sent + came),
    quietKb: (quiet - before) / count,
    busyKb: (busy - before) / count,
    messages: sent + came,
    p50Ms,
    p99Ms,
  }
}

const provider = start('provider.ts')
const port = await lines(provider.stdout)()
const proxy = start('proxy.ts', port)
const proxyPort = await lines(proxy.stdout)()
const folder = await mkdtemp(join(tmpdir(), 'weir-realtime-'))
const config = {
  egress: { trustedHosts: ['127.0.0.1'] },
  plugins: ['defaults', { openai: { baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'provider-key' } }],
}
await Bun.write(join(folder, 'weir.config.json'), JSON.stringify(config))
const weir = await startCommand({ folder, env: { PORT: '0', WEIR_API_KEY: API_KEY, WEIR_ADMIN_KEY: ADMIN_KEY } })

const path = '/v1/realtime?model=gpt-realtime'
const subjects: readonly Subject[] = [
  { name: 'bare proxy', url: `ws://127.0.0.1:${proxyPort}${path}`, pid: proxy.pid },
  { name: 'Weir', url: `${weir.url.replace('http', 'ws')}${path}`, pid: weir.pid },
]

try {
  // What is compiled on the way, and what a pool of memory grows to, is no session's.
  for (const subject of subjects) await measure(subject, { count: Math.min(50, sessions), forSeconds: 3 })
  process.stdout.write(
    `${sessions} sessions, ${2 * rate} messages a second each, both ways together\n\n| | µs a message | KB a quiet session | KB a busy session | p50, ms | p99, ms |\n| --- | --- | --- | --- | --- | --- |\n`,
  )
  const rounds: number[][] = []
  for (let round = 0; round < ROUNDS; round++) {
    const spent: number[] = []
    rounds.push(spent)
    for (const subject of subjects) {
      const { usPerMessage, quietKb, busyKb, p50Ms, p99Ms } = await measure(subject)
      spent.push(usPerMessage)
      process.stdout.write(
        `| ${subject.name} | ${usPerMessage.toFixed(1)} | ${quietKb.toFixed(1)} | ${busyKb.toFixed(1)} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} |\n`,
      )
    }
  }
  const ratios = rounds.map(([bare = 1, weir = 0]) => weir / bare).sort((one, other) => one - other)
  process.stdout.write(
    `\nProcessor time a message, beside the bare proxy of the same round: ${ratios.map((ratio) => `${ratio.toFixed(2)} ×`).join(', ')}.\n`,
  )
} finally {
  await weir.stop()
  proxy.kill()
  provider.kill()
  await rm(folder, { recursive: true })
}
