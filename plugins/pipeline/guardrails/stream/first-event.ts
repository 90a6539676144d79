import { decodeFrame, encodeEvent, isRecord, type PipeMachine, type PipeOut, parseJson, SseFramer } from '#kit'

/** Writes fields into the first event of a stream. The rest goes on as it came. */
export class FirstEventMachine implements PipeMachine {
  readonly #fields: object
  /** Absent once they are written. */
  #framer: SseFramer | undefined = new SseFramer()

  constructor(fields: object) {
    this.#fields = fields
  }

  push(piece: Uint8Array, out: PipeOut): void {
    const framer = this.#framer
    if (framer === undefined) {
      out.write(piece)
      return
    }
    for (const frame of framer.push(piece)) out.write(this.#framer === undefined ? frame : this.#withFields(frame))
    if (this.#framer === undefined && framer.rest().length > 0) out.write(framer.rest())
  }

  end(out: PipeOut): void {
    const rest = this.#framer?.rest()
    if (rest !== undefined && rest.length > 0) out.write(rest)
  }

  #withFields(frame: Uint8Array): Uint8Array {
    const event = decodeFrame(frame)
    const said = event && readJson(event.data)
    if (!isRecord(said)) return frame
    this.#framer = undefined
    return encodeEvent(JSON.stringify({ ...said, ...this.#fields }), event?.event)
  }
}

const readJson = (data: string): unknown => {
  try {
    return parseJson(data)
  } catch {
    return undefined
  }
}
