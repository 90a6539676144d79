import type { Redis } from 'ioredis'
import { SCRIPTS, type ScriptArgument } from '../../../src/limits/redis/redis-scripts.ts'
import { createRedisStore } from '../../../src/limits/redis/redis-store.ts'
import { chargesOf } from './charges.ts'

const CALLS = 200_000

export interface Throughput {
  readonly perSecond: number
  /** For each second that Redis was given on a core: what is left of it on a busy machine tells nothing about Redis. */
  readonly perCpuSecond: number
}

/**
 * Checks a second of one Redis, driven by its own load generator so that the client is not what is measured. Undefined
 * where that program is not installed.
 */
export const measureThroughput = async (client: Redis, url: string, count: number): Promise<Throughput | undefined> => {
  const program = Bun.which('redis-benchmark')
  if (program === null) return undefined
  const digest = String(await client.script('LOAD', SCRIPTS.admit))
  // `-r` puts a number of 12 digits in place of each of these words, the same for a whole call.
  const group = 'group-__rand_int__'
  let sent: readonly ScriptArgument[] = []
  const recorder = createRedisStore({
    client,
    kind: 'single',
    run: (_name, keys, args) => {
      sent = [keys.length, ...keys, ...args]
      return Promise.resolve([[1, ...Array.from({ length: count * 6 }, () => 0)]])
    },
  })
  await recorder.admit(chargesOf(count, { group }))
  const { hostname, port } = new URL(url)
  const options = ['-h', hostname, '-p', port, '-n', `${CALLS}`, '-c', '50', '-P', '8', '-r', '500', '--csv']
  const beforeSeconds = await readCpuSeconds(client)
  const run = Bun.spawn([program, ...options, 'EVALSHA', digest, ...sent.map(String)], { stdout: 'pipe' })
  const output = await new Response(run.stdout).text()
  if ((await run.exited) !== 0) throw new Error('redis-benchmark failed')
  // The last line: the command in quotes, then calls a second and latencies, each in quotes.
  const rate = /","([\d.]+)"/.exec(output.trim().split('\n').at(-1) ?? '')?.[1]
  return { perSecond: Number(rate), perCpuSecond: CALLS / ((await readCpuSeconds(client)) - beforeSeconds) }
}

/** Seconds of processor time that Redis has used so far. */
export const readCpuSeconds = async (client: Redis): Promise<number> => {
  const info = await client.info('cpu')
  const used = (mode: string): number => Number(new RegExp(`^used_cpu_${mode}:([\\d.]+)`, 'm').exec(info)?.[1])
  return used('user') + used('sys')
}
