import { closeSync, constants, openSync } from 'node:fs'
import {
  type Bytes,
  FRAME,
  type FrameKind,
  frameBytes,
  HEADER_BYTES,
  MAX_SEGMENT_BYTES,
  positionOf,
  sealFrame,
  toBytes,
} from './frame.ts'
import { allocateSegment, segmentBytes, segmentPath, writeAll } from './segment-files.ts'
import type { SharedState } from './shared-state.ts'

/** Where rows are kept: in a file that is mapped into memory, in one that is written to, or in memory alone. */
export type SpoolMode = 'mapped' | 'written' | 'memory'

export interface SpoolWriterOptions {
  /** Absent: rows are kept in memory. */
  readonly folder: string | undefined
  readonly firstSegment: number
  readonly state: SharedState
  /** Bytes of rows that are kept in memory at most, where no disk takes them. */
  readonly memoryBytes: number
  /** Milliseconds that never step back. */
  readonly monotonicMs: () => number
  /** Maps a file; throws where that cannot be. */
  readonly map: (path: string) => Uint8Array
  /** The worker has to be told of a segment that is on no disk. */
  readonly onMemorySegment: (segment: number, buffer: SharedArrayBuffer) => void
  /** Hears of each change. `error` is why it is not a better one. */
  readonly onMode: (mode: SpoolMode, error: unknown) => void
  /** Something was written, and the worker sleeps. */
  readonly wake: () => void
}

interface Segment {
  readonly mode: SpoolMode
  readonly number: number
  readonly content: Bytes
  /** Descriptor of one that is written to. */
  readonly file: number | undefined
}

/** Segments that the worker was too slow to make are made here, small ones, since calls wait for it. */
const OWN_SEGMENT_BYTES: number = 1024 * 1024
const MEMORY_SEGMENT_BYTES: number = 4 * 1024 * 1024
/** While rows are in memory alone, the disk is tried this often. */
const RETRY_DISK_MS = 5_000

/** Rows by kind. */
export interface RowCounts {
  opened: number
  record: number
  bodies: number
  feedback: number
}

export const noRows = (): RowCounts => ({ opened: 0, record: 0, bodies: 0, feedback: 0 })

export const KIND_NAMES: Readonly<Record<FrameKind, keyof RowCounts>> = {
  [FRAME.opened]: 'opened',
  [FRAME.record]: 'record',
  [FRAME.bodies]: 'bodies',
  [FRAME.feedback]: 'feedback',
}

const encoder = new TextEncoder()

/** The writing end of a spool, on the thread of the calls: a row costs a copy and a checksum, and no question to the system. */
export class SpoolWriter {
  readonly #options: SpoolWriterOptions
  #segment: Segment | undefined
  #nextNumber: number
  #offset = 0
  #mode: SpoolMode | undefined
  #retryDiskAt = 0
  /** Segments in memory that the worker has not stored yet, with their bytes. */
  readonly #inMemory = new Map<number, SharedArrayBuffer>()
  readonly written: RowCounts = noRows()
  readonly dropped: RowCounts = noRows()

  constructor(options: SpoolWriterOptions) {
    this.#options = options
    this.#nextNumber = options.firstSegment
    options.state.enterSegment(options.firstSegment)
  }

