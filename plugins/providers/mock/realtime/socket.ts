import { createHash } from 'node:crypto'
import type { Duplex } from 'node:stream'

/** Kinds of frames (RFC 6455, section 5.2). */
const TEXT = 0x1
const BINARY = 0x2
const CLOSE = 0x8
const PING = 0x9
const PONG = 0xa
const CONTROL = 0x8
const LAST = 0x80

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const NO_CODE = 1005

/** The head of an answer that agrees to a WebSocket (section 4.2.2). */
export const agreement = (key: string, protocol: string | undefined): string => {
  const accept = createHash('sha1').update(`${key}${GUID}`).digest('base64')
  const chosen = protocol === undefined ? '' : `sec-websocket-protocol: ${protocol}\r\n`
  return `HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-accept: ${accept}\r\n${chosen}\r\n`
}

export interface MockSocketListener {
  message(text: string): void
  closed(): void
}

/** The server's end of a WebSocket. It takes frames as they come, and answers pings and goodbyes by itself. */
export class MockSocket {
  readonly #stream: Duplex
  readonly #listener: MockSocketListener
  #held: Buffer = Buffer.alloc(0)
  #message: Buffer[] = []
  #isOver = false

  constructor(stream: Duplex, listener: MockSocketListener) {
    this.#stream = stream
    this.#listener = listener
    stream.on('data', (bytes: Buffer) => this.received(bytes))
    stream.once('close', () => this.#end())
    stream.on('error', () => stream.destroy())
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** @returns false when the client is behind */
  send(text: string): boolean {
    return this.#isOver || this.#write(TEXT, Buffer.from(text))
  }

  /** Calls back once the client has read, or is gone. */
  drained(listener: () => void): void {
    this.#stream.once('drain', listener)
    this.#stream.once('close', listener)
  }

  close(code: number, reason: string): void {
    const payload = Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)])
    this.#write(CLOSE, payload)
    this.#stream.end()
    this.#end()
  }

  /** Breaks the connection without a goodbye. */
  destroy(): void {
    this.#stream.destroy()
    this.#end()
  }

  received(bytes: Buffer): void {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes])
    for (let taken = this.#take(); taken > 0 && !this.#isOver; taken = this.#take()) {
      this.#held = this.#held.subarray(taken)
    }
  }

  /** @returns the length of the frame in front; 0 while it is not whole */
  #take(): number {
    const held = this.#held
    if (held.length < 2) return 0
    const short = held.readUInt8(1) & 0x7f
    const maskAt = short < 126 ? 2 : short === 126 ? 4 : 10
    if (held.length < maskAt + 4) return 0
    const length = short < 126 ? short : short === 126 ? held.readUInt16BE(2) : Number(held.readBigUInt64BE(2))
    const at = maskAt + 4
    if (held.length < at + length) return 0
    const mask = held.subarray(maskAt, at)
    const payload = held.subarray(at, at + length).map((byte, index) => byte ^ (mask[index & 3] ?? 0))
    this.#frame(held.readUInt8(0), Buffer.from(payload))
    return at + length
  }

  #frame(first: number, payload: Buffer): void {
    const kind = first & 0x0f
    if (kind === PING) this.#write(PONG, payload)
    if (kind === CLOSE) {
      const code = payload.length < 2 ? NO_CODE : payload.readUInt16BE(0)
      this.#write(CLOSE, code === NO_CODE ? Buffer.alloc(0) : payload.subarray(0, 2))
      this.#stream.end()
      this.#end()
    }
    if (kind >= CONTROL) return
    this.#message.push(payload)
    if ((first & LAST) === 0) return
    const whole = Buffer.concat(this.#message)
    this.#message = []
    if (kind !== BINARY) this.#listener.message(whole.toString())
  }

  #write(kind: number, payload: Buffer): boolean {
    const { length } = payload
    const head = length < 126 ? Buffer.alloc(2) : Buffer.alloc(length <= 0xffff ? 4 : 10)
    head[0] = LAST | kind
    head[1] = length < 126 ? length : length <= 0xffff ? 126 : 127
    if (head.length === 4) head.writeUInt16BE(length, 2)
    if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2)
    return this.#stream.write(Buffer.concat([head, payload]))
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#listener.closed()
  }
}
