import { concat } from '#core/answer'
import { type ByteStream, isByteStream, LATER, type ReadyStream, readReady, readyStream, type Taken } from '#kit'
import type { Recovery } from './recovery.ts'
import { Echo } from './stream-echo.ts'
import { Rest } from './stream-rest.ts'
import type { SentAnswer } from './stream-sent.ts'

/**
 * A stream that the next target carries on when it breaks: from the text that was sent where that target can, else by a
 * new answer, if it begins with the same text. To the client it is one stream, of the first target.
 */
export class ContinuedStream implements ReadyStream {
  readonly #recovery: Recovery
  readonly #sent: SentAnswer
  #source: ReadyStream
  /** Absent for the stream of the first target, which passes as it is. */
  #rest: Rest | undefined
  /** The next target is asked: who waits meanwhile hears of it here. */
  #isTakenOver = false
  #listener: (() => void) | undefined
  /** Nobody could take over. */
  #failure: { readonly thrown: unknown } | undefined
  #cancelled = false

  constructor(recovery: Recovery, source: ByteStream, sent: SentAnswer) {
    this.#recovery = recovery
    this.#source = readyStream(source)
    this.#sent = sent
    this.#mindSilence()
  }

  take(): Taken {
    if (this.#failure !== undefined) throw this.#failure.thrown
    while (!this.#cancelled) {
      if (this.#isTakenOver) return LATER
      try {
        const piece = this.#source.take()
        if (piece === LATER || piece === undefined) return piece
        const bytes = this.#fitted(piece)
        if (bytes === undefined) continue
        this.#sent.add(bytes)
        this.#mindSilence()
        return bytes
      } catch (thrown) {
        this.#begin(thrown)
      }
    }
    return undefined
  }

  whenReady(listener: () => void): void {
    if (this.#isTakenOver) this.#listener = listener
    else this.#source.whenReady(listener)
  }

  read(): Promise<Uint8Array | undefined> {
    return readReady(this)
  }

  cancel(reason?: unknown): void {
    this.#cancelled = true
    this.#source.cancel(reason)
  }

  /** The piece as a part of the first answer; nothing when it says nothing new. */
  #fitted(piece: Uint8Array): Uint8Array | undefined {
    if (this.#rest === undefined) return piece
    const events = this.#rest.push(piece)
    return events.length === 0 ? undefined : concat(events)
  }

  /** A silence may be made up for, or takes nothing away any more. */
  #mindSilence(): void {
    this.#recovery.mindSilence(this.#sent.canGoOn || this.#sent.isFinished)
  }

  /** @throws `thrown` where nothing can go on */
  #begin(thrown: unknown): void {
    if (!this.#sent.canGoOn) {
      this.#failure = { thrown }
      throw thrown
    }
    this.#isTakenOver = true
    this.#goOn(thrown)
      .catch((failed: unknown) => {
        this.#failure = { thrown: failed }
      })
      .finally(() => {
        this.#isTakenOver = false
        const listener = this.#listener
        this.#listener = undefined
        listener?.()
      })
  }

  async #goOn(thrown: unknown): Promise<void> {
    const { call, nextTarget } = this.#recovery
    const { text, head } = this.#sent
    const before = call.usage
    const next = await nextTarget(thrown, text === '' ? undefined : text)
    const body = next?.answer.body
    if (next === undefined || body === undefined || !isByteStream(body)) throw thrown
    this.#source = readyStream(body)
    const { echo } = next
    this.#rest = new Rest({ head, before, echo: new Echo(echo ?? text, echo === undefined) })
    this.#mindSilence()
    if (this.#cancelled) this.#source.cancel()
  }
}
