import type { GatewayError } from '../errors/gateway-error.ts'
import { type RequestBody, wholeBody } from './bodies/body.ts'
import { type AttemptDurations, CallTimes } from './call-times.ts'
import type { Abortable, Cancellation } from './cancellation.ts'
import type { Deprecation, Endpoint } from './endpoint.ts'
import type { Finish, FinishListener, Outcome } from './finish.ts'
import { formParams } from './forms/form-params.ts'
import { MissingSlot, type Slot } from './slot.ts'
import { addUsage, isPossible, type Usage } from './usage.ts'

/** A request as the door hands it over: nothing of the web framework is left. */
export interface CallRequest {
  readonly method: string
  /** Path without the query, as the client wrote it. */
  readonly path: string
  /** The query as the client wrote it: empty, or with its `?`. */
  readonly search: string
  readonly query: URLSearchParams
  /** What stands in the path for the names of its route, decoded where that can be; `*` is the rest as it was written. */
  readonly params: Readonly<Record<string, string>>
  readonly headers: Headers
  readonly body: RequestBody
}

const NO_PARAMS: Readonly<Record<string, unknown>> = {}

const readParams = (endpoint: Endpoint, request: CallRequest): Readonly<Record<string, unknown>> => {
  const body = readBody(endpoint, request)
  return endpoint.paramsOf?.(body, request) ?? body
}

const readBody = (endpoint: Endpoint, { body, headers }: CallRequest): Readonly<Record<string, unknown>> => {
  if (body.kind === 'form')
    return endpoint.body.kind === 'multipart' ? formParams(body.parts, endpoint.body) : NO_PARAMS
  if (body.kind === 'streamed') return NO_PARAMS
  switch (endpoint.body.kind) {
    case 'json':
      return body.json()
    case 'any':
      return mayBeJsonObject(body.bytes, headers.get('content-type')) ? body.json() : NO_PARAMS
    default:
      return NO_PARAMS
  }
}

