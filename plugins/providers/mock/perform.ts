import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Piece, Plan } from './plan.ts'

/** Before a reset: time for the bytes sent so far to arrive, as a reset may overtake them. */
const BEFORE_RESET_MS = 100
/** Pieces written in one go before other connections get their turn. */
const PIECES_PER_TURN = 64

/**
 * Writes an answer as planned. Waits while the client does not read. Gives up once `gone` aborts.
 * @param ending called right before the planned end; never for a plan that hangs.
 */
export const perform = async (
  plan: Plan,
  response: ServerResponse,
  gone: AbortSignal,
  ending: () => void,
): Promise<void> => {
  await sleep(plan.latencyMs ?? 0, gone)
  const { socket } = response
  if (gone.aborted || socket === null) return
  if (plan.head !== undefined) response.writeHead(plan.head.status, { ...plan.head.headers })
  const out = plan.head === undefined ? socket : response
  const pauseEach = plan.chunkBytes !== undefined
  let written = 0
  for await (const piece of parts(plan)) {
    if (written > 0 && plan.intervalMs !== undefined) await sleep(plan.intervalMs, gone)
    else if (written > 0 && (pauseEach || written % PIECES_PER_TURN === 0)) await turn()
    if (gone.aborted) return
    if (!out.write(piece)) await drained(out, gone)
    written++
  }
  if (plan.ending === 'reset' && written > 0) await sleep(BEFORE_RESET_MS, gone)
  if (gone.aborted) return
  if (plan.ending === 'hang') {
    // A head alone is not sent until the first write.
    if (plan.head !== undefined) response.flushHeaders()
    return
  }
  ending()
  if (plan.ending === 'end' && plan.head !== undefined) response.end()
  else if (plan.ending === 'close') socket.end(() => socket.destroy())
  else if (plan.ending === 'reset') socket.resetAndDestroy()
  else socket.end()
}

async function* parts(plan: Plan): AsyncGenerator<Piece> {
  const size = plan.chunkBytes
  for await (const piece of plan.pieces) {
    if (size === undefined) {
      yield piece
      continue
    }
    const bytes = Buffer.from(piece)
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
  }
}

/** Resolves after so many milliseconds, or when `gone` aborts. */
const sleep = (ms: number, gone: AbortSignal): Promise<void> => {
  if (ms === 0 || gone.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      gone.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    gone.addEventListener('abort', done)
  })
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const drained = (out: ServerResponse | Socket, gone: AbortSignal): Promise<void> => {
  if (gone.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      out.removeListener('drain', done)
      gone.removeEventListener('abort', done)
      resolve()
    }
    out.once('drain', done)
    gone.addEventListener('abort', done)
  })
}
