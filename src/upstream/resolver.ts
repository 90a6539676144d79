import { lookup } from 'node:dns/promises'
import { UpstreamUnreachable } from '../errors/gateway-error.ts'
import { withDeadline } from './with-deadline.ts'

/** Milliseconds an answer of the name service is used without asking again. */
const FRESH_MS = 30_000
/** Milliseconds an old answer is still used when the name service fails. */
const STALE_MS = 300_000
/** Names kept; past it the oldest goes. */
const MAX_NAMES = 1_000

interface Entry {
  readonly addresses: readonly string[]
  readonly at: number
}

export interface Resolver {
  /**
   * All addresses of a name, best first.
   * @throws UpstreamUnreachable when the name is unknown or the name service does not answer within the limit.
   */
  resolve(hostname: string): readonly string[] | Promise<readonly string[]>
}

export type Lookup = (hostname: string) => Promise<readonly string[]>

/** The system's resolver: it reads the hosts file and sorts by what this machine can reach. */
const systemLookup: Lookup = async (hostname) => {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

/** Caches answers for 30 s, asks once for many callers, and lives on old answers for 5 min while the name service is away. */
export const createResolver = (options: {
  readonly now: () => number
  readonly timeoutMs: number
  readonly lookup?: Lookup
}): Resolver => {
  const ask = options.lookup ?? systemLookup
  const known = new Map<string, Entry>()
  const pending = new Map<string, Promise<readonly string[]>>()

  const refresh = async (hostname: string): Promise<readonly string[]> => {
    try {
      const addresses = await withDeadline(ask(hostname), options.timeoutMs, 'the name service did not answer in time')
      if (addresses.length === 0) throw new Error('the name has no address')
      known.delete(hostname)
      known.set(hostname, { addresses, at: options.now() })
      const oldest = known.size > MAX_NAMES ? known.keys().next().value : undefined
      if (oldest !== undefined) known.delete(oldest)
      return addresses
    } catch (cause) {
      const old = known.get(hostname)
      if (old !== undefined && options.now() - old.at < STALE_MS) return old.addresses
      throw new UpstreamUnreachable(`The address of '${hostname}' could not be found.`, { cause })
    } finally {
      pending.delete(hostname)
    }
  }

  return {
    resolve(hostname) {
      const entry = known.get(hostname)
      if (entry !== undefined && options.now() - entry.at < FRESH_MS) return entry.addresses
      const running = pending.get(hostname)
      if (running !== undefined) return running
      const started = refresh(hostname)
      pending.set(hostname, started)
      return started
    },
  }
}