const BLANK = /^[\s\uFEFF]*/
/** How JSON begins that is no object. */
const OTHER_JSON = /^["[\-0-9tfn]/

/**
 * Whether a provider may take a body for a JSON object: when it is said to be JSON and begins like nothing else, or is said
 * to be nothing in particular and begins like one. Such a body that cannot be read is refused: we could not tell what it asks for.
 */
const mayBeJsonObject = (bytes: Uint8Array, contentType: string | null): boolean => {
  if (bytes.length === 0) return false
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isSaidToBe = type === 'application/json' || type.endsWith('+json')
  if (!isSaidToBe && !OFTEN_WRONG.has(type)) return false
  const beginning = new TextDecoder().decode(bytes.subarray(0, BEGINNING_BYTES)).replace(BLANK, '')
  return isSaidToBe ? !OTHER_JSON.test(beginning) : beginning.startsWith('{')
}

/** What a body is said to be that nobody thought about: the last is what curl says of anything. */
const OFTEN_WRONG = new Set(['', 'text/plain', 'application/x-www-form-urlencoded'])

/** Blanks in front of a body are none, or a few. */
const BEGINNING_BYTES = 64

export interface CallInit {
  /** Unique; the client sees it in errors, operators in the log. */
  readonly id: string
  readonly endpoint: Endpoint
  /** The route as declared, for logs and spans: `/v1/chat/completions`. */
  readonly route: string
  readonly deprecated?: Deprecation | undefined
  readonly request: CallRequest
  /** Aborted when the client leaves or the gateway gives the call up. */
  readonly cancellation: Cancellation
  /** Milliseconds that never step back; the only clock of the core. */
  readonly now: () => number
  /** Gets what a listener of `onFinish` throws: one broken listener must not silence the others. */
  readonly onListenerError: (error: unknown) => void
}

/** Completes what a provider reported of a call, which may be nothing. */
export type UsageEstimate = (reported: Usage | undefined) => Usage | undefined

interface Listening {
  readonly of: Call
  readonly listener: FinishListener
}

/** What all forks of a call share. */
interface Shared {
  readonly init: CallInit
  readonly times: CallTimes
  listeners: Listening[]
  readonly replyHeaders: Map<string, string>
  finished: boolean
  bytesOut: number
  onAsked: AskedListener | undefined
  usage: Usage | undefined
  estimate: UsageEstimate | undefined
  /** Usage of attempts whose part of the answer the client has. */
  keptUsage: Usage | undefined
  /** Attempts that a provider was asked by. */
  providersReached: number
  endpoint: Endpoint
  params: Readonly<Record<string, unknown>> | undefined
}

const newShared = (init: CallInit, startedAt: number): Shared => ({
  init,
  times: new CallTimes(startedAt),
  listeners: [],
  replyHeaders: new Map(),
  finished: false,
  bytesOut: 0,
  onAsked: undefined,
  usage: undefined,
  estimate: undefined,
  keptUsage: undefined,
  providersReached: 0,
  endpoint: init.endpoint,
  params: undefined,
})

export interface AbandonOptions {
  /** The client has a part of its answer: what it used is used by the call. */
  readonly keepUsage?: boolean
}

/** What an abandoned attempt leaves behind. */
export interface Abandoned extends AttemptDurations {
  /** What it used, whoever pays for it. */
  readonly usage: Usage | undefined
}

/** @param attempt that a provider is about to be asked by */
export type AskedListener = (attempt: Call) => void

/**
 * One request on its way through the chain. Stages exchange state through typed slots; `onFinish` is the place to
 * settle, log and meter. A fork is one attempt: it sees the slots that were set before it, and its own do not leak back.
 */
export class Call {
  readonly #shared: Shared
  /** By index; a plain list costs less to make and to copy than a map. */
  readonly #slots: unknown[]
  /** 0 for the call itself, then 1, 2, … for its forks in order. */
  readonly attempt: number
  #forks = 0
  #mayFork = false
  #depth: number
  #reachedProvider = false
  #abandoned = false
  readonly #startedAt: number

  constructor(init: CallInit, parent?: { shared: Shared; slots: readonly unknown[]; attempt: number; depth: number }) {
    this.#startedAt = init.now()
    this.#shared = parent?.shared ?? newShared(init, this.#startedAt)
    this.#slots = parent === undefined ? [] : parent.slots.slice()
    this.attempt = parent?.attempt ?? 0
    this.#depth = parent?.depth ?? -1
  }

  get id(): string {
    return this.#shared.init.id
  }

  get endpoint(): Endpoint {
    return this.#shared.endpoint
  }

  /** For a route whose calls say in their body what they are. Before any stage looks at the endpoint. */
  become(endpoint: Endpoint): void {
    this.#shared.endpoint = endpoint
    this.#shared.params = undefined
  }

  /** Set for a route that is on its way out. */
  get deprecated(): Deprecation | undefined {
    return this.#shared.init.deprecated
  }

  get route(): string {
    return this.#shared.init.route
  }

  get request(): CallRequest {
    return this.#shared.init.request
  }

  /**
   * What the request asks for: the JSON object of its body. Empty for a call without one: a list of models, or a file that
   * passes through.
   * @throws InvalidRequest when the body should be one JSON object and is not
   */
  get params(): Readonly<Record<string, unknown>> {
    return this.#shared.params ?? this.#readParams()
  }

  /** From now on the call asks for this instead. */
  replaceParams(params: Record<string, unknown>): void {
    wholeBody(this.request.body).replace(params)
    this.#shared.params = undefined
  }

  /** Tells when the client has left or the gateway gives the call up. */
  get cancellation(): Abortable {
    return this.#shared.init.cancellation
  }

  /** A native signal, for those who need one. */
  get signal(): AbortSignal {
    return this.#shared.init.cancellation.signal
  }

  get finished(): boolean {
    return this.#shared.finished
  }

  /** @throws MissingSlot naming the stage that owed it. */
  get<T>(slot: Slot<T>): T {
    const value = this.#slots[slot.index]
    if (value === undefined && !(slot.index in this.#slots)) throw new MissingSlot(slot)
    return value as T
  }

  /** Like `get`, but gives `undefined` for an empty slot: for a reader that runs whatever happened before, such as a log. */
  find<T>(slot: Slot<T>): T | undefined {
    return this.#slots[slot.index] as T | undefined
  }

  set<T>(slot: Slot<T>, value: T): void {
    this.#slots[slot.index] = value
  }

  /** Headers that the client gets whether the call succeeds or fails; lower-case names. The last writer wins. */
  get replyHeaders(): Map<string, string> {
    return this.#shared.replyHeaders
  }

  /** A new attempt. Only the stage that makes attempts may ask, and hands each fork to `next` once. */
  fork(): Call {
    if (!this.#mayFork) throw new Error('only a stage declared with `attempts: true` may fork a call')
    this.#forks++
    return new Call(this.#shared.init, {
      shared: this.#shared,
      slots: this.#slots,
      attempt: this.#forks,
      depth: this.#depth,
    })
  }

  /**
   * A part of a call that lasts, such as a response of a session: with an id, times, usage and an end of its own. It sees the slots
   * that are set so far; of its end nobody hears but who listens to the part.
   */
  part(id: string): Call {
    const init = { ...this.#shared.init, id, endpoint: this.#shared.endpoint }
    const shared = newShared(init, init.now())
    return new Call(init, { shared, slots: this.#slots, attempt: 0, depth: this.#depth })
  }

  /** Takes over what an attempt set, once it is the one whose answer is used. */
  adopt(fork: Call): void {
    fork.#slots.forEach((value, index) => {
      this.#slots[index] = value
    })
  }

  /**
   * This attempt has failed. Who listens to it hears of its end now, not of the call's; its usage is not the call's,
   * and what still comes of it is ignored. Once.
   * @returns undefined when it is abandoned already, or the call is over: nothing happens then
   */
  abandon(error: GatewayError, { keepUsage = false }: AbandonOptions = {}): Abandoned | undefined {
    const shared = this.#shared
    if (this.attempt === 0) throw new Error('only an attempt can be abandoned')
    if (shared.finished || this.#abandoned) return undefined
    this.#abandoned = true
    const usage = this.#ownUsage()
    if (keepUsage) shared.keptUsage = addUsage(shared.keptUsage, usage)
    shared.usage = undefined
    shared.estimate = undefined
    const { totalMs, upstreamMs } = shared.times.endAttempt(this.#startedAt, shared.init.now())
    const own = shared.listeners.filter(({ of }) => of === this)
    shared.listeners = shared.listeners.filter(({ of }) => of !== this)
    this.#tell(own, {
      outcome: 'failed',
      status: error.status,
      error,
      usage,
      reachedProvider: this.#reachedProvider,
      asked: this.#reachedProvider ? 1 : 0,
      bytesOut: 0,
      durations: { totalMs, parsingMs: 0, beforeMs: 0, cacheMs: 0, upstreamMs },
    })
    return { usage, totalMs, upstreamMs }
  }

  /**
   * Runs once: after the last byte was handed over, the client left, or the call failed. On an attempt that is
   * abandoned it runs then. Registering later is a fault.
   */
  onFinish(listener: FinishListener): void {
    if (this.#shared.finished) throw new Error('onFinish was called after the call had finished')
    this.#shared.listeners.push({ of: this, listener })
  }

  /** The tokens that the provider reported so far; the last report wins. One that no call can have is not taken. */
  recordUsage(usage: Usage): void {
    if (!this.#abandoned && isPossible(usage)) this.#shared.usage = usage
  }

  /**
   * Counts what the provider leaves out, as one does whose stream is cut. Asked for what was reported until then, at the
   * latest when the call ends; the last estimate counts.
   */
  estimateUsage(estimate: UsageEstimate): void {
    if (!this.#abandoned) this.#shared.estimate = estimate
  }

  /** The tokens of the whole call so far, those of parts that other attempts gave included. */
  get usage(): Usage | undefined {
    return addUsage(this.#shared.keptUsage, this.#ownUsage())
  }

  /** The request goes to a provider now, whatever comes of it. @param isReached false: it did not leave after all */
  markProviderReached(isReached = true): void {
    if (this.#reachedProvider === isReached) return
    this.#reachedProvider = isReached
    const shared = this.#shared
    shared.providersReached += isReached ? 1 : -1
    if (!isReached) return
    shared.times.asked(shared.init.now())
    shared.onAsked?.(this)
  }

  /** Told by each attempt when its provider is about to be asked: from then on the call may cost something. */
  onAsked(listener: AskedListener): void {
    this.#shared.onAsked = listener
  }

  /** The head of the provider's answer is here. */
  markAnswerBegun(isStream: boolean): void {
    if (!this.#abandoned) this.#shared.times.begun(this.#shared.init.now(), isStream)
  }

  /** The provider's answer is here to its last byte, or was left. */
  answerEnded(): void {
    if (!this.#abandoned) this.#shared.times.ended(this.#shared.init.now())
  }

  /** Milliseconds of the way to a provider that went into the cache, or into reading the request. */
  countTime(part: 'cacheMs' | 'parsingMs', ms: number): void {
    this.#shared.times[part] += ms
  }

  /** Another attempt took its place, or its failure is that of the call. */
  get isAbandoned(): boolean {
    return this.#abandoned
  }

  /** Whether a provider was asked by this attempt; for the call itself, see `Finish`. */
  get reachedProvider(): boolean {
    return this.#reachedProvider
  }

  /** Some bytes of the answer's body go out now. */
  markSent(bytes: number): void {
    const shared = this.#shared
    shared.times.sent(shared.init.now)
    shared.bytesOut += bytes
  }

  /** Ends the call. The first caller wins; later ones are ignored, so every exit may call it. */
  finish(outcome: Outcome, status: number, error?: GatewayError): void {
    const shared = this.#shared
    if (shared.finished) return
    shared.finished = true
    const lastUsage = this.#ownUsage()
    const finish: Finish = {
      outcome,
      status,
      error,
      usage: addUsage(shared.keptUsage, lastUsage),
      lastUsage,
      reachedProvider: shared.providersReached > 0,
      asked: shared.providersReached,
      bytesOut: shared.bytesOut,
      durations: shared.times.end(shared.init.now()),
    }
    this.#tell(shared.listeners, finish)
  }

  #readParams(): Readonly<Record<string, unknown>> {
    const { init, endpoint, times } = this.#shared
    const startedAt = init.now()
    const params = readParams(endpoint, init.request)
    times.parsingMs += init.now() - startedAt
    this.#shared.params = params
    return params
  }

  #tell(listeners: readonly Listening[], finish: Finish): void {
    for (const { listener } of listeners) {
      try {
        listener(finish)
      } catch (thrown) {
        this.#shared.init.onListenerError(thrown)
      }
    }
  }

  /** Usage of the attempt that runs, or ran last. */
  #ownUsage(): Usage | undefined {
    const { estimate, usage } = this.#shared
    return estimate === undefined ? usage : this.#estimated(estimate)
  }

  /** An estimate that fails is a fault of ours, and must not keep the call from ending. */
  #estimated(estimate: UsageEstimate): Usage | undefined {
    const { usage, init } = this.#shared
    try {
      return estimate(usage)
    } catch (thrown) {
      init.onListenerError(thrown)
      return usage
    }
  }

  /**
   * For the pipeline only: the call enters stage number `depth`.
   * @returns false when it has been there already, so when `next` was called twice.
   */
  enter(depth: number, mayFork: boolean): boolean {
    if (this.#depth >= depth) return false
    this.#depth = depth
    this.#mayFork = mayFork
    return true
  }
}
