import type { Call } from '../core/call.ts'
import type { SocketListener, UpstreamSocket } from '../core/ports.ts'
import { ClientClosed, GatewayError, StreamTruncated } from '../errors/gateway-error.ts'

/** The client's end of a WebSocket, as the server gives it. */
export type ClientSocket = Pick<
  Bun.ServerWebSocket<Relay>,
  'sendText' | 'sendBinary' | 'close' | 'pause' | 'resume' | 'readyState' | 'getBufferedAmount'
>

/** How the server hands the connection of a request over. @returns false when the client is gone */
export type Upgrade = (relay: Relay, headers: Headers) => boolean

/** Requests that may become a WebSocket, with the way to it. */
const upgrades = new WeakMap<Request, Upgrade>()

/** The server says that it can do so. */
export const offerUpgrade = (request: Request, upgrade: Upgrade): void => {
  upgrades.set(request, upgrade)
}

export const upgradeOf = (request: Request): Upgrade | undefined => upgrades.get(request)

/** A result of `send`: it waits in the server, and `drain` tells when it does not any more. */
const BEHIND = -1
/** Codes of a goodbye (RFC 6455, section 7.4.1): without a code; none at all. */
const NO_CODE = 1005
const LOST = 1006
const GOING_AWAY = 1001
const BROKEN = 1011

/**
 * A call that has become a WebSocket: passes messages on both ways, each side no faster than the other reads, and the goodbye of
 * one to the other. The call ends with it.
 */
export class Relay implements SocketListener {
  readonly #call: Call
  readonly #provider: UpstreamSocket
  #client: ClientSocket | undefined
  #isOver = false

  constructor(call: Call, provider: UpstreamSocket) {
    this.#call = call
    this.#provider = provider
  }

  // What the client's side tells.

  open(client: ClientSocket): void {
    this.#client = client
    this.#call.cancellation.addEventListener('abort', this.#giveUp)
    this.#provider.listen(this)
  }

  fromClient(message: string | Uint8Array): void {
    if (!this.#provider.send(message)) this.#client?.pause()
  }

  clientDrained(): void {
    // Told of each part that went out: the provider says more when all of it has.
    if (this.#client?.getBufferedAmount() === 0) this.#provider.resume()
  }

  clientClosed(code: number, reason: string): void {
    this.#provider.close(code === LOST ? GOING_AWAY : code, reason)
    if (code === LOST) this.#end(new ClientClosed('The client left without closing its WebSocket.'))
    else this.#end()
  }

  // What the provider's side tells.

  message(message: string | Uint8Array): void {
    const client = this.#client
    this.#call.markSent(typeof message === 'string' ? Buffer.byteLength(message) : message.length)
    const sent = typeof message === 'string' ? client?.sendText(message) : client?.sendBinary(message)
    if (sent === BEHIND) this.#provider.pause()
  }

  drained(): void {
    this.#client?.resume()
  }

  closed(code: number, reason: string, error?: GatewayError): void {
    // First: the server tells of a close at once.
    this.#end(error ?? (code === LOST ? new StreamTruncated(reason) : undefined))
    // It would not be told while it is paused.
    this.#client?.resume()
    if (code === LOST) this.#client?.close(BROKEN, reason)
    else if (code === NO_CODE) this.#client?.close()
    else this.#client?.close(code, reason)
  }

  /** The gateway stops: what is under way may come to its end. */
  retire(): void {
    this.#provider.retire?.()
  }

  /** The gateway has stopped. */
  readonly #giveUp = (): void => {
    const { reason } = this.#call.cancellation
    this.#end(reason instanceof GatewayError ? reason : undefined)
    this.#client?.close(GOING_AWAY, 'The gateway has given the call up.')
  }

  #end(error?: GatewayError): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#call.cancellation.removeEventListener('abort', this.#giveUp)
    if (error === undefined) this.#call.finish('completed', SWITCHED)
    else this.#call.finish(error instanceof ClientClosed ? 'client_closed' : 'truncated', SWITCHED, error)
  }
}

/** The status of an answer that hands the connection over. */
export const SWITCHED = 101
