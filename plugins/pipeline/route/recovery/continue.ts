import { concat } from '#core/bodies/answer'
import { isReadyStream, type PipeMachine, type PipeOut, type ReadyStream } from '#kit'
import type { Recovery } from './recovery.ts'
import { Echo, Rest } from './rest.ts'
import type { SentAnswer } from './sent.ts'

/**
 * Lets the next target carry a stream on when it breaks: from the text that was sent where that target can, else by a new
 * answer, if it begins with the same text. To the client it is one stream, of the first target.
 */
export class Continuation implements PipeMachine {
  readonly #recovery: Recovery
  readonly #sent: SentAnswer
  /** Absent for the stream of the first target, which passes as it is. */
  #rest: Rest | undefined

  constructor(recovery: Recovery, sent: SentAnswer) {
    this.#recovery = recovery
    this.#sent = sent
    this.#mindSilence()
  }

  push(piece: Uint8Array, out: PipeOut): void {
    let bytes: Uint8Array | undefined
    try {
      bytes = this.#fitted(piece)
    } catch (thrown) {
      this.fail(thrown, out)
    }
    if (bytes === undefined) return
    out.write(bytes)
    this.#sent.add(bytes)
    this.#mindSilence()
  }

  fail(thrown: unknown, out: PipeOut): void {
    if (!this.#sent.canGoOn) throw thrown
    out.readFrom(this.#goOn(thrown))
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

  async #goOn(thrown: unknown): Promise<ReadyStream> {
    const { call, nextTarget } = this.#recovery
    const { text, head } = this.#sent
    const before = call.usage
    const next = await nextTarget(thrown, text === '' ? undefined : text)
    const body = next?.answer.body
    if (next === undefined || body === undefined || !isReadyStream(body)) throw thrown
    const { echo } = next
    this.#rest = new Rest({ head, before, echo: new Echo(echo ?? text, echo === undefined) })
    this.#mindSilence()
    return body
  }
}
