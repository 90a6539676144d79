import { encodeEvent, KEEP_ALIVE_COMMENT } from '../../core/bodies/sse.ts'

/** Most events, and bytes of them, that wait for a client that reads slowly. */
const MAX_WAITING = 1_000
const MAX_WAITING_BYTES = 1024 * 1024

/**
 * A client of the live tail: server-sent events that wait until it takes them. When too many do, further ones are left out,
 * and it is told how many.
 */
export class Listener {
  readonly stream: ReadableStream<Uint8Array>
  readonly #onLeave: () => void
  readonly #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #dropped = 0
  #isBlocked = false
  #isOver = false
  #controller: ReadableStreamDirectController | undefined

  /** @param onLeave called once: the client has left, or its stream has ended */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave
    // Written to as the pieces come: no queue but ours.
    this.stream = new ReadableStream<Uint8Array>({
      type: 'direct',
      pull: (controller) => this.#begin(controller),
      cancel: () => this.#leave(),
    })
  }

  send(data: unknown, event: string): void {
    if (this.#isOver) return
    this.#tellDropped()
    const bytes = encodeEvent(JSON.stringify(data), event)
    if (this.#hasRoom(bytes)) this.#add(bytes)
    else this.#dropped++
  }

  /** Keeps the connection awake, where nothing waits. */
  beat(): void {
    this.#tellDropped()
    if (this.#waiting.length === 0) this.#add(KEEP_ALIVE_COMMENT)
  }

  /** Ends the stream. A client that is behind is not waited for. */
  end(reason: string): void {
    if (this.#isOver) return
    this.#add(encodeEvent(JSON.stringify({ reason }), 'end'))
    this.#leave()
    this.#controller?.close()
  }

  /** A reader asks again for each piece that is not there yet; it gets what is written meanwhile. */
  #begin(controller: ReadableStreamDirectController): void {
    if (this.#controller !== undefined) return
    this.#controller = controller
    this.#send()
    if (this.#isOver) controller.close()
  }

  #hasRoom(bytes: Uint8Array): boolean {
    return this.#waiting.length < MAX_WAITING && this.#waitingBytes + bytes.length <= MAX_WAITING_BYTES
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return
    const bytes = encodeEvent(JSON.stringify({ dropped: this.#dropped }), 'dropped')
    if (!this.#hasRoom(bytes)) return
    this.#dropped = 0
    this.#add(bytes)
  }

  #add(bytes: Uint8Array): void {
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    this.#send()
  }

  #send(): void {
    if (this.#isBlocked || this.#controller === undefined) return
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#waitingBytes -= next.length
      const written = this.#controller.write(next)
      if (typeof written === 'number') continue
      this.#isBlocked = true
      written.then(this.#goOn, this.#goOn)
      return
    }
  }

  readonly #goOn = (): void => {
    this.#isBlocked = false
    if (!this.#isOver) this.#send()
  }

  #leave(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onLeave()
  }
}
