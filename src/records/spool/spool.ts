import { join } from 'node:path'
import type { LedgerState } from '../../budgets/ledger/ledger-access.ts'
import type { FromLedger, ToLedger } from '../../budgets/ledger/messages.ts'
import type { LedgerAddress } from '../../budgets/ledger/open-ledger.ts'
import type { Clock, Logger } from '../../core/ports.ts'
import { within } from '../../timing/within.ts'
import type {
  Delivered,
  Delivery,
  FromWorker,
  SpoolSettings,
  StoreAddress,
  StoreRules,
  ToWorker,
  WorkerState,
} from '../flusher/messages.ts'
import { startWorker } from '../start-worker.ts'
import { BatchRefused } from '../store.ts'
import { type FrameKind, MAX_SEGMENT_BYTES } from './frame.ts'
import { SharedState } from './shared-state.ts'
import { openFolder, type SpoolFolder } from './spool-folder.ts'
import { noRows, type RowCounts, type SpoolMode, SpoolWriter } from './spool-writer.ts'

export interface SpoolOptions {
  /** Folder of all spools of this data folder. */
  readonly root: string
  readonly settings: SpoolSettings
  readonly store: StoreAddress
  /** Where budgets are counted. */
  readonly ledger: LedgerAddress
  /** Gets what the ledger says. */
  readonly onLedger: (message: FromLedger) => void
  readonly rules: StoreRules
  readonly clock: Clock
  readonly log: Logger
  /** Bytes of a segment. Default: 16 MiB. */
  readonly segmentBytes?: number
  /** Maps a file into memory; for tests. */
  readonly map?: (path: string) => Uint8Array
}

/** How the spool is. */
export interface SpoolStats {
  readonly mode: SpoolMode
  /** What is written outlives the death of the process. */
  readonly durable: boolean
  /** Rows of this process that wait for the store. */
  readonly rows: number
  /** On disk. */
  readonly bytes: number
  /** Age of the oldest row that waits, in milliseconds. */
  readonly oldestMs: number
  readonly dropped: RowCounts
  readonly quarantined: number
  readonly damaged: number
  readonly failures: number
  readonly failuresInRow: number
  /** Milliseconds since 1970. */
  readonly lastStoredMs: number | undefined
  /** Absent: nothing was heard of it yet. */
  readonly ledger: LedgerState | undefined
}

/** Rows in memory, where no disk takes them. */
const MEMORY_BYTES: number = 64 * 1024 * 1024
/** With `strict` a call waits no longer than this for the disk. */
const SYNC_TIMEOUT_MS = 5_000
/** A worker that failed is started again. */
const RESTART_MS = 1_000
/** Beyond that, for a worker on a busy machine to tell how it ended. */
const GOODBYE_MS = 3_000
/** What the spool gets at the end to bring its rows into the store; the rest is for the next start. */
const CLOSE_MS = 5_000
/** A batch of a data plane is stored within so long, or sent again. */
const DELIVERY_MS = 30_000

interface Waiting {
  readonly position: number
  readonly resolve: (isReached: boolean) => void
  readonly timer: ReturnType<typeof setTimeout>
}

/** Keeps rows until they are in the store: on the thread of the calls it writes them down, a worker does the rest. */
export class Spool {
  readonly #options: SpoolOptions
  readonly #folder: SpoolFolder | undefined
  readonly #id: string
  readonly #state = new SharedState()
  readonly #writer: SpoolWriter
  #worker: Worker | undefined
  #rules: StoreRules
  #workerState: WorkerState | undefined
  #memorySegments = 0
  #storedPosition = 0
  #syncedPosition = 0
  readonly #untilStored = new Set<Waiting>()
  readonly #untilSynced = new Set<Waiting>()
  #stopped: (() => void) | undefined
  readonly #deliveries = new Map<number, Pick<PromiseWithResolvers<Delivered>, 'resolve' | 'reject'>>()
  #lastDelivery = 0
  #isClosed = false

