import { LedgerAccess } from '../../budgets/ledger/ledger-access.ts'
import { openLedger } from '../../budgets/ledger/open-ledger.ts'
import { positionOf } from '../spool/frame.ts'
import { allocateSegment, isCode, listSegments, segmentBytes } from '../spool/segment-files.ts'
import { SharedState } from '../spool/shared-state.ts'
import { listFolders, removeFolder, type SpoolFolder, takeFolder } from '../spool/spool-folder.ts'
import { noRows } from '../spool/spool-writer.ts'
import { BatchRefused } from '../store.ts'
import { deliver } from './deliver.ts'
import { pressureOf } from './disk-room.ts'
import type { Delivery, FromWorker, ToWorker, WorkerStart, WorkerState } from './messages.ts'
import { Quarantine } from './quarantine.ts'
import { SpoolFlusher } from './spool-flusher.ts'
import { type LiveEnd, SpoolReader } from './spool-reader.ts'
import { SpoolSync } from './spool-sync.ts'
import { StoreAccess } from './store-access.ts'

/** While something is to be done the worker looks this often, which is also how long rows wait for a sync. */
const TICK_MS = 10
/** While nothing is. */
const IDLE_TICK_MS = 1_000
/** Without news for so long the worker sleeps until it is woken. */
const FALL_ASLEEP_MS = 300
/** Room on the disk is looked at this often. */
const ROOM_MS = 250
const REPORT_MS = 500
/** Folders of processes that have died are looked for. */
const TAKE_OVER_MS = 30_000
/** A failure that goes on is said again. */
const SAY_AGAIN_MS = 60_000
/** Segments that are ready for when the one that is written is full. */
const SEGMENTS_AHEAD = 1

interface Spool {
  readonly folder: Pick<SpoolFolder, 'path'> | undefined
  readonly reader: SpoolReader
  readonly flusher: SpoolFlusher
  /** Gives the folder of a dead process free, when all of it is stored. */
  readonly remove?: () => void
}

/** The worker of the spool: brings rows into the store, through a loss of power, and sees to it that there is room. */
export class SpoolWorker {
  readonly #start: WorkerStart
  readonly #post: (message: FromWorker) => void
  readonly #live: LiveEnd
  readonly #store: StoreAccess
  readonly #ledger: LedgerAccess
  readonly #quarantine: Quarantine
  readonly #sync: SpoolSync | undefined
  readonly #own: Spool
  /** Those of processes that died. */
  readonly #inherited = new Map<string, Spool>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #newsAt = 0
  #lastEnd = 0
  #roomAt = 0
  #reportAt = 0
  #takeOverAt = 0
  #stopAt: number | undefined
  #isPressed = false
  #hasAllocationFailed = false
  #bytes = 0
  #storedRows = 0
  readonly #dropped = noRows()
  #failures = 0
  #saidAt = Number.NEGATIVE_INFINITY
  #ledgerSaidAt = Number.NEGATIVE_INFINITY
  #lastStoredMs: number | undefined
  #reported = ''
  #postedStored = 0

