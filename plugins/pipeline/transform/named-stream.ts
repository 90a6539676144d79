import { type ReadyStream, readReady, type Taken } from '#kit'

/** A stream whose failures are told in the words of `name`. */
export class NamedStream implements ReadyStream {
  readonly #stream: ReadyStream
  readonly #name: (thrown: unknown) => unknown

  constructor(stream: ReadyStream, name: (thrown: unknown) => unknown) {
    this.#stream = stream
    this.#name = name
  }

  take(): Taken {
    try {
      return this.#stream.take()
    } catch (thrown) {
      throw this.#name(thrown)
    }
  }

  whenReady(listener: () => void): void {
    this.#stream.whenReady(listener)
  }

  read(): Promise<Uint8Array | undefined> {
    return readReady(this)
  }

  cancel(reason?: unknown): void {
    this.#stream.cancel(reason)
  }
}
