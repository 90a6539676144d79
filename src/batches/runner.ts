import { ownFileId } from '../core/own-ids.ts'
import { errorFields } from '../errors/error-fields.ts'
import {
  claimFinish,
  claimLines,
  claimValidation,
  clearBatches,
  hasRunningBatches,
  type OwnBatchRow,
  releaseBatch,
  releaseBatches,
  releaseLine,
  renewLines,
} from '../store/objects/own-batches.ts'
import { within } from '../timing/within.ts'
import { type Asked, type BatchesContext, openAsked } from './context.ts'
import { finishBatch } from './finish.ts'
import { runLine } from './run-line.ts'
import { validateBatch } from './validate.ts'

export interface BatchTimes {
  /** Milliseconds between two looks for something to do: while there is something, and while there is nothing. */
  readonly busyMs: number
  readonly idleMs: number
  /** Milliseconds that a line or a batch stays with a process that has fallen silent. */
  readonly claimMs: number
}

const TIMES: BatchTimes = { busyMs: 500, idleMs: 5_000, claimMs: 15_000 }
/** Milliseconds that results gather before more lines are taken: one question for many of them. */
const GATHER_MS = 20
/** Milliseconds until what could not be finished is tried again. */
const RETRY_MS = 60_000
const CLEAR_MS = 60 * 60 * 1000
const CLOSE_MS = 5_000

export interface BatchRunner {
  /** Says that there may be something to do. */
  wake(): void
  /** Begins nothing more, and gives back what has not ended: another process, or the next start, goes on. */
  close(): Promise<void>
}

/**
 * Runs batches: looks through their input, asks for their lines, finishes them. Of several processes on one database each takes
 * other lines. A line, once taken, is a process's own until its claim runs out; only who still has the claim can store the result,
 * so that each has one, once.
 */
export const createBatchRunner = (
  context: BatchesContext,
  { busyMs, idleMs, claimMs }: BatchTimes = TIMES,
): BatchRunner => {
  const { store, bounds, log, randomId } = context
  const { db } = store
  const stopping = new AbortController()
  const work = new Set<Promise<void>>()
  /** Lines in flight by the claims that they were taken with. */
  const claims = new Map<string, number>()
  let inFlight = 0
  let isValidating = false
  let isFinishing = false
  let isWoken = false
  let rouse: () => void = () => undefined

  const start = (what: string, job: Promise<void>, end: () => void): void => {
    const tracked = job
      .catch((thrown: unknown) => log.warn(`${what} failed; it is tried again`, errorFields(thrown)))
      .finally(() => {
        work.delete(tracked)
        end()
        wake()
      })
    work.add(tracked)
  }

  const wake = (): void => {
    isWoken = true
    rouse()
  }

  /** A batch is let go when something breaks, so that nobody waits for the end of its claim. */
  const handled = async (batch: OwnBatchRow, by: string, job: () => Promise<void>): Promise<void> => {
    try {
      await job()
    } catch (thrown) {
      await releaseBatch(db, batch.id, by, RETRY_MS)
      throw thrown
    }
  }

  const beginValidation = async (): Promise<boolean> => {
    if (isValidating) return false
    const by = randomId()
    const batch = await claimValidation(db, by, claimMs)
    if (batch === undefined) return false
    isValidating = true
    const job = handled(batch, by, () => validateBatch(context, batch, { by, forMs: claimMs }))
    start('the validation of a batch', job, () => {
      isValidating = false
    })
    return true
  }

  const beginFinish = async (): Promise<boolean> => {
    if (isFinishing) return false
    const by = randomId()
    const files = { outputFileId: ownFileId(randomId()), errorFileId: ownFileId(randomId()) }
    const batch = await claimFinish(db, by, claimMs, files)
    if (batch === undefined) return false
    isFinishing = true
    const job = handled(batch, by, () => finishBatch(context, batch, { by, forMs: claimMs }))
    start('the end of a batch', job, () => {
      isFinishing = false
    })
    return true
  }

  const beginLines = async (): Promise<boolean> => {
    let hasBegun = false
    for (const window of ['immediate', '24h'] as const) {
      const limit = bounds.parallel - inFlight
      if (limit <= 0) break
      const by = randomId()
      const lines = await claimLines(db, { by, forMs: claimMs, limit, window })
      const asked = new Map<string, Promise<Asked>>()
      for (const { batch, ...line } of lines) {
        const known = asked.get(batch.id) ?? openAsked(context, batch)
        asked.set(batch.id, known)
        inFlight++
        claims.set(by, (claims.get(by) ?? 0) + 1)
        const job = known.then((found) => runLine(context, { line, batch, asked: found, by }, stopping.signal))
        start('a line of a batch', released(job, { batchId: batch.id, line: line.line, by }), () => {
          inFlight--
          const left = (claims.get(by) ?? 1) - 1
          if (left === 0) claims.delete(by)
          else claims.set(by, left)
        })
        hasBegun = true
      }
    }
    return hasBegun
  }

  const released = async (job: Promise<void>, key: Parameters<typeof releaseLine>[1]): Promise<void> => {
    try {
      await job
    } catch (thrown) {
      await releaseLine(db, key, { afterMs: RETRY_MS, isTry: false })
      throw thrown
    }
  }

  const turn = async (): Promise<boolean> => {
    if (context.isStopping()) return false
    const begun = [await beginLines(), await beginValidation(), await beginFinish()]
    return begun.includes(true) || inFlight > 0 || (await hasRunningBatches(db))
  }

  const pause = async (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    timer.unref()
    rouse = resolve
    if (isWoken || stopping.signal.aborted) resolve()
    await promise
    clearTimeout(timer)
  }

  const run = async (): Promise<void> => {
    if (store.kind === 'pglite') await quietly(() => releaseBatches(db))
    while (!stopping.signal.aborted) {
      isWoken = false
      const isBusy = await quietly(turn)
      await pause(isBusy === true ? busyMs : idleMs)
      // Lines that end together are followed by others together.
      if (inFlight > 0) await Bun.sleep(GATHER_MS)
    }
  }

  /** The database may be away; it is asked again. */
  const quietly = async <T>(job: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await job()
    } catch (thrown) {
      log.warn('batches could not be looked for', errorFields(thrown))
      return undefined
    }
  }

  const renewal = setInterval(() => void quietly(() => renewLines(db, [...claims.keys()], claimMs)), claimMs / 3)
  const clearing = setInterval(() => void quietly(() => clearBatches(db, bounds.retentionDays)), CLEAR_MS)
  renewal.unref()
  clearing.unref()
  const running = run()

  return {
    wake,
    async close() {
      stopping.abort()
      rouse()
      clearInterval(clearing)
      await within(Promise.all([running, ...work]), CLOSE_MS)
      clearInterval(renewal)
    },
  }
}
