import type { Cluster, Redis } from 'ioredis'
import { defined } from '../../core/defined.ts'
import type { Logger } from '../../core/ports.ts'
import type { Charge } from '../ring/ring-store.ts'
import { SCRIPTS } from './redis-scripts.ts'
import { createRedisStore } from './redis-store.ts'

/** What one server says about itself. A part that it does not tell, as managed servers may not, is absent. */
export interface RedisFacts {
  readonly version?: string
  /** `maxmemory-policy` */
  readonly evictionPolicy?: string
  /** Most fields of a hash that is kept in its compact form. */
  readonly compactFields?: number
  /** Milliseconds that its clock is ahead of ours, beyond what the round trip leaves open. */
  readonly clockAheadMs?: number
}

const SAFE_POLICIES = ['noeviction', 'volatile-ttl']
const OLDEST_VERSION = [6, 2] as const
const COMPACT_FIELDS = 128
const CLOCK_TOLERANCE_MS = 500

/**
 * Looks at start-up whether Redis suits the rate limits, and says in the log what does not. Nothing of it stops the start.
 * @param now milliseconds since 1970
 */
export const checkRedis = async (
  client: Redis | Cluster,
  kind: 'single' | 'cluster',
  log: Logger,
  now: () => number,
): Promise<void> => {
  const untold = new Set<string>()
  for (const server of 'nodes' in client ? client.nodes('master') : [client]) {
    const name = `${server.options.host}:${server.options.port}`
    const facts = await readFacts(server, now)
    for (const problem of problemsOf(facts)) log.warn(`rate limits: ${problem}`, { redis: name })
    for (const [fact, name] of Object.entries(NAMES)) if (!(fact in facts)) untold.add(name)
    if (!(await loadsScripts(server))) untold.add('script load')
  }
  if (untold.size > 0) {
    log.info('rate limits: Redis does not tell some of what is checked at start-up', { untold: [...untold] })
  }
  await tryScripts(client, kind, log)
}

/** What is wrong with a server, each as one sentence that says what to do. */
export const problemsOf = ({ version, evictionPolicy, compactFields, clockAheadMs }: RedisFacts): string[] => {
  const problems: string[] = []
  if (version !== undefined && isOlder(version)) {
    problems.push(`Redis ${version} is older than ${OLDEST_VERSION.join('.')}: use a newer one.`)
  }
  if (evictionPolicy !== undefined && !SAFE_POLICIES.includes(evictionPolicy)) {
    problems.push(
      `With maxmemory-policy ${evictionPolicy} Redis may forget what was used: set it to ${SAFE_POLICIES.join(' or ')}.`,
    )
  }
  if (compactFields !== undefined && compactFields < COMPACT_FIELDS) {
    problems.push(
      `With hash-max-listpack-entries ${compactFields} Redis needs several times the memory: set it to ${COMPACT_FIELDS} or more.`,
    )
  }
  if (clockAheadMs !== undefined && Math.abs(clockAheadMs) > CLOCK_TOLERANCE_MS) {
    problems.push(
      `The clock of Redis and that of this machine differ by ${Math.abs(clockAheadMs)} ms: set both by the same time server.`,
    )
  }
  return problems
}

const NAMES: Readonly<Record<keyof RedisFacts, string>> = {
  version: 'version',
  evictionPolicy: 'eviction policy',
  compactFields: 'compact hashes',
  clockAheadMs: 'clock',
}

const isOlder = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor, oldestMinor] = OLDEST_VERSION
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
}

const readFacts = async (server: Redis, now: () => number): Promise<RedisFacts> => {
  const version = /^redis_version:(\S+)/m.exec((await answerOf(server.info('server'))) ?? '')?.[1]
  const evictionPolicy = (await settingsOf(server, 'maxmemory-policy')).get('maxmemory-policy')
  const compact = await settingsOf(server, 'hash-max-*-entries')
  const compactFields = compact.get('hash-max-listpack-entries') ?? compact.get('hash-max-ziplist-entries')
  const clockAheadMs = await readClock(server, now)
  return defined({
    version,
    evictionPolicy,
    compactFields: compactFields === undefined ? undefined : Number(compactFields),
    clockAheadMs,
  })
}

const settingsOf = async (server: Redis, pattern: string): Promise<Map<string, string>> => {
  const flat = await answerOf(server.config('GET', pattern))
  const settings = new Map<string, string>()
  if (!Array.isArray(flat)) return settings
  for (let place = 0; place + 1 < flat.length; place += 2) settings.set(String(flat[place]), String(flat[place + 1]))
  return settings
}

/** Milliseconds that the clock of Redis is ahead, beyond what the round trip leaves open; undefined when it does not say. */
export const readClock = async (server: Redis | Cluster, now: () => number): Promise<number | undefined> => {
  const beforeMs = now()
  const time = await answerOf(server.time())
  const afterMs = now()
  if (time === undefined) return undefined
  const [seconds = 0, microseconds = 0] = time.map(Number)
  const serverMs = seconds * 1_000 + microseconds / 1_000
  if (serverMs < beforeMs) return Math.round(serverMs - beforeMs)
  return Math.round(Math.max(0, serverMs - afterMs))
}

const loadsScripts = async (server: Redis): Promise<boolean> => {
  const loaded = await Promise.all(Object.values(SCRIPTS).map((text) => answerOf(server.script('LOAD', text))))
  return loaded.every((digest) => digest !== undefined)
}

/** Asks two limits of one workspace at once, which a Cluster allows only where both are in one slot. Nothing is written. */
const tryScripts = async (client: Redis | Cluster, kind: 'single' | 'cluster', log: Logger): Promise<void> => {
  const chargeOf = (limitId: string): Charge => ({
    key: { workspaceId: 'weir-start-up', limitId, unit: 'rpm', group: 'check', label: '' },
    limit: 1,
    weight: 1,
    grain: 1,
    shadow: false,
  })
  try {
    await createRedisStore({ client, kind }).peek(['first', 'second'].map(chargeOf))
  } catch (error) {
    // Only the kind of the error: the driver's text may hold the login.
    const reason = (error instanceof Error ? /^[A-Z]{2,}\b/.exec(error.message)?.[0] : undefined) ?? 'no answer'
    log.warn('rate limits: Redis does not run the scripts: calls are decided as while it is away.', { reason })
  }
}

/** Undefined when the server refuses or does not answer: whether it is there at all is not what is checked here. */
const answerOf = async <Answer>(asked: Promise<Answer>): Promise<Answer | undefined> => {
  try {
    return await asked
  } catch {
    return undefined
  }
}
