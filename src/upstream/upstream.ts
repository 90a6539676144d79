import { LATER, type ReadyStream, type Taken } from '../core/bodies/ready-stream.ts'
import { type Metrics, NO_METRICS } from '../core/metrics.ts'
import type { Upstream, UpstreamRequest, UpstreamResponse, UpstreamSocket } from '../core/ports.ts'
import {
  ClientClosed,
  ConnectTimeout,
  FirstByteTimeout,
  GatewayError,
  IdleTimeout,
  RequestTimeout,
  StreamTruncated,
  TotalTimeout,
  UpstreamInvalid,
  UpstreamUnreachable,
} from '../errors/gateway-error.ts'
import { Alarm } from '../timing/alarm.ts'
import { createEgress, type Destination, parseDestination } from './egress.ts'
import { forwardableHeaders } from './headers.ts'
import type { Peer } from './http1/connection.ts'
import { codingOf, decoded } from './http1/decoded-body.ts'
import type { WireAnswer } from './http1/exchange.ts'
import { type DialWatch, Http1Call } from './http1/http1-call.ts'
import { Pool, peerOf } from './http1/pool.ts'
import { isStreamed, writeRequest } from './http1/request-head.ts'
import type { ResponseHead } from './http1/response-head.ts'
import { codeOf, UNDECODABLE } from './http1/wire-error.ts'
import type { Looking, Resolver } from './resolver.ts'
import type { TrustedHosts } from './trusted-hosts.ts'
import { UpstreamBody } from './upstream-body.ts'
import { type LimitName, Watchdog } from './watchdog.ts'
import { WebSocketClient } from './websocket/client.ts'
import { askUpgrade, readAgreement, type UpgradeAsked } from './websocket/handshake.ts'

/** Destinations are parsed once per URL; a custom host could make many, so the cache is bounded. */
const MAX_DESTINATIONS = 2_000
const MAX_KEPT_URL_CHARACTERS = 2_000

/** The last one that HTTP has a meaning for (RFC 9110, section 15). */
const MAX_STATUS = 599

/** The goodbye of a WebSocket whose call is given up (RFC 6455, section 7.4.1). */
const GOING_AWAY = 1001

export interface UpstreamOptions {
  readonly resolver: Resolver
  readonly trusted: TrustedHosts
  readonly now: () => number
  /** Milliseconds a server that is not known yet must have left a connection alone before it is used again. */
  readonly probationMs?: number
  /** Absent: nothing is counted. */
  readonly metrics?: Metrics
}

/** The one way out. Nothing else in Weir opens a connection to a provider; a test walks the sources to keep it so. */
export const createUpstream = ({
  resolver,
  trusted,
  now,
  probationMs,
  metrics = NO_METRICS,
}: UpstreamOptions): Upstream & { close(): void } => {
  const pool = new Pool(now, probationMs)
  metrics.gauge(
    {
      name: 'weir.upstream.connections.idle',
      description: 'Open connections to providers that wait for a request.',
      unit: '{connection}',
    },
    () => [[pool.idleCount]],
  )
  metrics.reading(
    { name: 'weir.upstream.dials', description: 'Connections that were opened to providers.', unit: '{connection}' },
    () => [[pool.dials]],
  )
  const alarm = new Alarm(now)
  const egress = createEgress(resolver, trusted)
  const destinations = new Map<string, Destination>()
  const peers = new WeakMap<Destination, Peers>()

  const destinationOf = ({ url, hostOwner }: UpstreamRequest): Destination => {
    const key = hostOwner === undefined ? url : `${hostOwner} ${url}`
    const known = destinations.get(key)
    if (known !== undefined) return known
    const parsed = parseDestination(url)
    const destination = hostOwner === undefined ? parsed : { ...parsed, owner: hostOwner }
    if (key.length > MAX_KEPT_URL_CHARACTERS) return destination
    if (destinations.size >= MAX_DESTINATIONS) destinations.clear()
    destinations.set(key, destination)
    return destination
  }

  /** The resolver gives the same list until it asks again, so that it is translated once. */
  const endpointsOf = (destination: Destination, addresses: readonly string[]): readonly Peer[] => {
    const known = peers.get(destination)
    if (known?.addresses === addresses) return known.list
    const list = addresses.map((address) => peerOf(destination, address))
    peers.set(destination, { addresses, list })
    return list
  }

  const send = async (request: UpstreamRequest): Promise<UpstreamResponse> => {
    const destination = destinationOf(request)
    const attempt = new Send(request, destination, pool, alarm)
    try {
      const checked = egress.addressesOf(destination)
      const addresses = 'found' in checked ? await attempt.lookUp(checked) : checked
      return attempt.accept(await attempt.send(endpointsOf(destination, addresses)))
    } catch (thrown) {
      attempt.end()
      throw attempt.explain(thrown)
    }
  }

  return { send, close: () => pool.close() }
}

