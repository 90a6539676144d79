import type { SocketListener, UpstreamSocket } from '../../core/ports.ts'
import { BINARY, CLOSE, encodeFrame, FrameError, FrameReader, PING, PONG, TEXT } from './frames.ts'

/** The connection below: bytes both ways. */
export interface Wire {
  /** @returns the number of bytes the system took, or -1 when it is closed */
  write(bytes: Uint8Array): number
  pause(): void
  resume(): void
  destroy(): void
}

/** Bytes of one message of a server. */
const MAX_MESSAGE_BYTES: number = 20 * 1024 * 1024
/** Messages that wait for a server that does not read: whoever sends is told to stop long before. */
const MAX_WAITING_BYTES: number = 64 * 1024 * 1024
/** Milliseconds the other side has for its part of the goodbye. */
const CLOSING_MS = 5_000

/** The connection was lost, without a goodbye. Never sent (RFC 6455, section 7.4.1). */
const LOST = 1006
/** A goodbye that says nothing. */
const NO_CODE = 1005
/** Codes that may be sent (section 7.4). */
const isSendable = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && code !== 1004 && code !== NO_CODE && code !== LOST) || (code >= 3000 && code <= 4999)

/** A mark at the beginning of a text is part of it. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A WebSocket on a connection whose server has agreed to it. */
export class WebSocketClient implements UpstreamSocket {
  readonly protocol: string | undefined
  readonly #wire: Wire
  readonly #reader = new FrameReader(MAX_MESSAGE_BYTES, (kind, payload) => this.#take(kind, payload))
  readonly #onEnd: () => void
  readonly #idle: ReturnType<typeof setInterval>
  #listener: SocketListener | undefined
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  /** Looks since something came. */
  #quietLooks = 0
  #closing: ReturnType<typeof setTimeout> | undefined
  #isPaused = false
  #isOver = false

  /**
   * @param idleMs silence after which the connection is lost; the server is asked for a sign of life before that
   * @param onEnd runs once
   */
  constructor(wire: Wire, protocol: string | undefined, idleMs: number, onEnd: () => void) {
    this.#wire = wire
    this.protocol = protocol
    this.#onEnd = onEnd
    this.#idle = setInterval(this.#lookForLife, Math.max(1, idleMs / 2)).unref()
  }

  listen(listener: SocketListener): void {
    this.#listener = listener
    this.resume()
  }

  send(message: string | Uint8Array): boolean {
    return this.#put(encodeFrame(typeof message === 'string' ? TEXT : BINARY, message))
  }

  close(code: number = NO_CODE, reason = ''): void {
    if (this.#isOver || this.#closing !== undefined) return
    const payload = isSendable(code) ? closePayload(code, reason) : new Uint8Array(0)
    this.#closing = setTimeout(() => this.#end(code, reason), CLOSING_MS).unref()
    this.#put(encodeFrame(CLOSE, payload))
    this.resume()
  }

  pause(): void {
    this.#isPaused = true
    this.#wire.pause()
  }

  resume(): void {
    this.#isPaused = false
    this.#wire.resume()
  }

  // What the connection tells.

  received(bytes: Uint8Array): void {
    this.#quietLooks = 0
    try {
      this.#reader.read(bytes)
      // Whoever got a message is done with it; left to the collector, thousands of them would gather.
      if (this.#reader.isEmpty && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0)
    } catch (thrown) {
      const code = thrown instanceof FrameError ? thrown.code : 1007
      this.#put(encodeFrame(CLOSE, closePayload(code, '')))
      this.#end(LOST, 'The provider broke the protocol.')
    }
  }

  drained(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    for (const bytes of waiting) this.#put(bytes)
    if (this.#waitingBytes === 0) this.#listener?.drained()
  }

  closed(): void {
    this.#end(LOST, 'The connection to the provider broke.')
  }

  #take(kind: number, payload: Uint8Array): void {
    if (this.#isOver) return
    if (kind === TEXT) this.#listener?.message(decoder.decode(payload))
    else if (kind === BINARY) this.#listener?.message(payload)
    else if (kind === PING) this.#put(encodeFrame(PONG, payload))
    else if (kind === CLOSE) {
      if (payload.length === 1) throw new FrameError(1002, 'half a close code')
      const code = payload.length === 0 ? NO_CODE : Buffer.from(payload).readUInt16BE(0)
      if (payload.length > 0 && !isSendable(code)) throw new FrameError(1002, 'a close code that may not be sent')
      if (this.#closing === undefined) this.#put(encodeFrame(CLOSE, payload.subarray(0, 2)))
      this.#end(code, decoder.decode(payload.subarray(2)))
    }
  }

  /** @returns false when the system is behind: `drained` tells when it is not any more */
  #put(frame: Uint8Array): boolean {
    if (this.#isOver) return true
    const written = this.#waiting.length > 0 ? 0 : Math.max(0, this.#wire.write(frame))
    if (written === frame.length) return true
    // Its bytes are gone with the next frame.
    this.#waiting.push(frame.slice(written))
    this.#waitingBytes += frame.length - written
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#end(LOST, 'The provider does not read.')
    return false
  }

  readonly #lookForLife = (): void => {
    // Nothing can come while nobody reads.
    if (this.#isPaused) return
    this.#quietLooks++
    if (this.#quietLooks === 1) this.#put(encodeFrame(PING, new Uint8Array(0)))
    else if (this.#quietLooks > 2) this.#end(LOST, 'The provider fell silent.')
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#idle)
    clearTimeout(this.#closing)
    this.#onEnd()
    this.#wire.destroy()
    this.#listener?.closed(code, reason)
  }
}

const closePayload = (code: number, reason: string): Uint8Array => {
  const text = Buffer.from(reason)
  // Cut between two characters: the other side takes no half ones.
  const kept = text.length <= MAX_REASON_BYTES ? text : Buffer.from(reason.slice(0, Math.floor(MAX_REASON_BYTES / 4)))
  const payload = Buffer.allocUnsafe(2 + kept.length)
  payload.writeUInt16BE(code, 0)
  payload.set(kept, 2)
  return payload
}

/** A control frame has room for 125 bytes, two of which are the code. */
const MAX_REASON_BYTES = 123
