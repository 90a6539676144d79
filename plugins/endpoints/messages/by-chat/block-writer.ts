import type { MessagesBlock } from '#kit/provider'
import { eventOf } from '../events.ts'
import type { Fields } from './values.ts'

/** Writes the events of a stream, one block after the other. */
export class BlockWriter {
  #out = ''
  /** Index of the block that is open, or of the next one. */
  #index = 0
  #isOpen = false

  write(type: string, fields: Fields): void {
    this.#out += eventOf(type, { type, ...fields })
  }

  /** @param block as it begins: with nothing in it */
  begin(block: MessagesBlock): void {
    this.close()
    this.#isOpen = true
    this.write('content_block_start', { index: this.#index, content_block: block })
  }

  grow(delta: Fields): void {
    this.write('content_block_delta', { index: this.#index, delta })
  }

  /** A piece of text, as nearly all events are: written without an object for it. */
  text(type: string, field: string, text: string): void {
    this.#out += `event: content_block_delta\ndata: {"type":"content_block_delta","index":${this.#index},"delta":{"type":"${type}","${field}":${JSON.stringify(text)}}}\n\n`
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.write('content_block_stop', { index: this.#index++ })
  }

  /** A block that comes in one piece. */
  whole(block: MessagesBlock): void {
    this.begin(block)
    this.close()
  }

  /** What was written since the last time. */
  taken(): string {
    const text = this.#out
    this.#out = ''
    return text
  }
}