  constructor(options: SpoolOptions) {
    this.#options = options
    this.#rules = options.rules
    this.#folder = this.#openFolder()
    this.#id = this.#folder?.id ?? crypto.randomUUID()
    const { clock, map = (path) => Bun.mmap(path, { shared: true }) } = options
    this.#writer = new SpoolWriter({
      folder: this.#folder?.path,
      firstSegment: this.#firstSegment,
      state: this.#state,
      memoryBytes: MEMORY_BYTES,
      monotonicMs: clock.monotonicMs,
      map,
      onMemorySegment: (segment, buffer) => {
        this.#memorySegments++
        this.#tell({ type: 'memory', segment, buffer })
      },
      onMode: (mode, error) => this.#sayMode(mode, error),
      wake: () => {
        this.#state.isAsleep = false
        this.#tell({ type: 'wake' })
      },
    })
    this.#syncedPosition = this.#writer.position
    this.#startWorker()
  }

  /** @returns false where there was no room: it is counted */
  append(kind: FrameKind, text: string): boolean {
    return this.#writer.append(kind, text)
  }

  /** @returns as `append` */
  appendBytes(kind: FrameKind, head: string, bytes: Uint8Array): boolean {
    return this.#writer.appendBytes(kind, head, bytes)
  }

  /** Behind all that was written so far. */
  get position(): number {
    return this.#writer.position
  }

  /** The disk is full of records, and the operator wants new calls refused then. */
  get refusesCalls(): boolean {
    return this.#state.pressure >= 2
  }

  /** With `strict`: settles once all that was written so far would survive a loss of power, at the latest after 5 seconds. */
  durable(): Promise<void> | undefined {
    if (this.#options.settings.durability !== 'strict' || this.#writer.mode === 'memory') return undefined
    const { position } = this.#writer
    if (position <= this.#syncedPosition) return undefined
    return this.#wait(this.#untilSynced, position, SYNC_TIMEOUT_MS).then((isSynced) => {
      if (!isSynced) this.#options.log.error('a record did not reach the disk in time: the call was answered without')
    })
  }

  /** Settles once all that was written so far is in the store, or the time is over. @returns whether it is */
  stored(withinMs: number): Promise<boolean> {
    const { position } = this.#writer
    if (position <= this.#storedPosition) return Promise.resolve(true)
    this.#tell({ type: 'flush' })
    return this.#wait(this.#untilStored, position, withinMs)
  }

  tellLedger(message: ToLedger): void {
    this.#tell({ type: 'ledger', message })
  }

  /**
   * Stores what a data plane hands in.
   * @throws BatchRefused for rows that no store takes; Error where it cannot be done now
   */
  async deliver(delivery: Delivery): Promise<Delivered> {
    const id = ++this.#lastDelivery
    const { promise, resolve, reject } = Promise.withResolvers<Delivered>()
    this.#deliveries.set(id, { resolve, reject })
    this.#tell({ type: 'deliver', id, delivery })
    try {
      return await within(promise, DELIVERY_MS, () => new Error('the store of records did not answer in time'))
    } finally {
      this.#deliveries.delete(id)
    }
  }

  set rules(rules: StoreRules) {
    this.#rules = rules
    this.#tell({ type: 'rules', rules })
  }

  stats(): SpoolStats {
    const { mode = this.#folder === undefined ? 'memory' : 'mapped', written, dropped } = this.#writer
    const state = this.#workerState
    const lost = state?.dropped ?? noRows()
    const waiting = written.record + written.bodies + written.feedback - (state?.stored ?? 0)
    return {
      mode,
      durable: mode !== 'memory',
      rows:
        this.#storedPosition >= this.#writer.position
          ? 0
          : Math.max(0, waiting - lost.record - lost.bodies - lost.feedback),
      bytes: state?.bytes ?? 0,
      oldestMs: state?.oldest === undefined ? 0 : Math.max(0, this.#options.clock.now() - state.oldest / 1_000),
      dropped: {
        opened: dropped.opened,
        record: dropped.record + lost.record,
        bodies: dropped.bodies + lost.bodies,
        feedback: dropped.feedback + lost.feedback,
      },
      quarantined: state?.quarantined ?? 0,
      damaged: state?.damaged ?? 0,
      failures: state?.failures ?? 0,
      failuresInRow: state?.failuresInRow ?? 0,
      lastStoredMs: state?.lastStoredMs,
      ledger: state?.ledger,
    }
  }

  /** Stores what it can within five seconds. What is left is for the next start. */
  async close(withinMs: number = CLOSE_MS): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#writer.close()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#stopped = resolve
    const timer = setTimeout(resolve, withinMs + GOODBYE_MS)
    if (this.#worker === undefined) resolve()
    else this.#tell({ type: 'stop', withinMs })
    await promise
    clearTimeout(timer)
    for (const waiting of [...this.#untilStored, ...this.#untilSynced]) this.#settle(waiting, false)
    this.#worker?.terminate()
    this.#folder?.release()
  }

  get #firstSegment(): number {
    return this.#folder?.firstSegment ?? 1
  }

  #openFolder(): SpoolFolder | undefined {
    const { root, log } = this.#options
    try {
      return openFolder(root)
    } catch (thrown) {
      log.error('records are kept in memory alone: they are lost when the process ends', {
        folder: root,
        reason: codeOf(thrown),
      })
      return undefined
    }
  }

  #startWorker(): void {
    if (this.#isClosed) return
    const { settings, store, ledger, root, segmentBytes = MAX_SEGMENT_BYTES } = this.#options
    const worker = startWorker('worker.ts')
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data)
    worker.onerror = (event) => this.#workerFailed(worker, event.message)
    this.#worker = worker
    this.#tell({
      type: 'start',
      root: this.#folder === undefined ? undefined : root,
      id: this.#id,
      path: this.#folder?.path,
      firstSegment: this.#firstSegment,
      state: this.#state.buffer,
      memory: this.#writer.memorySegments,
      told: this.#memorySegments,
      segmentBytes,
      settings,
      store,
      ledger,
      rules: this.#rules,
    })
  }

  /** What it has not stored is on the disk, or still held here: another one goes on. */
  #workerFailed(worker: Worker, message: string): void {
    if (this.#worker !== worker) return
    this.#worker = undefined
    worker.terminate()
    this.#options.log.error('the worker of the spool failed: it is started again', { error: message })
    if (this.#isClosed) this.#stopped?.()
    else setTimeout(() => this.#startWorker(), RESTART_MS)
  }

  #hear(message: FromWorker): void {
    switch (message.type) {
      case 'log':
        this.#options.log[message.level](message.message, message.fields)
        break
      case 'stored':
        this.#storedPosition = Math.max(this.#storedPosition, message.position)
        this.#reached(this.#untilStored, message.position)
        break
      case 'synced':
        this.#syncedPosition = message.position
        this.#reached(this.#untilSynced, message.position)
        break
      case 'released':
        for (const segment of message.segments) this.#writer.release(segment)
        break
      case 'ledger':
        this.#options.onLedger(message.message)
        break
      case 'delivered': {
        const waiting = this.#deliveries.get(message.id)
        if ('delivered' in message) waiting?.resolve(message.delivered)
        else waiting?.reject(message.refused ? new BatchRefused(message.message) : new Error(message.message))
        break
      }
      case 'state':
        this.#workerState = message.state
        break
      case 'stopped':
        this.#stopped?.()
        break
    }
  }

  #tell(message: ToWorker): void {
    this.#worker?.postMessage(message)
  }

  #wait(list: Set<Waiting>, position: number, withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = { position, resolve, timer: setTimeout(() => this.#settle(waiting, false), withinMs) }
      list.add(waiting)
    })
  }

  #reached(list: Set<Waiting>, position: number): void {
    for (const waiting of list) if (waiting.position <= position) this.#settle(waiting, true)
  }

  #settle(waiting: Waiting, isReached: boolean): void {
    clearTimeout(waiting.timer)
    this.#untilStored.delete(waiting)
    this.#untilSynced.delete(waiting)
    waiting.resolve(isReached)
  }

  #sayMode(mode: SpoolMode, error: unknown): void {
    const { log, root } = this.#options
    const fields = { folder: root, ...(error === undefined ? {} : { reason: codeOf(error) }) }
    if (mode === 'memory') log.error('records are kept in memory alone: they are lost when the process ends', fields)
    else if (mode === 'written')
      log.warn('the spool cannot be mapped into memory: each record is written by itself', fields)
    else log.info('records are kept in the spool', { folder: join(root, this.#id) })
  }
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown)
