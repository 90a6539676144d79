import type { Cluster, Redis } from 'ioredis'
import admit from './scripts/admit.lua' with { type: 'text' }
import count from './scripts/count.lua' with { type: 'text' }
import groups from './scripts/groups.lua' with { type: 'text' }
import lease from './scripts/lease.lua' with { type: 'text' }
import merge from './scripts/merge.lua' with { type: 'text' }
import reset from './scripts/reset.lua' with { type: 'text' }
import ring from './scripts/ring.lua' with { type: 'text' }
import settle from './scripts/settle.lua' with { type: 'text' }
import tell from './scripts/tell.lua' with { type: 'text' }

export type ScriptName = 'admit' | 'settle' | 'lease' | 'merge' | 'groups' | 'reset' | 'tell'

/** Each begins with the ring that they share, and what is of budgets with the count. The head of each file names its keys, arguments and result. */
export const SCRIPTS: Readonly<Record<ScriptName, string>> = {
  admit: ring + count + admit,
  settle: ring + settle,
  lease: ring + lease,
  merge: ring + merge,
  groups: ring + groups,
  reset: ring + reset,
  tell: ring + count + tell,
}

export type ScriptArgument = string | number

/** Runs a script in one step. All keys of a run are in one slot. Errors of the driver pass through untouched. */
export type RunScript = (name: ScriptName, keys: readonly string[], args: readonly ScriptArgument[]) => Promise<unknown>

/** Sends a script by its digest, and as text where the server does not know it, or does not allow digests at all. */
export const createScriptRunner = (client: Redis | Cluster): RunScript => {
  let textOnly = false
  return async (name, keys, args) => {
    if (!textOnly) {
      try {
        return await client.evalsha(DIGESTS[name], keys.length, ...keys, ...args)
      } catch (error) {
        if (isForbidden(error)) textOnly = true
        else if (!isUnknown(error)) throw error
      }
    }
    // The server keeps the script then, so that its digest does the next time.
    return client.eval(SCRIPTS[name], keys.length, ...keys, ...args)
  }
}

const digestOf = (text: string): string => Bun.CryptoHasher.hash('sha1', text, 'hex')

const DIGESTS: Readonly<Record<ScriptName, string>> = {
  admit: digestOf(SCRIPTS.admit),
  settle: digestOf(SCRIPTS.settle),
  lease: digestOf(SCRIPTS.lease),
  merge: digestOf(SCRIPTS.merge),
  groups: digestOf(SCRIPTS.groups),
  reset: digestOf(SCRIPTS.reset),
  tell: digestOf(SCRIPTS.tell),
}

/** After a start, a failover or `SCRIPT FLUSH`. Nothing has run. */
const isUnknown = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT')

/** By an access list, or because the command was renamed. */
const isForbidden = (error: unknown): boolean =>
  error instanceof Error && /^(?:NOPERM|ERR unknown command)\b.*\bevalsha\b/i.test(error.message)
