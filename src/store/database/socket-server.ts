import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { PGlite, Results, Transaction } from '@electric-sql/pglite'
import { within } from '../../timing/within.ts'
import { type Answered, type Asked, askedIn, GREETING, greetingFrame, messagesOf, toFrame } from './socket-messages.ts'

export interface SocketOptions {
  /** Where the socket is made. The folder must be for its owner alone, and taken by this process. */
  readonly path: string
  /** The longest that a conversation, which is a statement or a transaction, may take. */
  readonly deadlineMs: number
}

/** Conversations at the same time. A command has one. */
const MOST_CONNECTIONS = 100

/**
 * Lets other processes of the same user work with a database that is open in this one. They take turns with it as its own
 * queries do, so a transaction of theirs holds up all others for as long as it lasts.
 * @returns ends it: conversations that run may end within the deadline
 * @throws Error when the socket cannot be made
 */
export const serveSocket = async (
  client: PGlite,
  { path, deadlineMs }: SocketOptions,
): Promise<() => Promise<void>> => {
  // Left by a process that was killed: nobody else can be behind it, as the folder is ours.
  rmSync(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    if (sockets.size >= MOST_CONNECTIONS) {
      socket.destroy()
      return
    }
    sockets.add(socket)
    const late = setTimeout(() => socket.destroy(), deadlineMs)
    socket.once('close', () => {
      clearTimeout(late)
      sockets.delete(socket)
    })
    // Who hung up, or says what cannot be understood, gets no answer.
    socket.on('error', () => undefined)
    void converse(client, socket).catch(() => socket.destroy())
  })
  await listen(server, path)
  return async () => {
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
    await within(closed, deadlineMs)
    for (const socket of sockets) socket.destroy()
    rmSync(path, { force: true })
  }
}

const listen = async (server: Server, path: string): Promise<void> => {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
    chmodSync(path, 0o600)
  } catch (error) {
    server.close()
    throw error
  }
  // A connection that cannot be taken is no reason to end.
  server.on('error', () => undefined)
  // Who uses the database keeps the process alive, not that others could.
  server.unref()
}

/** One statement or one transaction, and its answers. */
const converse = async (client: PGlite, socket: Socket): Promise<void> => {
  const messages = messagesOf(socket)
  socket.write(greetingFrame())
  const greeting = await messages.next()
  if (greeting.value?.toString() === GREETING) {
    const next = async (): Promise<Asked> => {
      const { value } = await messages.next()
      if (value === undefined) throw new Error('the command hung up')
      return askedIn(value)
    }
    const tell = (answer: Answered): void => {
      socket.write(toFrame(answer))
    }
    const asked = await next()
    tell(await (asked.kind === 'begin' ? transact(client, next, tell) : answer(client, asked)))
  }
  socket.end()
}

/** A transaction for as long as the command goes on. One that hangs up, or is late, has changed nothing. */
const transact = async (
  client: PGlite,
  next: () => Promise<Asked>,
  tell: (answer: Answered) => void,
): Promise<Answered> => {
  try {
    await client.transaction(async (transaction) => {
      tell(DONE)
      for (let asked = await next(); asked.kind !== 'commit'; asked = await next())
        tell(await answer(transaction, asked))
    })
    return DONE
  } catch (error) {
    return failed(error)
  }
}

const DONE: Answered = { ok: true, rows: [] }

const answer = async (database: Pick<Transaction, 'query'>, asked: Asked): Promise<Answered> => {
  if (asked.kind !== 'query') throw new Error(`'${asked.kind}' has no place here`)
  const { sql, params, rowMode, asText } = asked
  const parsers = Object.fromEntries(asText.map((type) => [type, (text: string) => text]))
  try {
    const { rows, affectedRows }: Results<unknown> = await database.query(sql, params, { rowMode, parsers })
    return { ok: true, rows, affectedRows }
  } catch (error) {
    return failed(error)
  }
}

/** Neither the message of an error nor its detail: both may hold values of the statement. */
const failed = (error: unknown): Answered => {
  const { code, severity, constraint } = error as Partial<Record<'code' | 'severity' | 'constraint', unknown>>
  return { ok: false, code, severity, constraint }
}