  /** Where the next frame begins. */
  get position(): number {
    return positionOf(this.#segment?.number ?? this.#nextNumber, this.#offset)
  }

  /** Absent until something was written. */
  get mode(): SpoolMode | undefined {
    return this.#mode
  }

  /** Segments that a worker which starts anew must be told of. */
  get memorySegments(): ReadonlyMap<number, SharedArrayBuffer> {
    return this.#inMemory
  }

  /** @returns false where there was no room: it is counted */
  append(kind: FrameKind, text: string): boolean {
    const room =
      this.#room(text.length * 3) ?? this.#room(Buffer.byteLength(text)) ?? this.#enter(Buffer.byteLength(text))
    if (room === undefined || this.#options.state.pressure === 3) return this.#drop(kind)
    const { written } = encoder.encodeInto(text, room)
    return this.#seal(kind, written)
  }

  /** A frame of its own form: length of the head in four bytes, the head, the bytes. @returns as `append` */
  appendBytes(kind: FrameKind, head: string, bytes: Uint8Array): boolean {
    if (this.#options.state.pressure > 0) return this.#drop(kind)
    const most = 4 + head.length * 3 + bytes.length
    const room = this.#room(most) ?? this.#enter(most)
    if (room === undefined) return this.#drop(kind)
    const { written } = encoder.encodeInto(head, room.subarray(4))
    room[0] = written & 255
    room[1] = (written >>> 8) & 255
    room[2] = (written >>> 16) & 255
    room[3] = written >>> 24
    room.set(bytes, 4 + written)
    return this.#seal(kind, 4 + written + bytes.length)
  }

  /** The worker has stored all of a segment that is in memory. */
  release(segment: number): void {
    this.#inMemory.delete(segment)
  }

  close(): void {
    this.#leave()
  }

  /** Where a payload of at most so many bytes can be put, in the segment that is open. */
  #room(payloadBytes: number): Uint8Array | undefined {
    const segment = this.#segment
    if (segment === undefined) return undefined
    if (this.#offset + frameBytes(payloadBytes) > segment.content.bytes.length) return undefined
    if (segment.mode === 'memory' && this.#options.folder !== undefined && this.#isTimeToRetry()) return undefined
    return segment.content.bytes.subarray(this.#offset + HEADER_BYTES)
  }

  #isTimeToRetry(): boolean {
    return this.#options.monotonicMs() >= this.#retryDiskAt
  }

  #seal(kind: FrameKind, payloadBytes: number): boolean {
    const segment = this.#segment as Segment
    const from = this.#offset
    const end = sealFrame(segment.content, segment.number, from, kind, payloadBytes)
    if (segment.file !== undefined) {
      try {
        writeAll(segment.file, segment.content.bytes.subarray(from, end), from)
      } catch (thrown) {
        return this.#writeElsewhere(
          kind,
          segment.content.bytes.slice(from + HEADER_BYTES, from + HEADER_BYTES + payloadBytes),
          thrown,
        )
      }
    }
    this.#offset = end
    this.written[KIND_NAMES[kind]]++
    const { state, wake } = this.#options
    state.written(end)
    if (state.isAsleep) wake()
    return true
  }

  /** The disk does not take it. What was written of it has no checksum, or is written again: ids tell. */
  #writeElsewhere(kind: FrameKind, payload: Uint8Array, thrown: unknown): boolean {
    this.#leave()
    const room = this.#enterMemory(payload.length, thrown)
    if (room === undefined) return this.#drop(kind)
    room.set(payload)
    return this.#seal(kind, payload.length)
  }

  /** Opens the next segment, for a payload of at most so many bytes. */
  #enter(payloadBytes: number): Uint8Array | undefined {
    if (frameBytes(payloadBytes) > MAX_SEGMENT_BYTES) return undefined
    const { folder, state } = this.#options
    if (state.pressure === 3) return undefined
    let problem: unknown
    if (folder !== undefined && this.#isTimeToRetry()) {
      try {
        return this.#enterFile(folder, payloadBytes)
      } catch (thrown) {
        problem = thrown
        this.#retryDiskAt = this.#options.monotonicMs() + RETRY_DISK_MS
      }
    }
    // One in memory may have room still.
    return this.#room(payloadBytes) ?? this.#enterMemory(payloadBytes, problem)
  }

  #enterFile(folder: string, payloadBytes: number): Uint8Array {
    const needed = frameBytes(payloadBytes)
    let number = this.#nextNumber
    let length = segmentBytes(folder, number)
    if (length === 0) {
      allocateSegment(folder, number, Math.max(OWN_SEGMENT_BYTES, needed))
      length = segmentBytes(folder, number)
    }
    if (length < needed) {
      // Too small for this one: the next is made to measure, unless the worker was there before.
      allocateSegment(folder, ++number, MAX_SEGMENT_BYTES)
    }
    const path = segmentPath(folder, number)
    try {
      return this.#begin(
        { mode: 'mapped', number, content: toBytes(this.#options.map(path)), file: undefined },
        undefined,
      )
    } catch (thrown) {
      const file = openSync(path, constants.O_WRONLY)
      const content = toBytes(new Uint8Array(segmentBytes(folder, number)))
      return this.#begin({ mode: 'written', number, content, file }, thrown)
    }
  }

  #enterMemory(payloadBytes: number, problem: unknown): Uint8Array | undefined {
    const bytes = Math.max(MEMORY_SEGMENT_BYTES, frameBytes(payloadBytes))
    let taken = bytes
    for (const each of this.#inMemory.values()) taken += each.byteLength
    if (taken > this.#options.memoryBytes) return undefined
    let number = this.#nextNumber
    // Files that could not be opened keep their numbers.
    while (this.#isOnDisk(number)) number++
    const buffer = new SharedArrayBuffer(bytes)
    this.#inMemory.set(number, buffer)
    this.#options.state.addMemorySegment()
    this.#options.onMemorySegment(number, buffer)
    return this.#begin({ mode: 'memory', number, content: toBytes(new Uint8Array(buffer)), file: undefined }, problem)
  }

  #isOnDisk(number: number): boolean {
    const { folder } = this.#options
    try {
      return folder !== undefined && segmentBytes(folder, number) > 0
    } catch {
      return false
    }
  }

  #begin(segment: Segment, problem: unknown): Uint8Array {
    this.#leave()
    this.#segment = segment
    this.#nextNumber = segment.number + 1
    this.#offset = 0
    this.#options.state.enterSegment(segment.number)
    if (segment.mode !== this.#mode) {
      this.#mode = segment.mode
      this.#options.onMode(segment.mode, problem)
    }
    return segment.content.bytes.subarray(HEADER_BYTES)
  }

  #leave(): void {
    const segment = this.#segment
    this.#segment = undefined
    if (segment?.file !== undefined) closeSync(segment.file)
    // Gives the memory back now: a file that was removed takes its room on the disk until then.
    if (segment?.mode === 'mapped') (segment.content.bytes.buffer as ArrayBuffer).transfer(0)
  }

  #drop(kind: FrameKind): false {
    this.dropped[KIND_NAMES[kind]]++
    return false
  }
}
