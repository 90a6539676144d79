import { createBoundedMap } from '../core/bounded-map.ts'
import { UpstreamUnreachable } from '../errors/gateway-error.ts'
import { abandoned } from './http1/wire-error.ts'
import type { Looking, Lookup } from './resolver.ts'

/** Milliseconds an answer of the name service is used without asking again. */
const FRESH_MS = 30_000
/** Milliseconds an old answer is still used: while the name service is asked again, and when it fails. */
const STALE_MS = 300_000
/** Milliseconds a name that could not be found is not asked for again. */
const UNKNOWN_MS = 5_000
/** Names kept, and as many that could not be found. */
const MAX_NAMES = 1_000
/** Characters of the longest name (RFC 1035, section 3.1, written with dots). */
const MAX_NAME_CHARACTERS = 253
/** Names of one owner that wait for their turn. */
const MAX_WAITING_PER_OWNER = 256

export interface NameServiceOptions {
  readonly now: () => number
  readonly timeoutMs: number
  readonly lookup: Lookup
  readonly maxRunning: number
  readonly maxRunningPerOwner: number
}

interface Known {
  readonly addresses: readonly string[]
  readonly atMs: number
}

/** A name that is being asked for, or will be when it is its owner's turn. */
interface Inquiry {
  readonly hostname: string
  readonly owner: string
  /** An old answer is in use: it is asked for although nobody waits. */
  readonly isRefresh: boolean
  readonly waiting: Set<PromiseWithResolvers<readonly string[]>>
  timer?: ReturnType<typeof setTimeout>
  /** It had to wait for its turn: that it is late says nothing about the name. */
  hasQueued: boolean
}

/** Remembers what names led to, and asks for the others: once for many calls, and not for too many at once. */
export class NameService {
  readonly #options: NameServiceOptions
  readonly #known = createBoundedMap<string, Known>(MAX_NAMES)
  /** Until when a name is not asked for again. */
  readonly #unknown = createBoundedMap<string, number>(MAX_NAMES)
  /** By owner, then name: nobody waits for the turn of somebody else. */
  readonly #inquiries = new Map<string, Map<string, Inquiry>>()
  readonly #running = new Set<Inquiry>()
  /** In the order of their turns. */
  #queue: Inquiry[] = []

  constructor(options: NameServiceOptions) {
    this.#options = options
  }

  resolve(hostname: string, owner: string): readonly string[] | Looking {
    const nowMs = this.#options.now()
    const known = this.#known.get(hostname)
    if (known !== undefined && nowMs - known.atMs < FRESH_MS) return known.addresses
    const isStale = known !== undefined && nowMs - known.atMs < STALE_MS
    if ((this.#unknown.get(hostname) ?? 0) > nowMs) {
      if (isStale) return known.addresses
      throw notFound(hostname)
    }
    if (hostname.length > MAX_NAME_CHARACTERS) throw notFound(hostname.slice(0, MAX_NAME_CHARACTERS))
    const inquiry = this.#inquiries.get(owner)?.get(hostname) ?? this.#ask(hostname, owner, isStale)
    if (isStale) return known.addresses
    if (inquiry === undefined) throw new UpstreamUnreachable('Too many names are being looked up for this workspace.')
    return this.#wait(inquiry)
  }

  #ask(hostname: string, owner: string, isRefresh: boolean): Inquiry | undefined {
    const ofOwner = this.#inquiries.get(owner) ?? new Map<string, Inquiry>()
    if (ofOwner.size >= MAX_WAITING_PER_OWNER) return undefined
    const inquiry: Inquiry = { hostname, owner, isRefresh, waiting: new Set(), hasQueued: false }
    inquiry.timer = setTimeout(() => this.#late(inquiry), this.#options.timeoutMs)
    this.#inquiries.set(owner, ofOwner.set(hostname, inquiry))
    this.#queue.push(inquiry)
    this.#next()
    inquiry.hasQueued = !this.#running.has(inquiry)
    return inquiry
  }

  #wait(inquiry: Inquiry): Looking {
    const call = Promise.withResolvers<readonly string[]>()
    inquiry.waiting.add(call)
    return {
      found: call.promise,
      leave: () => {
        inquiry.waiting.delete(call)
        call.reject(abandoned())
        if (inquiry.waiting.size === 0 && !inquiry.isRefresh && !this.#running.has(inquiry)) this.#end(inquiry)
      },
    }
  }

  /** Begins those whose turn it is. */
  #next(): void {
    const { maxRunning, maxRunningPerOwner } = this.#options
    if (this.#queue.length === 0 || this.#running.size >= maxRunning) return
    const runningOf = new Map<string, number>()
    for (const { owner } of this.#running) runningOf.set(owner, (runningOf.get(owner) ?? 0) + 1)
    this.#queue = this.#queue.filter((inquiry) => {
      const running = runningOf.get(inquiry.owner) ?? 0
      if (running >= maxRunningPerOwner || this.#running.size >= maxRunning) return true
      runningOf.set(inquiry.owner, running + 1)
      this.#running.add(inquiry)
      void this.#run(inquiry)
      return false
    })
  }

  async #run(inquiry: Inquiry): Promise<void> {
    const { hostname } = inquiry
    try {
      const addresses = await this.#options.lookup(hostname)
      if (addresses.length === 0) throw new Error('the name has no address')
      this.#unknown.delete(hostname)
      this.#known.set(hostname, { addresses, atMs: this.#options.now() })
      this.#end(inquiry, ({ resolve }) => resolve(addresses))
    } catch (cause) {
      this.#fail(inquiry, cause)
    }
  }

  #late(inquiry: Inquiry): void {
    const cause = new Error('the name service did not answer in time')
    if (inquiry.hasQueued) this.#end(inquiry, ({ reject }) => reject(notFound(inquiry.hostname, cause)))
    else this.#fail(inquiry, cause)
  }

  #fail(inquiry: Inquiry, cause: unknown): void {
    // One that is late has failed before.
    if (!this.#running.has(inquiry)) return
    const { hostname } = inquiry
    this.#unknown.set(hostname, this.#options.now() + UNKNOWN_MS)
    this.#end(inquiry, ({ reject }) => reject(notFound(hostname, cause)))
  }

  #end(inquiry: Inquiry, settle?: (call: PromiseWithResolvers<readonly string[]>) => void): void {
    clearTimeout(inquiry.timer)
    const ofOwner = this.#inquiries.get(inquiry.owner)
    if (ofOwner?.get(inquiry.hostname) === inquiry) ofOwner.delete(inquiry.hostname)
    if (ofOwner?.size === 0) this.#inquiries.delete(inquiry.owner)
    if (!this.#running.delete(inquiry)) this.#queue = this.#queue.filter((each) => each !== inquiry)
    if (settle !== undefined) for (const call of inquiry.waiting) settle(call)
    inquiry.waiting.clear()
    this.#next()
  }
}

const notFound = (hostname: string, cause?: unknown): UpstreamUnreachable =>
  new UpstreamUnreachable(`The address of '${hostname}' could not be found.`, { cause })
