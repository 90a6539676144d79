import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LedgerBatch } from '../../../src/budgets/ledger/ledger.ts'
import type { BudgetCharge } from '../../../src/core/budgets.ts'
import type { CallRecord, OpenedCall } from '../../../src/core/records.ts'
import { Quarantine } from '../../../src/records/flusher/quarantine.ts'
import { SpoolFlusher } from '../../../src/records/flusher/spool-flusher.ts'
import { type LiveEnd, SpoolReader } from '../../../src/records/flusher/spool-reader.ts'
import { FRAME } from '../../../src/records/spool/frame.ts'
import { bodiesHead } from '../../../src/records/spool/rows.ts'
import { allocateSegment } from '../../../src/records/spool/segment-files.ts'
import { SharedState } from '../../../src/records/spool/shared-state.ts'
import { openFolder, type SpoolFolder } from '../../../src/records/spool/spool-folder.ts'
import { SpoolWriter, type SpoolWriterOptions } from '../../../src/records/spool/spool-writer.ts'
import type { RecordWriter } from '../../../src/records/store.ts'

/** A call as it begins. */
export const openedCall = (id: string, over: Partial<OpenedCall> = {}): OpenedCall => ({
  id,
  time: 1_790_000_000_000_000,
  organisationId: 'organisation',
  workspaceId: 'workspace',
  traceId: `trace of ${id}`,
  method: 'POST',
  path: '/v1/chat/completions',
  endpoint: 'chat',
  requestType: 'chatComplete',
  stream: true,
  provider: 'mock',
  model: 'mock-1',
  metadata: { team: 'blue' },
  ...over,
})

/** And as it ended. */
export const endedCall = (id: string, over: Partial<CallRecord> = {}): CallRecord => ({
  ...openedCall(id),
  callId: id,
  kind: 'call',
  attempt: 0,
  status: 200,
  outcome: 'completed',
  success: true,
  attempts: 1,
  retries: 0,
  fallback: false,
  totalUs: 1_000,
  ...over,
})

/** What a call adds to a budget of its workspace. */
export const chargeOf = (amount: number, over: Partial<BudgetCharge> = {}): BudgetCharge => ({
  budgetId: 'budget',
  group: 'group',
  startMs: 1_790_000_000_000,
  type: 'cost',
  label: '[]',
  amount,
  ...over,
})

/** The spool of a process, both its threads in one: they do what they are told, when they are told. */
export class SpoolProcess {
  readonly folder: SpoolFolder
  readonly state = new SharedState()
  readonly writer: SpoolWriter
  readonly live: LiveEnd
  readonly reader: SpoolReader
  readonly flusher: SpoolFlusher
  readonly quarantine: Quarantine
  readonly failures: unknown[] = []
  /** What budgets were told. */
  readonly counted: LedgerBatch[] = []
  /** What they fail with. */
  countFailure: Error | undefined
  readonly unsound: number[] = []
  nowMs = 0

  constructor(root: string, store: RecordWriter, options: Partial<SpoolWriterOptions> = {}) {
    this.folder = openFolder(root)
    const { path, firstSegment, id } = this.folder
    this.live = { state: this.state, memory: new Map(), told: 0 }
    this.writer = new SpoolWriter({
      folder: path,
      firstSegment,
      state: this.state,
      memoryBytes: 16 * 1024 * 1024,
      monotonicMs: () => this.nowMs,
      map: (file) => Bun.mmap(file, { shared: true }),
      onMemorySegment: (segment, buffer) => {
        this.live.memory.set(segment, buffer)
        this.live.told++
      },
      onMode: () => undefined,
      wake: () => undefined,
      ...options,
    })
    this.quarantine = new Quarantine(root)
    this.reader = new SpoolReader({ path, firstSegment, live: this.live, onUnreadable: () => undefined })
    this.flusher = new SpoolFlusher({
      id,
      path,
      reader: this.reader,
      writer: () => store,
      count: async (batch) => {
        if (this.countFailure !== undefined) throw this.countFailure
        this.counted.push(batch)
      },
      quarantine: this.quarantine,
      monotonicMs: () => this.nowMs,
      onStored: (position) => {
        for (const segment of this.reader.removeStored(position)) this.writer.release(segment)
      },
      onFailure: (error) => this.failures.push(error),
      onPoison: () => undefined,
      onUnsound: ({ position }) => this.unsound.push(position),
    })
  }

  open(id: string, over?: Partial<OpenedCall>): void {
    this.writer.append(FRAME.opened, JSON.stringify({ ...openedCall(id), ...over }))
  }

  end(id: string, over?: Partial<CallRecord>): boolean {
    return this.writer.append(FRAME.record, JSON.stringify(endedCall(id, over)))
  }

  bodies(id: string, bytes: number): boolean {
    return this.writer.appendBytes(FRAME.bodies, bodiesHead(endedCall(id)), new Uint8Array(bytes).fill(7))
  }

  /** Makes the next segment, of so many bytes. */
  prepare(bytes: number): void {
    const { segment, offset } = this.state.end()
    allocateSegment(this.folder.path, offset === 0 ? segment : segment + 1, bytes)
  }

  /** Lets the flusher work until it has stored all, or some time has passed. @returns whether all is stored */
  async flush(steps = 200): Promise<boolean> {
    for (let step = 0; step < steps; step++) {
      this.flusher.tick(true)
      this.nowMs += 50
      await Bun.sleep(0)
      if (this.flusher.isDone && step > 2) return true
    }
    return this.flusher.isDone
  }

  /** Dies at once: what it has not written is lost, and its lock is free. */
  die(): void {
    this.writer.close()
    this.reader.close()
    this.folder.release()
  }
}

/** A new folder for spools. */
export const newRoot = (): { readonly folder: string; readonly root: string; remove(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-spool-'))
  return { folder, root: join(folder, 'spool'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
