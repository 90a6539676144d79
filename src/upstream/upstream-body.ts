import { LATER, type ReadyStream, type Taken } from '../core/bodies/ready-stream.ts'
import type { Deadlines } from '../core/ports.ts'
import type { GatewayError } from '../errors/gateway-error.ts'
import type { Watchdog } from './watchdog.ts'

/** A body as its connection gives it. */
export interface BodySource extends ReadyStream {
  /** There is nothing left to be read. */
  readonly over: boolean
}

export interface UpstreamBodyOptions {
  readonly deadlines: Pick<Deadlines, 'idleMs'>
  readonly watchdog: Watchdog
  readonly explain: (thrown: unknown) => GatewayError
  /** Runs once, when nothing more will come. */
  readonly onEnd: () => void
}

/** The body of a provider's answer, pulled piece by piece. The idle deadline runs only while somebody waits for a piece. */
export class UpstreamBody implements ReadyStream {
  readonly #source: BodySource
  readonly #options: UpstreamBodyOptions
  #ended = false
  #isWaiting = false
  /** Why the call was given up. */
  #failure: GatewayError | undefined

  constructor(source: BodySource, options: UpstreamBodyOptions) {
    this.#source = source
    this.#options = options
  }

  take(): Taken {
    if (this.#failure !== undefined) throw this.#failure
    // Whoever waits when it is cancelled gets the error; who comes later is told that nothing is left.
    if (this.#ended && !this.#isWaiting) return undefined
    const piece = this.#next()
    if (piece === LATER) return LATER
    if (this.#isWaiting) {
      this.#isWaiting = false
      this.#options.watchdog.clear('idle')
    }
    // If it is the last, nothing can come too late any more.
    if (piece === undefined || this.#source.over) this.#end()
    return piece
  }

  whenReady(listener: () => void): void {
    if (!this.#isWaiting) {
      this.#isWaiting = true
      const { watchdog, deadlines } = this.#options
      watchdog.set('idle', deadlines.idleMs)
    }
    this.#source.whenReady(listener)
  }

  cancel(): void {
    if (this.#ended) return
    this.#end()
    this.#source.cancel()
  }

  /** The call is given up: whoever waits or comes to read, also for what is already here, gets the error. */
  fail(error: GatewayError): void {
    this.#failure ??= error
    this.cancel()
  }

  #next(): Taken {
    try {
      return this.#source.take()
    } catch (thrown) {
      this.#isWaiting = false
      // What failed may stand above the connection: a coding that cannot be read says nothing to the server that sends it.
      this.cancel()
      throw this.#options.explain(thrown)
    }
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#options.onEnd()
  }
}
