import { decodeFrame, isRecord, type PipeMachine, type PipeOut } from '#kit'
import type { BridgeStream } from '#kit/provider'
import { EventReader } from './event-reader.ts'
import { readJson } from './stream-data.ts'

const encoder = new TextEncoder()

/**
 * Makes a stream of chunks one in the form that its client speaks, event by event. Whether it came to a proper end, what it used and what
 * it failed with is told by the stream it reads from.
 */
export class BridgedMachine implements PipeMachine {
  readonly #events = new EventReader()
  readonly #bridge: BridgeStream

  constructor(bridge: BridgeStream) {
    this.#bridge = bridge
  }

  push(piece: Uint8Array, out: PipeOut): void {
    this.#write(this.#events.push(piece), out)
  }

  end(out: PipeOut): void {
    this.#write(this.#events.rest(), out)
  }

  #write(frames: readonly Uint8Array[], out: PipeOut): void {
    let text = ''
    for (const frame of frames) text += this.#translated(frame)
    if (text !== '') out.write(encoder.encode(text))
  }

  /** Comments and events without a meaning are left out. */
  #translated(frame: Uint8Array): string {
    const data = decodeFrame(frame)?.data
    if (data?.trim() === '[DONE]') return this.#bridge.end()
    const chunk = readJson(data)
    return isRecord(chunk) ? this.#bridge.push(chunk) : ''
  }
}
