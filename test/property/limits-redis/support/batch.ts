import type { Cluster, Redis } from 'ioredis'
import type { RunScript, ScriptArgument, ScriptName } from '../../../../src/limits/redis/redis-scripts.ts'
import batch from './batch.lua' with { type: 'text' }

export type Scripts = Readonly<Record<ScriptName, string>>

export interface BatchOptions {
  readonly client: Redis | Cluster
  /** The scripts under test. */
  readonly scripts: Scripts
  /** All keys of a batch have to be in the slot of this workspace. */
  readonly workspaceId: string
  /** Milliseconds since 1970 that the server seems to have when a script is run. */
  readonly now: () => number
  /** Whether keys go when their time is over. */
  readonly expires: boolean
}

/** Runs scripts at times that a test chooses, many in one round trip. */
export interface Batch {
  /** Waits for `flush`. Beside its own arguments each script gets the time of a caller whose clock is wrong. */
  readonly run: RunScript
  flush(): Promise<void>
}

interface Waiting {
  readonly name: ScriptName
  readonly atMs: number
  readonly keys: readonly string[]
  readonly args: readonly ScriptArgument[]
  readonly resolve: (reply: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The clock of a caller is wrong by up to this, in milliseconds. */
const CALLER_ERROR_MS = 5_000

export const createBatch = ({ client, scripts, workspaceId, now, expires }: BatchOptions): Batch => {
  const text = toProgram(scripts)
  const expiryKey = `expiry:{${workspaceId}}`
  let waiting: Waiting[] = []
  let runs = 0

  const send = async (sent: readonly Waiting[]): Promise<void> => {
    const places = new Map([[expiryKey, 1]])
    const args: ScriptArgument[] = [expires ? 1 : 0]
    for (const { name, atMs, keys, args: own } of sent) {
      args.push(name, atMs, keys.length, own.length)
      for (const key of keys) {
        const place = places.get(key) ?? places.size + 1
        places.set(key, place)
        args.push(place)
      }
      args.push(...own)
    }
    try {
      const replies = await client.eval(text, places.size, ...places.keys(), ...args)
      for (const [place, { resolve }] of sent.entries()) resolve(Array.isArray(replies) ? replies[place] : undefined)
    } catch (error) {
      for (const { reject } of sent) reject(error)
    }
  }

  return {
    run(name, keys, args) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const atMs = now()
      runs += 1
      const callerMs = atMs + ((runs * 977) % (2 * CALLER_ERROR_MS)) - CALLER_ERROR_MS
      waiting.push({ name, atMs, keys, args: [...args, callerMs], resolve, reject })
      return promise
    },

    async flush() {
      while (waiting.length > 0) {
        const sent = waiting
        waiting = []
        await send(sent)
        // Whoever waited may go on with another run.
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

const toProgram = (scripts: Scripts): string =>
  [
    'local programs = {}',
    ...Object.entries(scripts).map(([name, text]) => `programs['${name}'] = function(KEYS, ARGV, redis)\n${text}\nend`),
    batch,
  ].join('\n')
