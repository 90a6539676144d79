import { type ByteStream, concat, isByteStream } from '#kit'
import type { Recovery } from './recovery.ts'
import { Echo } from './stream-echo.ts'
import { Rest } from './stream-rest.ts'
import type { SentAnswer } from './stream-sent.ts'

/**
 * A stream that the next target carries on when it breaks: from the text that was sent where that target can, else by a
 * new answer, if it begins with the same text. To the client it is one stream, of the first target.
 */
export class ContinuedStream implements ByteStream {
  readonly #recovery: Recovery
  readonly #sent: SentAnswer
  #source: ByteStream
  /** Absent for the stream of the first target, which passes as it is. */
  #rest: Rest | undefined
  #cancelled = false

  constructor(recovery: Recovery, source: ByteStream, sent: SentAnswer) {
    this.#recovery = recovery
    this.#source = source
    this.#sent = sent
    this.#mindSilence()
  }

  async read(): Promise<Uint8Array | undefined> {
    while (!this.#cancelled) {
      try {
        const piece = await this.#source.read()
        if (piece === undefined) return undefined
        const events = this.#rest?.push(piece) ?? [piece]
        if (events.length === 0) continue
        const bytes = concat(events)
        this.#sent.add(bytes)
        this.#mindSilence()
        return bytes
      } catch (thrown) {
        await this.#goOn(thrown)
      }
    }
    return undefined
  }

  cancel(reason?: unknown): void {
    this.#cancelled = true
    this.#source.cancel(reason)
  }

  /** A silence may be made up for, or takes nothing away any more. */
  #mindSilence(): void {
    this.#recovery.mindSilence(this.#sent.canGoOn || this.#sent.isFinished)
  }

  async #goOn(thrown: unknown): Promise<void> {
    if (this.#cancelled || !this.#sent.canGoOn) throw thrown
    const { call, nextTarget } = this.#recovery
    const { text, head } = this.#sent
    const before = call.usage
    const next = await nextTarget(thrown, text === '' ? undefined : text)
    const body = next?.answer.body
    if (next === undefined || body === undefined || !isByteStream(body)) throw thrown
    this.#source = body
    const { echo } = next
    this.#rest = new Rest({ head, before, echo: new Echo(echo ?? text, echo === undefined) })
    this.#mindSilence()
    if (this.#cancelled) this.#source.cancel()
  }
}
