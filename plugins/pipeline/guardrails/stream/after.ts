import type { StreamTexts } from '#core/guardrails'
import { fromPieces, type PipeMachine, type PipeOut, SseFramer } from '#kit'
import type { CollectedTexts } from './collected-texts.ts'
import { StreamReader } from './stream-reader.ts'

export interface AfterOptions {
  readonly texts: StreamTexts
  readonly collected: CollectedTexts
  /** All texts are in. @returns what is written behind the last event */
  end(): string | Promise<string>
}

const encoder = new TextEncoder()

/** Reads the texts of a stream, which goes out as it comes. Never in the way: what cannot be read is not looked at. */
export class AfterMachine implements PipeMachine {
  readonly #options: AfterOptions
  readonly #framer = new SseFramer()
  readonly #reader: StreamReader
  #isReadable = true
  #isEnded = false

  constructor(options: AfterOptions) {
    this.#options = options
    this.#reader = new StreamReader(options.texts)
  }

  push(piece: Uint8Array, out: PipeOut): void {
    out.write(piece)
    if (this.#isReadable && !this.#options.collected.isTooLong) this.#read(piece)
  }

  end(out: PipeOut): void {
    if (this.#isEnded) return
    this.#isEnded = true
    const last = this.#options.end()
    if (typeof last === 'string') out.write(encoder.encode(last))
    else out.readFrom(last.then((text) => fromPieces([encoder.encode(text)])))
  }

  #read(piece: Uint8Array): void {
    const { collected } = this.#options
    try {
      for (const frame of this.#framer.push(piece)) {
        for (const each of this.#reader.read(frame)?.pieces ?? []) {
          // What says a text again adds nothing, unless it is the first to say it.
          if (each.isWhole !== true || collected.of(each.track) === '') collected.add(each.track, each.kind, each.text)
        }
      }
    } catch {
      this.#isReadable = false
    }
  }
}
