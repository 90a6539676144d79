import { isAskedInFull } from '#calls/asked-in-full'
import { eventsOf } from '#calls/events-of'
import { attempt } from '#calls/slots'
import { originOf } from '#calls/target-params'
import { type Answer, type Call, defined, fromPieces, type Host, isReadyStream, type Next } from '#kit'
import {
  type CacheStatus,
  type CacheUse,
  cacheUse,
  gatewayHeaders,
  legacyCall,
  report,
  type Target,
  target,
} from '#kit/slots'
import { within } from '#timing/within'
import { type CachedRequest, cachedRequest } from './cached-request.ts'
import { decodeEntry, type Entry, encodeEntry, parsed, secondsLeft } from './entry.ts'
import { Flights, type Landing } from './flights.ts'
import { type Kept, keepAnswer } from './keep-answer.ts'
import type { Likeness, Semantic } from './semantic.ts'

export interface CachedCallsOptions {
  readonly host: Pick<Host, 'cache' | 'clock'>
  readonly maxEntryBytes: number
  /** Milliseconds that a call waits for another one that asks for the same. */
  readonly waitMs: number
  /** Absent: `semantic` works as `simple`. */
  readonly semantic?: Semantic
}

/** One attempt at a target whose answers are kept. */
interface Attempted {
  readonly call: Call
  readonly next: Next
  readonly to: Target
  readonly request: CachedRequest
  readonly policy: NonNullable<Target['cache']>
  /** In milliseconds that never step back. */
  readonly startedMs: number
}

/** Whether the call goes ahead, or another one has done so and this came of it. */
type Turn = { readonly land: Land } | { readonly landed: Landing }

type Land = (landing: Landing) => void

interface Found {
  readonly status: CacheStatus
  readonly answer?: Answer
  readonly entry?: Entry
  /** Lets the answer be found by requests that mean the same. */
  readonly likeness?: Likeness | undefined
}

/** Answers from what was answered before, and keeps what is answered now. */
export class CachedCalls {
  readonly #options: CachedCallsOptions
  readonly #flights = new Flights()

  constructor(options: CachedCallsOptions) {
    this.#options = options
  }

  async answer(call: Call, next: Next, to: Target, policy: NonNullable<Target['cache']>): Promise<Answer> {
    const startedMs = this.#options.host.clock.monotonicMs()
    const attempted: Attempted = { call, next, to, policy, startedMs, request: cachedRequest(call, to) }
    if (asksAnew(call)) {
      const likeness = await this.#semantic(attempted)?.describe(call, attempted.request)
      return this.#ask(attempted, { status: 'REFRESH', likeness })
    }
    const turn = await this.#takeTurn(attempted)
    if ('landed' in turn) {
      const { landed } = turn
      const answer = landed.kind === 'answered' ? this.#toAnswer(attempted, landed.entry, 'HIT') : undefined
      return answer ?? this.#ask(attempted, { status: 'MISS' })
    }
    const { land } = turn
    try {
      const found = await this.#find(attempted)
      if (found.answer === undefined) return await this.#ask(attempted, found, land)
      if (found.entry !== undefined) land({ kind: 'answered', entry: found.entry })
      return found.answer
    } catch (thrown) {
      land({ kind: call.cancellation.aborted ? 'left' : 'failed' })
      throw thrown
    }
  }

  /** Waits while another call asks for the same; goes ahead when nobody does, or does any more. */
  async #takeTurn({ call, request: { key } }: Attempted): Promise<Turn> {
    let flight = this.#flights.join(key)
    if (flight === undefined) return { land: this.#flights.begin(key) }
    const { clock } = this.#options.host
    const startedMs = clock.monotonicMs()
    const mostMs = this.#longestWaitMs(call)
    for (;;) {
      const leftMs = mostMs - (clock.monotonicMs() - startedMs)
      const landed: Landing = (await within(flight, Math.max(0, leftMs), undefined, call.signal)) ?? { kind: 'failed' }
      flight = landed.kind === 'left' ? this.#flights.join(key) : undefined
      if (flight !== undefined) continue
      shorten(call, clock.monotonicMs() - startedMs)
      // In one step with the look above: of those that waited, one goes ahead.
      return landed.kind === 'left' ? { land: this.#flights.begin(key) } : { landed }
    }
  }

  /** At most half of what the call has: the provider must still have its time when nothing comes of the wait. */
  #longestWaitMs(call: Call): number {
    const { requestTimeoutMs, firstTokenTimeoutMs } = call.get(target)
    const own = call.find(attempt)
    const limits = [own?.deadlines.totalMs, own?.firstTokenMs, requestTimeoutMs, firstTokenTimeoutMs]
    return Math.min(this.#options.waitMs, ...limits.flatMap((ms) => (ms === undefined ? [] : [ms / 2])))
  }

  async #find(attempted: Attempted): Promise<Found> {
    const { call, request, policy } = attempted
    const { cache, clock } = this.#options.host
    const simple = await this.#read(attempted, request.key, 'HIT')
    if (simple !== undefined) return simple
    const semantic = this.#semantic(attempted)
    const likeness = await semantic?.describe(call, request)
    if (semantic === undefined || likeness === undefined) return { status: 'MISS' }
    const key = await semantic.nearest(likeness)
    const found = key === undefined ? undefined : await this.#read(attempted, key, 'SEMANTIC HIT')
    if (found?.entry === undefined) return { status: 'SEMANTIC MISS', likeness }
    // The next one to ask in these words needs no vector.
    const seconds = secondsLeft(found.entry, policy.maxAgeSeconds, clock.now())
    cache.set(request.key, encodeEntry(found.entry), seconds)
    return found
  }

