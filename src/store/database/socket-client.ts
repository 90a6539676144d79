import { connect, type Socket } from 'node:net'
import type { PGlite, QueryOptions } from '@electric-sql/pglite'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/pglite'
import { StoreUnavailable } from '../errors.ts'
import { type CommandStore, schema } from '../types.ts'
import { guard } from './guard.ts'
import {
  type Answered,
  type Asked,
  answeredIn,
  GREETING,
  greetingFrame,
  messagesOf,
  socketIn,
  toFrame,
} from './socket-messages.ts'

export interface JoinOptions {
  readonly dataDir: string
  readonly queryTimeoutMs: number
}

/**
 * The store of the process that has the data folder, through its socket.
 * @returns undefined while nobody answers there
 * @throws StoreUnavailable when that process is another version
 */
export const joinStore = async ({ dataDir, queryTimeoutMs }: JoinOptions): Promise<CommandStore | undefined> => {
  const remote = remoteDatabase({ dataDir, queryTimeoutMs })
  try {
    await remote.query('select 1')
  } catch (error) {
    if (error instanceof OtherVersion) throw error
    return undefined
  }
  // Drizzle's session asks its client for nothing but these two.
  const db = drizzle(remote as unknown as PGlite, { schema, casing: 'snake_case' })
  const { isFull } = guard(db, { deadlineMs: queryTimeoutMs, database: `"${dataDir}"` })
  return {
    db,
    kind: 'pglite',
    isFull,
    async ping() {
      await db.execute(sql`select 1`)
    },
    close: async () => undefined,
  }
}

class OtherVersion extends StoreUnavailable {}

interface Queries {
  query(sql: string, params?: unknown[], options?: QueryOptions): Promise<Done>
}

interface RemoteDatabase extends Queries {
  transaction<Result>(work: (transaction: Queries) => Promise<Result>): Promise<Result>
}

/** Each statement and each transaction is a conversation of its own, one after the other, as in the process itself. */
const remoteDatabase = (options: JoinOptions): RemoteDatabase => {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> => {
    const done = last.then(() => converse(options, work))
    last = done.catch(() => undefined)
    return done
  }
  return {
    query: (...statement) => inTurn((ask) => query(ask, ...statement)),
    transaction: (work) =>
      inTurn(async (ask) => {
        await ask({ kind: 'begin' })
        const result = await work({ query: (...statement) => query(ask, ...statement) })
        await ask({ kind: 'commit' })
        return result
      }),
  }
}

const query = (
  ask: Ask,
  sql: string,
  params: unknown[] = [],
  { rowMode = 'object', parsers = {} }: QueryOptions = {},
) =>
  // What drizzle gives as parsers leaves the text as it is.
  ask({ kind: 'query', sql, params, rowMode, asText: Object.keys(parsers).map(Number) })

type Done = Extract<Answered, { readonly ok: true }>
type Ask = (asked: Asked) => Promise<Done>

/** Hanging up in the middle of a transaction ends it without a change. */
const converse = async <Result>(
  { dataDir, queryTimeoutMs }: JoinOptions,
  work: (ask: Ask) => Promise<Result>,
): Promise<Result> => {
  const gone = (): StoreUnavailable =>
    new StoreUnavailable(
      `The process that has the data folder "${dataDir}" hung up before it answered: look what was done before you try again.`,
    )
  const socket = connect(socketIn(dataDir))
  socket.setTimeout(queryTimeoutMs, () => socket.destroy())
  try {
    await connected(socket)
    const messages = messagesOf(socket)
    const next = async (): Promise<Buffer> => {
      const { value } = await messages.next().catch(() => ({ value: undefined }))
      if (value === undefined) throw gone()
      return value
    }
    socket.write(greetingFrame())
    if ((await next()).toString() !== GREETING) {
      throw new OtherVersion(
        `The gateway that has the data folder "${dataDir}" is another version than this command. Use the command of its version, or restart it with this one.`,
      )
    }
    return await work(async (asked) => {
      socket.write(toFrame(asked))
      const answered = answeredIn(await next())
      if (!answered.ok) throw Object.assign(new Error('the statement was refused'), answered)
      return answered
    })
  } finally {
    socket.destroy()
  }
}

const connected = (socket: Socket): Promise<void> =>
  new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    // Stays: what breaks later is heard of by who waits for a message.
    socket.on('error', reject)
  })
