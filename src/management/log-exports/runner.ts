import type { Logger } from '../../core/ports.ts'
import { errorFields } from '../../errors/error-fields.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import {
  claimExport,
  expireExports,
  filesOfExports,
  type LogExport,
  releaseExports,
  updateClaimed,
} from '../../store/objects/log-exports.ts'
import type { Store } from '../../store/types.ts'
import { within } from '../../timing/within.ts'
import type { BodiesDeps } from '../logs/open-bodies.ts'
import type { ExportFiles } from './files.ts'
import { writeExport } from './write-export.ts'

export interface ExportRunnerOptions extends BodiesDeps {
  readonly records: Parameters<typeof writeExport>[1]['records']
  readonly store: Pick<Store, 'db' | 'kind'>
  readonly files: ExportFiles
  readonly log: Logger
  readonly randomId: () => string
  /** Milliseconds between two looks for something to run, for which a job stays with its process, and between clean-ups. */
  readonly pollMs?: number
  readonly claimMs?: number
  readonly sweepMs?: number
  /** Milliseconds that a file is kept. */
  readonly keepMs?: number
}

export interface ExportRunner {
  /** Says that there may be something to run. */
  wake(): void
  /** Lets a job that runs go: another process, or the next start, goes on with it. */
  close(): Promise<void>
}

const POLL_MS = 5_000
/** After a start: its transaction is through by then. */
const WAKE_MS = 100
const CLAIM_MS = 30_000
const SWEEP_MS = 60 * 60 * 1000
const KEEP_MS = 7 * 24 * 60 * 60 * 1000
const CLOSE_MS = 5_000

/** Runs exports, one at a time; of several processes on one database each takes another one. */
export const createExportRunner = (options: ExportRunnerOptions): ExportRunner => {
  const { store, files, log, randomId, pollMs = POLL_MS, claimMs = CLAIM_MS, keepMs = KEEP_MS } = options
  const { db } = store
  const me = randomId()
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  let isFirst = true

  const run = async (job: LogExport): Promise<void> => {
    const update = (changes: Parameters<typeof updateClaimed>[3]) => updateClaimed(db, job, me, changes)
    try {
      const keepOn = (changes: Parameters<typeof updateClaimed>[3]) => update({ ...changes, claimMs })
      const outcome = await writeExport(job, { ...options, update: keepOn, signal: stopping.signal })
      if (outcome === 'done') await update({ status: 'success', isOver: true, keepMs })
      else if (outcome === 'too-large') await update({ status: 'failed', error: TOO_LARGE, isOver: true })
      else if (outcome === 'stopping') await update({ claimMs: 0 })
    } catch (thrown) {
      if (thrown instanceof StoreUnavailable) {
        // It is gone on with, here or elsewhere, once its claim has run out.
        log.warn('an export of logs waits for its store', { id: job.id, ...errorFields(thrown) })
        return
      }
      log.error('an export of logs failed', { id: job.id, ...errorFields(thrown) })
      await update({ status: 'failed', error: 'The export failed for a reason of ours.', isOver: true })
    }
  }

  const runAll = async (): Promise<void> => {
    if (isFirst && store.kind === 'pglite') await releaseExports(db)
    isFirst = false
    while (!stopping.signal.aborted) {
      const job = await claimExport(db, me, claimMs)
      if (job === undefined) return
      await run(job)
    }
  }

  const wake = (): void => {
    if (stopping.signal.aborted) return
    running ??= runAll()
      .catch((thrown: unknown) => log.warn('exports of logs could not be looked for', errorFields(thrown)))
      .finally(() => {
        running = undefined
      })
  }

  /** Removes files whose exports have expired, were cancelled or deleted, or were started anew. */
  const sweep = async (): Promise<void> => {
    await expireExports(db)
    // First the files: one that is begun meanwhile is in neither list.
    const there = await files.list()
    const wanted = await filesOfExports(db)
    await files.remove(there.filter((file) => !wanted.has(file)))
  }

  const sweepAndTell = (): void => {
    sweep().catch((thrown: unknown) => log.warn('old exports of logs could not be removed', errorFields(thrown)))
  }
  const timers = [setInterval(wake, pollMs), setInterval(sweepAndTell, options.sweepMs ?? SWEEP_MS)]
  for (const timer of timers) timer.unref()

  return {
    wake: () => void setTimeout(wake, WAKE_MS).unref(),
    async close() {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      if (running !== undefined) await within(running, CLOSE_MS)
    },
  }
}

const TOO_LARGE = 'The file would be larger than 1 GiB: narrow the filters, or ask for less.'
