import type { ByteStream } from '../core/answer.ts'
import { type GatewayError, IdleTimeout } from '../errors/gateway-error.ts'
import type { Watchdog } from './watchdog.ts'

/** A body as its connection gives it. */
export interface BodySource extends ByteStream {
  /** A piece that is already here. */
  take(): Uint8Array | undefined
  /** There is nothing left to be read. */
  readonly over: boolean
}

export interface UpstreamBodyOptions {
  readonly idleMs: number
  readonly watchdog: Watchdog
  readonly explain: (thrown: unknown) => GatewayError
  /** Runs once, when nothing more will come. */
  readonly onEnd: () => void
}

/** The body of a provider's answer, pulled piece by piece. The idle deadline runs only while somebody waits for a piece. */
export class UpstreamBody implements ByteStream {
  readonly #source: BodySource
  readonly #options: UpstreamBodyOptions
  #ended = false
  /** Why the call was given up. */
  #failure: GatewayError | undefined

  constructor(source: BodySource, options: UpstreamBodyOptions) {
    this.#source = source
    this.#options = options
  }

  read(): Promise<Uint8Array | undefined> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const piece = this.#source.take()
    // What is here is given without a wait; and if it is the last, nothing can come too late any more.
    if (this.#source.over) this.#end()
    if (piece !== undefined || this.#ended) return Promise.resolve(piece)
    return this.#wait()
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

  async #wait(): Promise<Uint8Array | undefined> {
    const { watchdog, idleMs, explain } = this.#options
    watchdog.set('idle', idleMs, this.#silent)
    try {
      const piece = await this.#source.read()
      watchdog.clear('idle')
      if (this.#failure !== undefined) throw this.#failure
      if (piece === undefined || this.#source.over) this.#end()
      return piece
    } catch (thrown) {
      this.#end()
      throw explain(thrown)
    }
  }

  readonly #silent = (): IdleTimeout =>
    new IdleTimeout(`The provider fell silent for ${this.#options.idleMs} ms in the middle of its answer.`)

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#options.onEnd()
  }
}
