import { fromPieces, LATER, type ReadyStream, ready, type Taken } from './ready-stream.ts'

/** What a pipe does to the pieces that go through it. What it throws fails the stream, once all that it wrote before is taken. */
export interface PipeMachine {
  /** A piece of the source: writes any number, or holds back. */
  push(piece: Uint8Array, out: PipeOut): void
  /** The source has come to its proper end: writes what is owed, or goes on from another source, whose end is told again. */
  end?(out: PipeOut): void
  /** The source failed. Throws what the stream fails with; else it ends properly, or goes on from another source. */
  fail?(thrown: unknown, out: PipeOut): void
}

/** The other end of a pipe, as its machine sees it. */
export interface PipeOut {
  write(piece: Uint8Array): void
  /**
   * Nothing follows. The end of the source is read along, so that its connection can be used again.
   * @returns false where it is not here yet: a source that takes too long is to be given up
   */
  close(): boolean
  /** Gives the source up: what follows is its end, or the failure. Whoever waits hears of it. */
  giveUp(thrown?: unknown): void
  /** What follows is read from here. */
  readFrom(source: ReadyStream | Promise<ReadyStream>): void
}

const PASS: PipeMachine = { push: (piece, out) => out.write(piece) }

const NOTHING = fromPieces([])

/** A stream over a stream. Nothing is read before it is asked for, and no promise is made. */
export class Pipe implements ReadyStream, PipeOut {
  readonly #machine: PipeMachine
  /** What is written and not taken yet: nearly always one piece. */
  #next: Uint8Array | undefined
  readonly #more: Uint8Array[] = []
  /** Absent while it is waited for. */
  #source: ReadyStream | undefined
  #listener: (() => void) | undefined
  #failure: { readonly thrown: unknown } | undefined
  #isOver = false

  constructor(source: ReadyStream | Promise<ReadyStream>, machine = PASS) {
    this.#machine = machine
    this.readFrom(source)
  }

  take(): Taken {
    while (!this.#hasNews()) if (!this.#step()) return LATER
    const piece = this.#next
    this.#next = this.#more.length === 0 ? undefined : this.#more.shift()
    return piece
  }

  whenReady(listener: () => void): void {
    this.#listener = listener
    this.#source?.whenReady(this.wake)
  }

  cancel(): void {
    this.#isOver = true
    this.#next = undefined
    this.#more.length = 0
    this.#source?.cancel()
  }

  /** Reads until there is something to take. @throws what the stream fails with before */
  async begin(): Promise<void> {
    while (!this.#hasNews()) {
      if (!this.#step()) await ready(this)
    }
  }

  write(piece: Uint8Array): void {
    if (this.#next === undefined) this.#next = piece
    else this.#more.push(piece)
    // Nobody else tells that there is something, until the source is here.
    if (this.#source === undefined) this.wake()
  }

  close(): boolean {
    this.#isOver = true
    const source = this.#source
    if (source === undefined) return true
    const isHere = hasEnded(source)
    if (isHere) source.cancel()
    else {
      source.whenReady(() => {
        hasEnded(source)
        source.cancel()
      })
    }
    return isHere
  }

  giveUp(thrown?: unknown): void {
    const source = this.#source
    this.#source = NOTHING
    if (thrown !== undefined) this.#failure = { thrown }
    source?.cancel()
    this.wake()
  }

  /** Lets whoever waits look again. */
  readonly wake = (): void => {
    const listener = this.#listener
    this.#listener = undefined
    listener?.()
  }

  readFrom(source: ReadyStream | Promise<ReadyStream>): void {
    if (!(source instanceof Promise)) {
      this.#source = source
      return
    }
    this.#source = undefined
    source.then(
      (found) => this.#go(found),
      (thrown: unknown) => {
        if (this.#isAwaited) this.#failure = { thrown }
        this.wake()
      },
    )
  }

  /** Whether the source is still waited for. */
  get #isAwaited(): boolean {
    return this.#source === undefined && !this.#isOver
  }

  #go(source: ReadyStream): void {
    if (this.#isAwaited) this.#source = source
    else source.cancel()
    this.wake()
  }

  /** Whether there is a piece to take, or the end. @throws what the stream failed with */
  #hasNews(): boolean {
    if (this.#next !== undefined) return true
    if (this.#failure !== undefined) throw this.#failure.thrown
    return this.#isOver
  }

  /** Moves one piece on. @returns false when none is here */
  #step(): boolean {
    const source = this.#source
    if (source === undefined) return false
    try {
      const piece = this.#taken(source)
      if (piece === LATER) return false
      if (piece !== undefined) this.#machine.push(piece, this)
      // A source that failed may have been replaced.
      else if (this.#source === source) this.#end()
    } catch (thrown) {
      this.#failure = { thrown }
    }
    return true
  }

  #taken(source: ReadyStream): Taken {
    try {
      return source.take()
    } catch (thrown) {
      if (this.#machine.fail === undefined) throw thrown
      this.#machine.fail(thrown, this)
      return undefined
    }
  }

  #end(): void {
    const source = this.#source
    this.#machine.end?.(this)
    // What is owed may have to be waited for.
    if (this.#source === source) this.#isOver = true
  }
}

/** Whether the end of a source, or anything else, is here: what comes after a whole answer does not matter. */
const hasEnded = (source: ReadyStream): boolean => {
  try {
    return source.take() !== LATER
  } catch {
    return true
  }
}
