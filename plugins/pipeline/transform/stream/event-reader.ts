import { decodeFrame, SseFramer, UpstreamInvalid } from '#kit'
import { readJson } from './stream-data.ts'

const FRAME_END = new Uint8Array([0x0a, 0x0a])

/** Cuts a provider's stream into whole events, wherever the network cut it. */
export class EventReader {
  readonly #framer: SseFramer

  /** @param maxEventBytes default: more than any text has */
  constructor(maxEventBytes?: number) {
    this.#framer = new SseFramer(maxEventBytes)
  }

  /**
   * The events that this piece completes.
   * @throws UpstreamInvalid for an event that outgrows the limit.
   */
  push(piece: Uint8Array): readonly Uint8Array[] {
    try {
      return this.#framer.push(piece)
    } catch (cause) {
      throw new UpstreamInvalid('The provider sent an event that is too large.', { cause })
    }
  }

  /** What came after the last empty line, if it was not cut: some servers forget that line after their last event. */
  rest(): readonly Uint8Array[] {
    const rest = this.#framer.rest()
    if (!isWholeEvent(decodeFrame(rest)?.data)) return []
    const frame = new Uint8Array(rest.length + FRAME_END.length)
    frame.set(rest)
    frame.set(FRAME_END, rest.length)
    return [frame]
  }
}

/** True for data that was not cut: JSON, or the end marker. */
const isWholeEvent = (data: string | undefined): boolean =>
  data !== undefined && (data.trim() === '[DONE]' || readJson(data) !== undefined)
