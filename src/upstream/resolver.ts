import { lookup } from 'node:dns/promises'
import { NameService } from './name-service.ts'

/** Lookups that run at once for names that were not the operator's. */
const MAX_RUNNING = 64
/** Lookups of one workspace among them. */
const MAX_RUNNING_PER_OWNER = 4

/** Addresses that are being looked up for one call. */
export interface Looking {
  /** @throws UpstreamUnreachable when the name is unknown, or the name service does not answer within the limit */
  readonly found: Promise<readonly string[]>
  /** Nobody waits any more: `found` rejects, and a lookup that has not begun, and that nobody else waits for, never does. */
  leave(): void
}

export interface Resolver {
  /**
   * All addresses of a name, best first; at once where they are known.
   * @param owner the workspace that chose the host, where it was not the operator
   * @throws UpstreamUnreachable for a name that was found to be unknown a moment ago
   */
  resolve(hostname: string, owner?: string): readonly string[] | Looking
}

export type Lookup = (hostname: string) => Promise<readonly string[]>

/** The system's resolver: it knows all that this machine does, but holds one of a few threads while it waits. */
const systemLookup: Lookup = async (hostname) => {
  const found = await lookup(hostname, { all: true })
  return found.map(({ address }) => address)
}

/** Reads the hosts file and asks the name servers itself, without a thread: names that nobody answers for hold nothing up. */
const threadlessLookup: Lookup = async (hostname) => {
  const found = await Bun.dns.lookup(hostname, { backend: 'c-ares' })
  return found.map(({ address }) => address)
}

/**
 * Finds addresses. Names that callers chose have a memory and lookups of their own, few at once for each workspace: whatever
 * they are, those of the operator, and of other workspaces, do not wait for them.
 * @param options.timeoutMs how long a call waits for the name service at most
 */
export const createResolver = (options: {
  readonly now: () => number
  readonly timeoutMs: number
  readonly lookup?: Lookup
}): Resolver => {
  const { now, timeoutMs } = options
  const ofOperator = new NameService({
    now,
    timeoutMs,
    lookup: options.lookup ?? systemLookup,
    maxRunning: Number.POSITIVE_INFINITY,
    maxRunningPerOwner: Number.POSITIVE_INFINITY,
  })
  const ofCallers = new NameService({
    now,
    timeoutMs,
    lookup: options.lookup ?? threadlessLookup,
    maxRunning: MAX_RUNNING,
    maxRunningPerOwner: MAX_RUNNING_PER_OWNER,
  })
  return {
    resolve: (hostname, owner) =>
      owner === undefined ? ofOperator.resolve(hostname, '') : ofCallers.resolve(hostname, owner),
  }
}
