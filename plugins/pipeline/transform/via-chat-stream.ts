import { decodeFrame, eventText, isRecord, type PipeMachine, type PipeOut } from '#kit'
import type { AdapterContext } from '#kit/provider'
import { EventReader } from './event-reader.ts'
import { readJson } from './stream-data.ts'
import { toTextChunk } from './via-chat-answer.ts'

const encoder = new TextEncoder()
const DONE = eventText('[DONE]')

/**
 * Makes the stream of a chat that of a text completion, event by event. Whether it came to a proper end, what it used and what
 * it failed with is told by the stream it reads from.
 */
export class ViaChatMachine implements PipeMachine {
  readonly #events = new EventReader()
  readonly #context: AdapterContext

  constructor(context: AdapterContext) {
    this.#context = context
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
    if (data?.trim() === '[DONE]') return DONE
    const chunk = readJson(data)
    const text = isRecord(chunk) ? toTextChunk(chunk, this.#context) : undefined
    return text === undefined ? '' : eventText(JSON.stringify(text))
  }
}
