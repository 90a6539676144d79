import { Exchange } from './exchange.ts'
import type { WireRequest } from './request-head.ts'
import { RequestWriter } from './request-writer.ts'
import { abandoned, codeOf, cutOff, WireError } from './wire-error.ts'

/** Where a connection leads. Whoever shares it shares all of this. */
export interface Peer {
  readonly key: string
  /** An address, never a name: it was checked before. */
  readonly address: string
  readonly port: number
  readonly secure: boolean
  /** The name that TLS asks for and verifies; without one it is the address. */
  readonly serverName: string | undefined
}

/** Told what becomes of a connection. */
export interface Owner {
  /** It may serve the next request. */
  idle(connection: Connection): void
  /** The call that it was dialled for has given up, and it could not be closed yet. */
  orphaned(connection: Connection): void
  /** Bytes came on it that no request had asked for. It is closed next. */
  outOfStep(connection: Connection): void
  /** It is no more. */
  gone(connection: Connection): void
}

/** What goes on over a connection that was taken over. */
export interface Tunnel {
  received(bytes: Uint8Array): void
  drained(): void
  closed(): void
}

/** One connection: it carries one exchange after the other. */
export class Connection {
  readonly peer: Peer
  /** Settles once it stands and, with TLS, once the server is known to be the right one. */
  readonly connected: Promise<void>
  readonly #owner: Owner
  /** Until then. */
  #dial: PromiseWithResolvers<void> | undefined
  #socket: Bun.Socket<Connection> | undefined
  #writer: RequestWriter | undefined
  #exchange: Exchange | undefined
  #tunnel: Tunnel | undefined
  #paused = false
  #closed = false
  /** Whoever wanted it has given up before it stood. */
  #orphan = false

  /** Since when it is idle, by the owner's clock, and how long it may be. */
  idleSinceMs = 0
  idleLimitMs: number = Number.POSITIVE_INFINITY
  /** How often the network must have been looked at before it may be used, by the owner's count. */
  usableAfter = 0

  constructor(peer: Peer, owner: Owner) {
    this.peer = peer
    this.#owner = owner
    this.#dial = Promise.withResolvers()
    this.connected = this.#dial.promise
  }

  /** Requests may be sent. */
  get alive(): boolean {
    return !this.#closed && this.#socket?.readyState === 1
  }

  /** Sends a request. One at a time: the end of the answer's body, or a failure, ends the exchange. */
  send(request: WireRequest): Exchange {
    const exchange = new Exchange(request, this)
    this.#exchange = exchange
    this.#socket?.ref()
    exchange.unsent = this.#writer?.write(request) !== true
    // A socket that was closed already does not tell so again.
    if (!this.alive) this.destroy(cutOff())
    return exchange
  }

  /** Gives it back unused. */
  release(): void {
    if (this.alive) this.#rest()
  }

  /** Its bytes are those of another protocol from now on, as the server has agreed. Nothing is read before `resume`. */
  takeOver(tunnel: Tunnel): void {
    this.#tunnel = tunnel
  }

  /** For who took it over. @returns the number of bytes the system took, or -1 when it is closed */
  write(bytes: Uint8Array): number {
    return this.#socket?.write(bytes) ?? -1
  }

  pause(): void {
    if (this.#paused) return
    this.#paused = true
    this.#socket?.pause()
  }

  /** Reads on, after a body had more than its reader took. */
  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    const first = this.#exchange?.takeRest()
    if (first !== undefined) this.#tunnel?.received(first)
    if (!this.#paused) this.#socket?.resume()
  }

  /** Breaks it, also in the middle of an exchange. */
  destroy(error: unknown = abandoned()): void {
    if (this.#closed) return
    this.#closed = true
    const exchange = this.#exchange
    this.#exchange = undefined
    this.#dial?.reject(error)
    this.#dial = undefined
    this.#writer?.stop()
    // A reset stops a server that is still sending; one that is not gets a proper goodbye.
    if (exchange === undefined || this.#tunnel !== undefined) this.#socket?.end()
    else this.#socket?.terminate()
    exchange?.fail(error)
    this.#tunnel?.closed()
    this.#owner.gone(this)
  }

  /**
   * The call that it is dialled for has given up. A socket that waits for an answer to its first packet cannot be closed
   * (Bun 1.4.5): then it is an orphan until the system gives up or the server answers.
   */
  abandonDial(): void {
    const dial = this.#dial
    if (dial === undefined) return
    if (this.#socket !== undefined) {
      this.destroy()
      return
    }
    this.#dial = undefined
    this.#orphan = true
    dial.reject(abandoned())
    this.#owner.orphaned(this)
  }

  // What the socket tells.

  opened(socket: Bun.Socket<Connection>): void {
    this.#socket = socket
    this.#writer = new RequestWriter(socket, (error) => this.destroy(error))
    if (!this.peer.secure) this.#stand()
    // Nobody would see to it that its handshake ends.
    else if (this.#orphan) this.destroy()
  }

  /** The end of a TLS handshake. The certificate's chain and its name have been checked; nothing was sent before. */
  handshakeDone(verified: boolean, problem: Error | null): void {
    if (this.#closed) return
    if (verified && problem === null && this.#socket?.authorized === true) this.#stand()
    else this.destroy(new WireError(codeOf(problem) || 'ERR_TLS_UNVERIFIED', 'TLS', { cause: problem }))
  }

  failedToConnect(error: Error): void {
    this.destroy(new WireError(codeOf(error) || 'ECONNREFUSED', 'No connection', { cause: error }))
  }

  received(bytes: Uint8Array): void {
    if (this.#tunnel !== undefined) {
      this.#tunnel.received(bytes)
      return
    }
    const exchange = this.#exchange
    if (exchange === undefined || exchange.unsent) {
      // Nobody has asked for anything: whatever it is, the next answer must not be taken from it.
      this.#owner.outOfStep(this)
      this.destroy(cutOff())
      return
    }
    try {
      exchange.receive(bytes)
    } catch (thrown) {
      // What does not begin like an answer may be the rest of one before.
      if (exchange.framing === undefined) this.#owner.outOfStep(this)
      this.destroy(thrown)
      return
    }
    // Whoever was told of these bytes may have had enough, and broken it.
    if (this.#exchange !== exchange) return
    if (exchange.refused) this.#writer?.stop()
    if (exchange.done) this.#finish(exchange)
    // Nobody has taken it over yet.
    else if (exchange.full || exchange.upgraded) this.pause()
  }

  drained(): void {
    if (this.#tunnel === undefined) this.#writer?.continue()
    else this.#tunnel.drained()
  }

  /** The server will send no more; its socket closes next. */
  finished(): void {
    if (this.#exchange === undefined || this.#tunnel !== undefined) this.destroy()
    else this.#exchange.closed(true)
  }

  lost(error: unknown): void {
    this.destroy(cutOff(error))
  }

  #stand(): void {
    if (this.#orphan) this.#rest()
    else this.#dial?.resolve()
    this.#dial = undefined
  }

  #finish({ framing, surplus }: Exchange): void {
    this.#exchange = undefined
    if (surplus && framing?.reusable === true) this.#owner.outOfStep(this)
    if (framing?.reusable !== true || surplus || this.#writer?.pending === true) {
      this.destroy()
      return
    }
    const { keepAliveSeconds } = framing
    this.idleLimitMs = keepAliveSeconds === undefined ? Number.POSITIVE_INFINITY : keepAliveSeconds * 1_000
    this.#rest()
  }

  #rest(): void {
    this.#orphan = false
    this.resume()
    this.#socket?.unref()
    this.#owner.idle(this)
  }
}