  constructor(start: WorkerStart, post: (message: FromWorker) => void) {
    this.#start = start
    this.#post = post
    const state = new SharedState(start.state)
    this.#live = { state, memory: new Map(start.memory), told: start.told }
    this.#quarantine = new Quarantine(start.root)
    this.#store = new StoreAccess(
      start.store,
      start.rules,
      now,
      (error) => this.#log('warn', 'records past their retention could not be removed', reasonOf(error)),
      (message) => this.#log('warn', message, {}),
    )
    this.#ledger = new LedgerAccess({
      spool: start.id,
      open: () => openLedger(start.ledger),
      post: (message) => post({ type: 'ledger', message }),
      now: Date.now,
      monotonicMs: now,
      onFailure: (error, failures) => this.#sayLedgerIsAway(error, failures),
      onBack: () => this.#ledgerIsBack(),
    })
    const { path, firstSegment } = start
    this.#sync =
      path === undefined
        ? undefined
        : new SpoolSync(
            path,
            firstSegment,
            state,
            (segment) => segmentBytes(path, segment) > 0,
            (position) => {
              if (start.settings.durability === 'strict') post({ type: 'synced', position })
            },
          )
    this.#own = this.#spool(start.id, path, firstSegment, this.#live)
    this.#newsAt = now()
    this.#tick()
  }

  /** @returns nothing; answers come as messages */
  take(message: Exclude<ToWorker, WorkerStart>): void {
    switch (message.type) {
      case 'memory':
        this.#live.memory.set(message.segment, message.buffer)
        this.#live.told++
        break
      case 'flush':
        this.#isPressed = true
        break
      case 'rules':
        this.#store.rules = message.rules
        return
      case 'ledger':
        this.#ledger.take(message.message)
        break
      case 'deliver':
        void this.#deliver(message.id, message.delivery)
        break
      case 'stop':
        this.#stopAt = now() + message.withinMs
        this.#isPressed = true
        break
      case 'wake':
        break
    }
    this.#newsAt = now()
    this.#tick()
  }

  /** Counts and stores what a data plane hands in, each once by its place in the spool over there. */
  async #deliver(id: number, delivery: Delivery): Promise<void> {
    try {
      this.#post({ type: 'delivered', id, delivered: await deliver(delivery, this.#store.writer(), this.#ledger) })
    } catch (thrown) {
      const refused = thrown instanceof BatchRefused
      if (!refused) this.#log('warn', 'records of a data plane cannot be stored now: it keeps them', reasonOf(thrown))
      this.#post({ type: 'delivered', id, refused, message: refused ? thrown.message : 'the store cannot be reached' })
    }
  }

  #tick(): void {
    clearTimeout(this.#timer)
    const { state } = this.#live
    state.isAsleep = false
    const { segment, offset } = state.end()
    const end = positionOf(segment, offset)
    if (end !== this.#lastEnd) this.#newsAt = now()
    this.#lastEnd = end
    this.#makeSegments(segment, offset)
    this.#sync?.tick()
    if (this.#isDue('takeOver')) this.#takeOver()
    for (const { flusher } of this.#spools()) flusher.tick(this.#isPressed)
    if (this.#isDue('room')) this.#makeRoom()
    this.#store.tick()
    this.#ledger.tick(this.#isWaitingForStore())
    this.#removeInherited()
    const isDone = this.#own.flusher.isDone && this.#inherited.size === 0
    if (isDone) this.#isPressed = this.#stopAt !== undefined
    this.#report(isDone)
    if (this.#stopAt !== undefined && (isDone || now() >= this.#stopAt)) {
      this.#stop(isDone)
      return
    }
    const isQuiet = now() - this.#newsAt > FALL_ASLEEP_MS && (isDone || this.#isWaitingForStore())
    if (isQuiet && this.#ledger.isQuiet && (this.#sync?.isDone ?? true)) state.isAsleep = true
    // Something may have been written between the look and the word.
    const hasNews = state.end().segment !== segment || state.end().offset !== offset
    const pauseMs = state.isAsleep && !hasNews ? Math.min(IDLE_TICK_MS, this.#ledger.pauseMs) : TICK_MS
    this.#timer = setTimeout(() => this.#tick(), pauseMs)
  }

  #isWaitingForStore(): boolean {
    return this.#spools().every(({ flusher }) => flusher.isDone || flusher.failures > 0)
  }

  #spools(): readonly Spool[] {
    return [this.#own, ...this.#inherited.values()]
  }

  #spool(id: string, path: string | undefined, firstSegment: number, live?: LiveEnd, remove?: () => void): Spool {
    const reader = new SpoolReader({
      path,
      firstSegment,
      live,
      onUnreadable: ({ position, kind, payload }, error) => {
        this.#quarantine.add({
          spool: id,
          position,
          kind: `frame ${kind}`,
          reason: String(error),
          row: payload.slice(),
        })
        this.#log('error', 'a row of the spool could not be read: it was set aside', { spool: id, position })
      },
    })
    const flusher: SpoolFlusher = new SpoolFlusher({
      id,
      path,
      reader,
      writer: this.#store.writer,
      count: (batch) => this.#ledger.apply(batch),
      quarantine: this.#quarantine,
      monotonicMs: now,
      onStored: (position, { records, bodies, feedback }) => {
        this.#lastStoredMs = Date.now()
        if (this.#saidAt > 0 && flusher.failures > 0) {
          this.#saidAt = Number.NEGATIVE_INFINITY
          this.#log('info', 'the store of records answers again', {})
        }
        const released = reader.removeStored(position)
        if (live === undefined) return
        this.#storedRows += records.length + bodies.length + feedback.length
        if (released.length > 0) this.#post({ type: 'released', segments: released })
        this.#post({ type: 'stored', position })
      },
      onFailure: (error, failures) => {
        this.#failures++
        if (failures > 1 && now() - this.#saidAt < SAY_AGAIN_MS) return
        this.#saidAt = now()
        this.#log('warn', 'records cannot be stored now: they wait in the spool', { ...reasonOf(error), failures })
      },
      onPoison: (error) =>
        this.#log('error', 'a record was refused by its store: it was set aside', { ...reasonOf(error), spool: id }),
      onUnsound: ({ position, kind, row }) => {
        this.#quarantine.add({ spool: id, position, kind, reason: 'what it says of a budget is not sound', row })
        this.#log('error', 'what a record says of a budget was not counted: it was set aside', { spool: id, position })
      },
    })
    return { folder: path === undefined ? undefined : { path }, reader, flusher, ...(remove && { remove }) }
  }

  #sayLedgerIsAway(error: unknown, failures: number): void {
    if (failures > 1 && now() - this.#ledgerSaidAt < SAY_AGAIN_MS) return
    this.#ledgerSaidAt = now()
    const message = 'the ledger of budgets cannot be reached: what calls spend waits in the spool'
    this.#log('warn', message, { ...reasonOf(error), failures })
  }

  /** What waited is counted at once, so that other processes know of it. */
  #ledgerIsBack(): void {
    this.#ledgerSaidAt = Number.NEGATIVE_INFINITY
    this.#log('info', 'the ledger of budgets answers again', {})
    for (const { flusher } of this.#spools()) flusher.retry()
  }

  #isDue(what: 'room' | 'takeOver'): boolean {
    if (what === 'room') {
      if (now() < this.#roomAt) return false
      this.#roomAt = now() + ROOM_MS
      return true
    }
    if (now() < this.#takeOverAt || this.#stopAt !== undefined) return false
    this.#takeOverAt = now() + TAKE_OVER_MS
    return true
  }

  /** Makes the next segments, so that no call has to. */
  #makeSegments(segment: number, offset: number): void {
    const { path, segmentBytes: bytes, settings } = this.#start
    if (path === undefined || this.#stopAt !== undefined) return
    const first = offset === 0 ? segment : segment + 1
    for (let number = first; number <= segment + SEGMENTS_AHEAD; number++) {
      if (this.#live.memory.has(number) || this.#bytes + bytes > settings.maxBytes) continue
      try {
        if (segmentBytes(path, number) > 0) continue
        allocateSegment(path, number, bytes)
        this.#bytes += bytes
        this.#hasAllocationFailed = false
      } catch (thrown) {
        if (!this.#hasAllocationFailed) {
          this.#hasAllocationFailed = true
          const message = isCode(thrown, 'ENOSPC') ? 'the disk of the spool is full' : 'the spool cannot be written'
          this.#log('error', message, reasonOf(thrown))
        }
        return
      }
    }
  }

  #makeRoom(): void {
    const { settings, segmentBytes: bytes } = this.#start
    this.#bytes = 0
    for (const { folder } of this.#spools()) {
      if (folder === undefined) continue
      for (const segment of listSegments(folder.path)) this.#bytes += segmentBytes(folder.path, segment)
    }
    if (settings.onFull === 'drop' && this.#bytes > settings.maxBytes) {
      this.#drop(this.#bytes - settings.maxBytes + bytes)
    }
    this.#live.state.pressure = pressureOf(this.#bytes, settings, bytes)
  }

  /** The oldest rows go: those of the dead first. */
  #drop(bytes: number): void {
    for (const { flusher } of this.#spools().toReversed()) {
      const lost = flusher.discard(bytes)
      const rows = lost.record + lost.bodies + lost.feedback
      if (rows === 0) continue
      for (const kind of ['record', 'bodies', 'feedback'] as const) this.#dropped[kind] += lost[kind]
      this.#log('error', 'the spool is full: its oldest rows were dropped', { ...lost })
      this.#roomAt = now()
      return
    }
  }

  /** Goes on with what processes left behind that died. */
  #takeOver(): void {
    const { root, id: own } = this.#start
    if (root === undefined) return
    for (const id of listFolders(root)) {
      if (id === own || this.#inherited.has(id)) continue
      try {
        const folder = takeFolder(root, id)
        if (folder === undefined) continue
        this.#inherited.set(
          id,
          this.#spool(id, folder.path, folder.firstSegment, undefined, () => removeFolder(folder)),
        )
        this.#log('info', 'goes on with the records of a process that has ended', { spool: id })
      } catch (thrown) {
        this.#log('warn', 'the spool of another process could not be taken over', { spool: id, ...reasonOf(thrown) })
      }
    }
  }

  #removeInherited(): void {
    for (const [id, { flusher, reader, remove }] of this.#inherited) {
      if (!flusher.isDone) continue
      reader.close()
      remove?.()
      this.#inherited.delete(id)
    }
  }

  #report(isDone: boolean): void {
    const { settled } = this.#own.flusher
    if (isDone && settled !== this.#postedStored) {
      this.#postedStored = settled
      this.#post({ type: 'stored', position: settled })
    }
    if (now() < this.#reportAt) return
    this.#reportAt = now() + REPORT_MS
    const spools = this.#spools()
    const oldest = spools.flatMap(({ flusher }) => flusher.oldest ?? [])
    const state: WorkerState = {
      bytes: this.#bytes,
      oldest: oldest.length === 0 ? undefined : Math.min(...oldest),
      stored: this.#storedRows,
      dropped: this.#dropped,
      failures: this.#failures,
      failuresInRow: Math.max(...spools.map(({ flusher }) => flusher.failures)),
      lastStoredMs: this.#lastStoredMs,
      quarantined: this.#quarantine.rows,
      damaged: spools.reduce((sum, { reader }) => sum + reader.damaged, 0),
      ledger: this.#ledger.state,
    }
    const text = JSON.stringify(state)
    if (text === this.#reported) return
    this.#reported = text
    this.#post({ type: 'state', state })
  }

  #stop(isDone: boolean): void {
    // The last numbers, whenever the ones before were told.
    this.#reportAt = 0
    this.#report(isDone)
    const { flusher, reader } = this.#own
    if (isDone) reader.clear(flusher.settled)
    void Promise.allSettled([this.#store.close(), this.#ledger.close()]).then(() => this.#post({ type: 'stopped' }))
  }

  #log(level: 'info' | 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>): void {
    this.#post({ type: 'log', level, message, fields })
  }
}

const now = (): number => performance.now()

/** Class and code: the message of a driver may hold what it was given. */
const reasonOf = (thrown: unknown): Readonly<Record<string, unknown>> => ({
  error: thrown instanceof Error ? thrown.name : typeof thrown,
  ...(thrown instanceof Error && 'code' in thrown ? { code: String(thrown.code) } : {}),
})