  async #read(attempted: Attempted, key: string, status: CacheStatus): Promise<Found | undefined> {
    const bytes = await this.#options.host.cache.get(key)
    const entry = bytes === undefined ? undefined : decodeEntry(bytes)
    const answer = entry === undefined ? undefined : this.#toAnswer(attempted, entry, status)
    return entry === undefined || answer === undefined ? undefined : { status, entry, answer }
  }

  /** Undefined for one that is too old for this call, or cannot be given in the form that it asks for. */
  #toAnswer(attempted: Attempted, entry: Entry, status: CacheStatus): Answer | undefined {
    const { call, to, request, policy } = attempted
    if (secondsLeft(entry, policy.maxAgeSeconds, this.#options.host.clock.now()) <= 0) return undefined
    const { answer, id } = call.endpoint
    const whole = request.stream && answer.kind === 'events' ? answer.form.read(parsed(entry.body)) : undefined
    if (request.stream && whole === undefined) return undefined
    const form = answer.kind === 'events' ? answer.form : undefined
    const { model, droppedParams, via } = entry
    if (droppedParams.length > 0 && isAskedInFull(call)) return undefined
    say(call, status, entry)
    this.#countTime(attempted)
    const { id: provider } = to.provider
    call.set(report, { provider, model, droppedParams, stream: request.stream, ...defined({ via }) })
    if (via !== undefined) call.replyHeaders.set(`x-gateway-${id}-via`, via)
    if (droppedParams.length > 0) call.replyHeaders.set('x-gateway-dropped-params', droppedParams.join(', '))
    const headers = new Headers({ 'content-type': whole === undefined ? JSON_TYPE : EVENTS_TYPE })
    if (whole === undefined) return { status: 200, headers, body: entry.body }
    headers.set('cache-control', 'no-cache')
    return { status: 200, headers, body: fromPieces(eventsOf(whole.chunks(request.includeUsage), form)) }
  }

  /** Asks the target, and keeps what it says when that is a whole answer. */
  async #ask(attempted: Attempted, { status, likeness }: Found, land?: Land): Promise<Answer> {
    const { call, next, request, policy } = attempted
    const { host, maxEntryBytes } = this.#options
    say(call, status)
    this.#countTime(attempted)
    call.signal.throwIfAborted()
    const keep = keepAnswer({
      call,
      request,
      maxEntryBytes,
      now: () => host.clock.now(),
      onEnd: ({ entry, left }: Kept) => {
        if (entry !== undefined) {
          host.cache.set(request.key, encodeEntry(entry), policy.maxAgeSeconds)
          if (likeness !== undefined) this.#options.semantic?.remember(likeness, request.key, policy.maxAgeSeconds)
        } else if (status === 'REFRESH') host.cache.delete(request.key)
        land?.(entry === undefined ? { kind: left ? 'left' : 'failed' } : { kind: 'answered', entry })
      },
    })
    const answer = await next()
    if (isReadyStream(answer.body)) answer.body = keep.stream(answer, answer.body)
    else keep.plain(answer, answer.body)
    return answer
  }

  /** Nothing more is looked for. */
  #countTime({ call, startedMs }: Attempted): void {
    call.countTime('cacheMs', this.#options.host.clock.monotonicMs() - startedMs)
  }

  #semantic({ call, policy }: Attempted): Semantic | undefined {
    return policy.mode === 'semantic' && call.endpoint.cache === 'semantic' ? this.#options.semantic : undefined
  }
}

const JSON_TYPE = 'application/json'
const EVENTS_TYPE = 'text/event-stream; charset=utf-8'

const asksAnew = (call: Call): boolean =>
  call.find(legacyCall)?.cacheForceRefresh === true ||
  call.get(gatewayHeaders).get('cache-force-refresh')?.trim().toLowerCase() === 'true'

/** Tells the client and the log what the cache did. */
export const say = (call: Call, status: CacheStatus, given?: Pick<Entry, 'tokens' | 'saved'>): void => {
  call.replyHeaders.set('x-gateway-cache-status', status)
  call.set(cacheUse, given === undefined ? { status } : { status, tokensSaved: given.tokens, ...savedIn(given) })
}

const savedIn = ({ saved }: Pick<Entry, 'saved'>): Pick<CacheUse, 'saved'> => (saved === undefined ? {} : { saved })

/** What was waited is not there any more for the target. */
const shorten = (call: Call, waitedMs: number): void => {
  const left = (ms: number): number => Math.max(1, Math.floor(ms - waitedMs))
  const to = call.get(target)
  const { requestTimeoutMs, firstTokenTimeoutMs } = to
  call.set(target, {
    ...to,
    origin: originOf(to),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs: left(requestTimeoutMs) }),
    ...(firstTokenTimeoutMs === undefined ? {} : { firstTokenTimeoutMs: left(firstTokenTimeoutMs) }),
  })
  const own = call.find(attempt)
  if (own === undefined) return
  const { deadlines, firstTokenMs } = own
  call.set(attempt, {
    deadlines: {
      ...deadlines,
      totalMs: left(deadlines.totalMs),
      // It may still change.
      get idleMs() {
        return deadlines.idleMs
      },
    },
    ...(firstTokenMs === undefined ? {} : { firstTokenMs: left(firstTokenMs) }),
  })
}
