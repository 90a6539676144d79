import { type ByteStream, decodeFrame, SseFramer, UpstreamInvalid } from '#kit'
import { isWholeEvent } from './stream-data.ts'

const FRAME_END = new Uint8Array([0x0a, 0x0a])

/** The whole events that one piece of a stream completes. */
export interface Events {
  readonly frames: readonly Uint8Array[]
  /** True when the stream has ended with them. */
  readonly last: boolean
}

/** Reads a provider's stream by whole events, wherever the network cut it. */
export class EventReader {
  readonly #source: ByteStream
  readonly #framer = new SseFramer()

  constructor(source: ByteStream) {
    this.#source = source
  }

  /**
   * The next events. A piece may complete none.
   * @param read how to get the next piece; by default from the source.
   * @throws UpstreamInvalid for an event that outgrows the limit, and what the source throws.
   */
  async next(
    read: (source: ByteStream) => Promise<Uint8Array | undefined> = (source) => source.read(),
  ): Promise<Events> {
    const piece = await read(this.#source)
    if (piece === undefined) return { frames: this.#rest(), last: true }
    try {
      return { frames: this.#framer.push(piece), last: false }
    } catch (cause) {
      throw new UpstreamInvalid('The provider sent an event that is too large.', { cause })
    }
  }

  /** What came after the last empty line, if it was not cut: some servers forget that line after their last event. */
  #rest(): readonly Uint8Array[] {
    const rest = this.#framer.rest()
    if (!isWholeEvent(decodeFrame(rest)?.data)) return []
    const frame = new Uint8Array(rest.length + FRAME_END.length)
    frame.set(rest)
    frame.set(FRAME_END, rest.length)
    return [frame]
  }
}
