import type { Series } from '../core/metrics.ts'
import type { Clock, Logger } from '../core/ports.ts'
import type { CallRecord, CallSink, RecordedMessage } from '../core/records.ts'
import { errorFields } from '../errors/error-fields.ts'
import { within } from '../timing/within.ts'

export type Messages = ReadonlyMap<string, readonly RecordedMessage[]>

export interface SinkQueueOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly log: Logger
  /** Counts what was lost. */
  readonly dropped: Series
  /** It is closed with its queue. */
  readonly isOwn: boolean
  readonly limits: SinkLimits
}

/** What a sink may take, and for how long. */
export interface SinkLimits {
  /** Records that wait for it. */
  readonly queued: number
  /** Bytes of all messages that wait with them; records whose messages have no room go without. */
  readonly messageBytes: number
  /** Records that it gets at once. */
  readonly batch: number
  /** Milliseconds that the first record of a batch waits for others. */
  readonly gatherMs: number
  /** Milliseconds that it has for a batch. */
  readonly writeMs: number
  /** Batches that it may sit on after that: it gets no other before it has let go of one. */
  readonly hanging: number
  /** Milliseconds that all sinks have together, when they are closed, to take what is left. */
  readonly closeMs: number
}

export const SINK_LIMITS: SinkLimits = {
  queued: 10_000,
  messageBytes: 64 * 1024 * 1024,
  batch: 1_000,
  gatherMs: 250,
  writeMs: 10_000,
  hanging: 4,
  closeMs: 5_000,
}

/** Milliseconds between two lines of the log about one sink. */
const QUIET_MS = 60_000

/** The way to one sink: records wait for it in a bounded queue, and nobody waits for the sink. */
export class SinkQueue {
  readonly #sink: CallSink
  readonly #options: SinkQueueOptions
  readonly #waiting: CallRecord[] = []
  #messages = new Map<string, readonly RecordedMessage[]>()
  #messageBytes = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #hanging = 0
  /** Records of the batch that the sink has right now. */
  #writing = 0
  #isClosed = false
  /** Since the last line of the log. */
  #lost = 0
  #reason: Readonly<Record<string, unknown>> = {}
  #saidMs: number | undefined

  constructor(sink: CallSink, options: SinkQueueOptions) {
    this.#sink = sink
    this.#options = options
  }

  push(records: readonly CallRecord[], messages?: Messages): void {
    if (this.#isClosed || this.#waiting.length + records.length > this.#options.limits.queued) {
      this.#lose(records.length, { error: this.#isClosed ? 'the sink is closed' : 'the queue is full' })
      return
    }
    for (const record of records) this.#waiting.push(record)
    if (this.#sink.takesMessages === true && messages !== undefined) this.#keep(messages)
    this.#timer ??= setTimeout(this.#begin, this.#options.limits.gatherMs)
  }

  /** Hands over what waits, and closes the sink where that is its own. Never rejects. */
  async close(): Promise<void> {
    do {
      this.#begin()
      await this.#running
    } while (this.#mayWrite)
    try {
      await this.#sink.flush?.()
      if (this.#options.isOwn) await this.#sink.close?.()
    } catch (thrown) {
      this.#options.log.error('a sink could not be closed', { sink: this.#sink.name, ...errorFields(thrown) })
    }
  }

  /** What still waits, or was not taken to the end, is lost. */
  abandon(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#lose(this.#waiting.splice(0).length + this.#writing, { error: 'the gateway stopped' })
    this.#saidMs = undefined
    this.#say()
  }

  #keep(messages: Messages): void {
    for (const [id, list] of messages) {
      const bytes = bytesOf(list)
      if (this.#messageBytes + bytes > this.#options.limits.messageBytes) continue
      this.#messageBytes += bytes
      this.#messages.set(id, list)
    }
  }

  readonly #begin = (): void => {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // What came between the last look and now.
      if (this.#mayWrite) this.#begin()
    })
  }

  get #mayWrite(): boolean {
    return this.#waiting.length > 0 && this.#hanging < this.#options.limits.hanging && !this.#isClosed
  }

  async #run(): Promise<void> {
    const { batch, writeMs } = this.#options.limits
    const tooLate = (): Error => new Error(`the sink took longer than ${writeMs} ms`)
    while (this.#mayWrite) {
      const records = this.#waiting.splice(0, batch)
      this.#writing = records.length
      try {
        const work = this.#sink.write(records, this.#messagesOf(records))
        if (work instanceof Promise) await within(this.#watched(work), writeMs, tooLate)
      } catch (thrown) {
        if (!this.#isClosed) this.#lose(records.length, errorFields(thrown))
      }
      this.#writing = 0
    }
    this.#say()
  }

  /** A write that is given up may still end. */
  #watched(work: Promise<void>): Promise<void> {
    this.#hanging++
    const done = (): void => {
      this.#hanging--
      if (this.#waiting.length > 0) this.#timer ??= setTimeout(this.#begin, this.#options.limits.gatherMs)
    }
    work.then(done, done)
    return work
  }

  #messagesOf(records: readonly CallRecord[]): Messages | undefined {
    if (this.#messages.size === 0) return undefined
    const found = new Map<string, readonly RecordedMessage[]>()
    for (const { id } of records) {
      const messages = this.#messages.get(id)
      if (messages === undefined) continue
      found.set(id, messages)
      this.#messages.delete(id)
      this.#messageBytes -= bytesOf(messages)
    }
    return found
  }

  #lose(count: number, reason: Readonly<Record<string, unknown>>): void {
    if (count === 0) return
    this.#options.dropped.add(count)
    this.#lost += count
    this.#reason = reason
    this.#say()
  }

  #say(): void {
    const now = this.#options.clock.monotonicMs()
    if (this.#lost === 0 || (this.#saidMs !== undefined && now - this.#saidMs < QUIET_MS)) return
    this.#options.log.error('records of calls were lost for a sink', {
      sink: this.#sink.name,
      lost: this.#lost,
      ...this.#reason,
    })
    this.#saidMs = now
    this.#lost = 0
  }
}

const bytesOf = (messages: readonly RecordedMessage[]): number =>
  messages.reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
