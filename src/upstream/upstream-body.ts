import type { ByteStream } from '../core/answer.ts'
import { type GatewayError, IdleTimeout } from '../errors/gateway-error.ts'
import type { Watchdog } from './watchdog.ts'

export interface UpstreamBodyOptions {
  readonly idleMs: number
  readonly watchdog: Watchdog
  readonly explain: (thrown: unknown) => GatewayError
  /** Breaks the connection. */
  readonly giveUp: () => void
  /** Runs once, when nothing more will be read. */
  readonly onEnd: () => void
}

/** The body of a provider's answer, pulled piece by piece. The idle deadline runs only while somebody waits for a piece. */
export class UpstreamBody implements ByteStream {
  readonly #response: Response
  readonly #options: UpstreamBodyOptions
  #reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> } | undefined
  #ended = false

  constructor(response: Response, options: UpstreamBodyOptions) {
    this.#response = response
    this.#options = options
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined
    const { watchdog, idleMs, explain } = this.#options
    const { body } = this.#response
    if (body === null) return this.#end()
    this.#reader ??= body.getReader()
    watchdog.set(
      'idle',
      idleMs,
      () => new IdleTimeout(`The provider fell silent for ${idleMs} ms in the middle of its answer.`),
    )
    try {
      const { done, value } = await this.#reader.read()
      watchdog.clear('idle')
      return done ? this.#end() : value
    } catch (thrown) {
      this.#end()
      throw explain(thrown)
    }
  }

  cancel(): void {
    if (this.#ended) return
    this.#end()
    this.#options.giveUp()
  }

  #end(): undefined {
    if (!this.#ended) {
      this.#ended = true
      this.#options.onEnd()
    }
  }
}