/** Types of answers whose usage is read. */
const LOOKED_INTO = /^(?:text\/event-stream|application\/(?:[\w.-]+\+)?json)\b/i

/** The first one; empty where there is none. */
const headerOf = ({ headers }: ResponseHead, wanted: string): string =>
  headers.find(([name]) => name === wanted)?.[1] ?? ''

/** The addresses of a destination, and where they lead. */
interface Peers {
  readonly addresses: readonly string[]
  readonly list: readonly Peer[]
}

/** One call: its deadlines, and the words for what went wrong. */
class Send implements DialWatch {
  readonly #request: UpstreamRequest
  readonly #destination: Destination
  readonly #call: Http1Call
  readonly #upgrade: UpgradeAsked | undefined
  readonly #watchdog: Watchdog
  #looking: Looking | undefined
  #body: UpstreamBody | undefined
  #socket: UpstreamSocket | undefined
  #head: ResponseHead | undefined
  /** Why we gave up, when we did: the connection only knows that. */
  #reason: GatewayError | undefined
  #isOver = false

  constructor(request: UpstreamRequest, destination: Destination, pool: Pool, alarm: Alarm) {
    this.#request = request
    this.#destination = destination
    const { method, headers, body, signal, requestTimeoutMs, upgrade } = request
    const sent = isStreamed(body) ? { ...body, stream: new WatchedBody(body.stream, this) } : body
    this.#upgrade = upgrade === undefined ? undefined : askUpgrade(upgrade.protocols)
    this.#call = new Http1Call(pool, writeRequest(destination, method, headers, sent, this.#upgrade), this)
    this.#watchdog = new Watchdog(alarm, this.#late)
    if (signal.aborted) this.#leave()
    else signal.addEventListener('abort', this.#leave)
    if (!isStreamed(body)) this.#awaitAnswer()
    if (requestTimeoutMs !== undefined) this.#watchdog.set('request', requestTimeoutMs)
  }

  lookUp(looking: Looking): Promise<readonly string[]> {
    this.#looking = looking
    if (this.#reason !== undefined) looking.leave()
    return looking.found
  }

  send(peers: readonly Peer[]): Promise<WireAnswer> {
    this.#looking = undefined
    return this.#call.send(peers)
  }

  /** The next piece of a streamed body is on its way, or waited for: then the deadline is that of whoever sends it. */
  sending(isHere: boolean): void {
    if (this.#isOver) return
    if (isHere) this.#watchdog.set('upload', this.#request.deadlines.idleMs)
    else this.#watchdog.clear('upload')
  }

  /** A streamed body has ended, or will not be sent further. */
  sent(): void {
    this.#watchdog.clear('upload')
    if (!this.#isOver && this.#reason === undefined) this.#awaitAnswer()
  }

  #awaitAnswer(): void {
    const { deadlines } = this.#request
    this.#watchdog.set('total', deadlines.totalMs)
    if (this.#head === undefined) this.#watchdog.set('first-byte', deadlines.firstByteMs)
  }

  dialling(): void {
    this.#watchdog.set('connect', this.#request.deadlines.connectMs)
  }

  connected(): void {
    this.#watchdog.clear('connect')
  }

  /** The head is here: from now on only silence and the total count. */
  accept({ head, body }: WireAnswer): UpstreamResponse {
    if (this.#reason !== undefined) {
      body.cancel()
      throw this.#reason
    }
    if (head.status > MAX_STATUS) {
      body.cancel()
      throw new UpstreamInvalid(
        `'${this.#destination.authority}' answered with the status ${head.status}, which HTTP does not have.`,
      )
    }
    this.#watchdog.clear('first-byte')
    this.#watchdog.clear('request')
    const isBytes =
      this.#request.asItIs === true && head.status < 300 && !LOOKED_INTO.test(headerOf(head, 'content-type'))
    if (isBytes) this.#watchdog.clear('total')
    const coding = isBytes ? 'unknown' : codingOf(head.headers)
    const headers = forwardableHeaders(head.headers, coding === 'unknown')
    if (head.status === 101) return { status: 101, headers, body, socket: this.#openSocket(head) }
    if (this.#request.method === 'HEAD') {
      // What a GET would have: there is no body whose framing it could be taken for.
      const length = headerOf(head, 'content-length')
      if (length !== '') headers.set('content-length', length)
    }
    this.#head = head
    this.#body = new UpstreamBody(decoded(coding, body), {
      deadlines: this.#request.deadlines,
      watchdog: this.#watchdog,
      explain: (thrown) => this.explain(thrown),
      onEnd: () => {
        this.end()
        this.#request.watch?.answerEnded()
      },
    })
    return { status: head.status, headers, body: this.#body }
  }

  /** @throws WireError */
  #openSocket({ headers }: ResponseHead): UpstreamSocket {
    const { connection } = this.#call
    if (this.#upgrade === undefined || connection === undefined) throw new Error('an upgrade that nobody asked for')
    this.#watchdog.clear('total')
    try {
      const protocol = readAgreement(this.#upgrade, headers)
      const socket = new WebSocketClient(connection, protocol, this.#request.deadlines.idleMs, () => this.end())
      connection.takeOver(socket)
      this.#socket = socket
      return socket
    } catch (thrown) {
      connection.destroy()
      throw thrown
    }
  }

  /** Frees the deadlines and the listener. The connection itself has gone back to its pool, or was broken before. */
  end(): void {
    this.#isOver = true
    this.#watchdog.stop()
    this.#request.signal.removeEventListener('abort', this.#leave)
  }

  explain(thrown: unknown): GatewayError {
    if (this.#reason !== undefined) return this.#reason
    if (thrown instanceof GatewayError) return thrown
    const { authority } = this.#destination
    const code = codeOf(thrown)
    if (code === UNDECODABLE) {
      return new UpstreamInvalid(
        `The answer of '${authority}' is not what its \`content-encoding\` says, or is cut short.`,
        {
          cause: thrown,
        },
      )
    }
    const reason = code === '' ? 'the connection broke' : code
    if (this.#head !== undefined && /^text\/event-stream/i.test(headerOf(this.#head, 'content-type'))) {
      return new StreamTruncated(`The stream of '${authority}' ended before it was complete: ${reason}.`, {
        cause: thrown,
      })
    }
    return new UpstreamUnreachable(`No answer from '${authority}': ${reason}.`, { cause: thrown })
  }

  readonly #late = (passed: LimitName): void => this.#giveUp(this.#wordsFor(passed))

  #wordsFor(passed: LimitName): GatewayError {
    const { deadlines, requestTimeoutMs } = this.#request
    const { authority } = this.#destination
    switch (passed) {
      case 'total':
        return new TotalTimeout(`The call took longer than ${deadlines.totalMs} ms.`)
      case 'first-byte':
        return new FirstByteTimeout(`'${authority}' did not begin to answer within ${deadlines.firstByteMs} ms.`)
      case 'request':
        return new RequestTimeout(
          `The call did not begin to answer within its request time-out of ${requestTimeoutMs} ms.`,
        )
      case 'upload':
        return new IdleTimeout(`'${authority}' took nothing of the request body for ${deadlines.idleMs} ms.`)
      case 'connect':
        return new ConnectTimeout(`No connection to '${authority}' within ${deadlines.connectMs} ms.`)
      case 'idle':
        return new IdleTimeout(`The provider fell silent for ${deadlines.idleMs} ms in the middle of its answer.`)
    }
  }

  readonly #leave = (): void => {
    const { reason } = this.#request.signal
    this.#giveUp(
      reason instanceof GatewayError ? reason : new ClientClosed('The client left before the answer was complete.'),
    )
  }

  #giveUp(error: GatewayError): void {
    this.#reason ??= error
    this.#looking?.leave()
    if (this.#socket !== undefined) this.#socket.close(GOING_AWAY)
    else if (this.#body === undefined) this.#call.abort()
    else this.#body.fail(this.#reason)
  }
}

/** A request body whose way out has a deadline: a piece is asked for when the system took the one before. */
class WatchedBody implements ReadyStream {
  readonly #source: ReadyStream
  readonly #attempt: Send
  #isOver = false

  constructor(source: ReadyStream, attempt: Send) {
    this.#source = source
    this.#attempt = attempt
  }

  take(): Taken {
    const piece = this.#source.take()
    if (piece === undefined) this.#end()
    else this.#attempt.sending(piece !== LATER)
    return piece
  }

  whenReady(listener: () => void): void {
    this.#source.whenReady(listener)
  }

  cancel(): void {
    if (this.#isOver) return
    this.#end()
    this.#source.cancel()
  }

  #end(): void {
    this.#isOver = true
    this.#attempt.sent()
  }
}
