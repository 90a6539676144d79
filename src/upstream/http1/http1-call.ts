import type { Connection, Peer } from './connection.ts'
import type { Exchange, WireAnswer } from './exchange.ts'
import { type Knock, knock } from './knock.ts'
import type { Pool } from './pool.ts'
import { isStreamed, type WireRequest } from './request-head.ts'
import { abandoned, codeOf } from './wire-error.ts'

/** Failures that happen before a byte was sent: the next address of the same name may be tried. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN'])

/** May be sent twice without doing anything twice (RFC 9110, section 9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

/** Told when the wait for a connection begins and ends. */
export interface DialWatch {
  dialling(): void
  connected(): void
}

/** One request on its way: over a connection that is idle if there is one, or over a new one. */
export class Http1Call {
  readonly #pool: Pool
  readonly #request: WireRequest
  readonly #watch: DialWatch
  #exchange: Exchange | undefined
  #connection: Connection | undefined
  #knock: Knock | undefined
  #aborted = false

  constructor(pool: Pool, request: WireRequest, watch: DialWatch) {
    this.#pool = pool
    this.#request = request
    this.#watch = watch
  }

  /**
   * Sends the request and waits for the head of its answer. Peers are tried in order; a further one only when the one
   * before refused the connection.
   * @throws WireError
   */
  async send(peers: readonly Peer[]): Promise<WireAnswer> {
    // A streamed body cannot be sent again: it does not meet the closing of a connection that was idle.
    const used = isStreamed(this.#request.body) || this.#request.upgrade !== undefined ? undefined : this.#idle(peers)
    if (used !== undefined) {
      try {
        return await this.#over(used)
      } catch (thrown) {
        if (!this.#maySendAgain()) throw thrown
      }
    }
    return this.#over(await this.#dial(peers))
  }

  /** The connection of an answer that agrees to another protocol. */
  get connection(): Connection | undefined {
    return this.#connection
  }

  /** Gives the call up. `send`, or the body that it gave, fails; after the last byte of the body nothing happens. */
  abort(): void {
    if (this.#aborted) return
    this.#aborted = true
    this.#knock?.leave()
    if (this.#exchange === undefined) this.#connection?.abandonDial()
    else if (!this.#exchange.done) this.#connection?.destroy()
  }

  #over(connection: Connection): Promise<WireAnswer> {
    if (this.#aborted) {
      // It is as good as new.
      connection.release()
      throw abandoned()
    }
    this.#connection = connection
    this.#exchange = connection.send(this.#request)
    return this.#exchange.answered
  }

  #idle(peers: readonly Peer[]): Connection | undefined {
    for (const peer of peers) {
      const connection = this.#pool.take(peer)
      if (connection !== undefined) return connection
    }
    return undefined
  }

  /**
   * A connection that was idle may be closed by its server just when it is used. Then the request is sent once more over a
   * new one, if nothing of it went out, or if doing it twice does no harm and not a byte of an answer came. `fetch` of Bun
   * 1.4.5 does the same.
   */
  #maySendAgain(): boolean {
    const exchange = this.#exchange
    if (this.#aborted || exchange === undefined || !exchange.untouched) return false
    return exchange.unsent || IDEMPOTENT.has(this.#request.method)
  }

  async #dial(peers: readonly Peer[]): Promise<Connection> {
    this.#exchange = undefined
    this.#watch.dialling()
    let refused: unknown
    for (const peer of peers) {
      try {
        const connection = await this.#connect(peer)
        this.#watch.connected()
        return connection
      } catch (thrown) {
        if (this.#aborted || !NOT_CONNECTED.has(codeOf(thrown))) throw thrown
        refused = thrown
      }
    }
    throw refused
  }

  async #connect(peer: Peer): Promise<Connection> {
    if (this.#pool.isTroubled(peer)) {
      this.#knock = knock(peer.address, peer.port)
      await this.#knock.answered
    }
    if (this.#aborted) throw abandoned()
    const connection = this.#pool.dial(peer)
    this.#connection = connection
    await connection.connected
    return connection
  }
}
