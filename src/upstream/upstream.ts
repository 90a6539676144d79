import type { ByteStream } from '../core/answer.ts'
import type { Upstream, UpstreamRequest, UpstreamResponse } from '../core/ports.ts'
import {
  ClientClosed,
  ConnectTimeout,
  FirstByteTimeout,
  GatewayError,
  RequestTimeout,
  TotalTimeout,
  UpstreamUnreachable,
} from '../errors/gateway-error.ts'
import { createEgress, type Destination, parseDestination } from './egress.ts'
import { forwardableHeaders } from './headers.ts'
import { canConnect } from './probe.ts'
import type { Resolver } from './resolver.ts'
import { createSessions } from './sessions.ts'
import type { TrustedHosts } from './trusted-hosts.ts'
import { UpstreamBody } from './upstream-body.ts'
import { Watchdog } from './watchdog.ts'

/** Failures that happen before a byte was sent: the next address of the same name may be tried. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN'])

/** Destinations are parsed once per URL; a custom host could make many, so the cache is bounded. */
const MAX_DESTINATIONS = 2_000

export interface UpstreamOptions {
  readonly resolver: Resolver
  readonly trusted: TrustedHosts
  readonly now: () => number
}

/** The one way out. Nothing else in Weir calls `fetch`; a test walks the sources to keep it so. */
export const createUpstream = ({ resolver, trusted, now }: UpstreamOptions): Upstream & { close(): void } => {
  const sessions = createSessions()
  const egress = createEgress(resolver, trusted)
  const destinations = new Map<string, Destination>()

  const destinationOf = (url: string): Destination => {
    const known = destinations.get(url)
    if (known !== undefined) return known
    const destination = parseDestination(url)
    if (destinations.size >= MAX_DESTINATIONS) destinations.clear()
    destinations.set(url, destination)
    return destination
  }

  const send = async (request: UpstreamRequest): Promise<UpstreamResponse> => {
    const destination = destinationOf(request.url)
    const attempt = new Attempt(request, destination, now)
    try {
      const addresses = await egress.addressesOf(destination)
      const response = await attempt.connect(addresses, sessions.for(destination))
      return attempt.accept(response)
    } catch (thrown) {
      attempt.end()
      throw attempt.explain(thrown)
    }
  }

  return { send, close: () => sessions.close() }
}

/** One call on the wire: its abort, its deadlines, and the words for what went wrong. */
class Attempt {
  readonly #request: UpstreamRequest
  readonly #destination: Destination
  readonly #abort = new AbortController()
  readonly #watchdog: Watchdog
  /** The address that is being dialled. */
  #dialled: string | undefined
  #answered = false
  /** Why we aborted, when we did: `fetch` only says that it was aborted. */
  #reason: GatewayError | undefined

  constructor(request: UpstreamRequest, destination: Destination, now: () => number) {
    this.#request = request
    this.#destination = destination
    this.#watchdog = new Watchdog(now, (error) => this.#giveUp(error))
    if (request.signal.aborted) this.#leave()
    else request.signal.addEventListener('abort', this.#leave, { once: true })
    const { deadlines, requestTimeoutMs } = request
    const name = destination.authority
    this.#watchdog.on('probe', deadlines.connectMs / 2, () => void this.#probe())
    this.#watchdog.set(
      'total',
      deadlines.totalMs,
      () => new TotalTimeout(`The call took longer than ${deadlines.totalMs} ms.`),
    )
    this.#watchdog.set(
      'first-byte',
      deadlines.firstByteMs,
      () => new FirstByteTimeout(`'${name}' did not begin to answer within ${deadlines.firstByteMs} ms.`),
    )
    if (requestTimeoutMs !== undefined) {
      this.#watchdog.set(
        'request',
        requestTimeoutMs,
        () =>
          new RequestTimeout(`The call did not begin to answer within its request time-out of ${requestTimeoutMs} ms.`),
      )
    }
  }

  /** Dials the addresses in order; a further one only when the one before refused the connection. */
  async connect(addresses: readonly string[], session: Bun.FetchSession): Promise<Response> {
    let refused: unknown
    for (const address of addresses) {
      this.#dialled = address
      try {
        return await session.fetch(this.#dialUrl(address), this.#init())
      } catch (thrown) {
        if (this.#reason !== undefined || !NOT_CONNECTED.has(codeOf(thrown))) throw thrown
        refused = thrown
      }
    }
    throw refused
  }

  /** The head is here: from now on only silence and the total count. */
  accept(response: Response): UpstreamResponse {
    this.#answered = true
    this.#watchdog.clear('probe')
    this.#watchdog.clear('first-byte')
    this.#watchdog.clear('request')
    const body: ByteStream = new UpstreamBody(response, {
      idleMs: this.#request.deadlines.idleMs,
      watchdog: this.#watchdog,
      explain: (thrown) => this.explain(thrown),
      giveUp: () => this.#abort.abort(),
      onEnd: () => this.end(),
    })
    return {
      status: response.status,
      headers: forwardableHeaders(response.headers),
      body,
    }
  }

  /** Frees the timer and the listener. The connection itself goes back to its pool, or was aborted before. */
  end(): void {
    this.#watchdog.stop()
    this.#request.signal.removeEventListener('abort', this.#leave)
  }

  explain(thrown: unknown): GatewayError {
    if (this.#reason !== undefined) return this.#reason
    if (thrown instanceof GatewayError) return thrown
    const code = codeOf(thrown)
    const reason = code === '' ? 'the connection broke' : code
    return new UpstreamUnreachable(`No answer from '${this.#destination.authority}': ${reason}.`, { cause: thrown })
  }

  readonly #leave = (): void => {
    const { reason } = this.#request.signal
    this.#giveUp(
      reason instanceof GatewayError ? reason : new ClientClosed('The client left before the answer was complete.'),
    )
  }

  #giveUp(error: GatewayError): void {
    this.#reason ??= error
    this.#abort.abort()
  }

  /** At half of the connect deadline, asks whether the address can be reached at all; at the whole of it, gives up. */
  readonly #probe = async (): Promise<void> => {
    const { connectMs } = this.#request.deadlines
    const address = this.#dialled
    if (address === undefined || (await canConnect(address, this.#destination.port, connectMs / 2))) return
    if (this.#answered || this.#dialled !== address) return
    this.#giveUp(new ConnectTimeout(`No connection to '${this.#destination.authority}' within ${connectMs} ms.`))
  }

  #dialUrl(address: string): string {
    const { secure, port, pathAndQuery } = this.#destination
    const host = address.includes(':') ? `[${address}]` : address
    return `${secure ? 'https' : 'http'}://${host}:${port}${pathAndQuery}`
  }

  #init(): BunFetchRequestInit {
    const { method, headers, body } = this.#request
    headers.set('host', this.#destination.authority)
    // Answers are read and measured here, and small: compression would only hide their size until it is too late.
    headers.set('accept-encoding', 'identity')
    return {
      method,
      headers,
      redirect: 'manual',
      signal: this.#abort.signal,
      ...(body === undefined ? {} : { body: body as NonNullable<BunFetchRequestInit['body']> }),
    }
  }
}

const codeOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string'
    ? thrown.code
    : ''
