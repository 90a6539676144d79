/** Numbers that the thread of the calls and the worker of the spool both see, without a message. */
export class SharedState {
  readonly #words: Int32Array

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(20)) {
    this.#words = new Int32Array(buffer)
  }

  get buffer(): SharedArrayBuffer {
    return this.#words.buffer as SharedArrayBuffer
  }

  /** All frames before this place are whole. */
  written(offset: number): void {
    Atomics.store(this.#words, OFFSET, offset)
  }

  /** The segments before this one are complete. */
  enterSegment(segment: number): void {
    // In this order a reader never sees the offset of the old one with the new one.
    Atomics.store(this.#words, OFFSET, 0)
    Atomics.store(this.#words, SEGMENT, segment)
  }

  /** Segments that were made in memory so far: a reader that was not told of all of them must not go on. */
  get memorySegments(): number {
    return Atomics.load(this.#words, MEMORY_SEGMENTS)
  }

  addMemorySegment(): void {
    Atomics.add(this.#words, MEMORY_SEGMENTS, 1)
  }

  /** How far the writer is. */
  end(): { readonly segment: number; readonly offset: number } {
    for (;;) {
      const segment = Atomics.load(this.#words, SEGMENT)
      const offset = Atomics.load(this.#words, OFFSET)
      if (Atomics.load(this.#words, SEGMENT) === segment) return { segment, offset }
    }
  }

  /** What there is no room for. */
  get pressure(): Pressure {
    return Atomics.load(this.#words, PRESSURE) as Pressure
  }

  set pressure(pressure: Pressure) {
    Atomics.store(this.#words, PRESSURE, pressure)
  }

  /** The worker waits for a message before it looks again. */
  get isAsleep(): boolean {
    return Atomics.load(this.#words, ASLEEP) === 1
  }

  set isAsleep(isAsleep: boolean) {
    Atomics.store(this.#words, ASLEEP, isAsleep ? 1 : 0)
  }
}

/** 0: room for all. 1: none for bodies. 2: none for new calls. 3: none for anything. */
export type Pressure = 0 | 1 | 2 | 3

const SEGMENT = 0
const OFFSET = 1
const PRESSURE = 2
const ASLEEP = 3
const MEMORY_SEGMENTS = 4
