import { assistantPrefix } from '#calls/slots'
import type { Resilience } from '#core/ports'
import { type Answer, type Call, GatewayError, isReadyStream, type Next } from '#kit'
import type { StreamRecovery } from '#kit/plan'
import {
  type AttemptReport,
  attempts,
  type CallConfig,
  callConfig,
  type Target,
  type TargetVisit,
  visits,
} from '#kit/slots'
import { discard, modelOf, refusesPrefix, type Tried, tryOnce } from './attempt.ts'
import type { Probe } from './breaker.ts'
import { Budget, type BudgetOptions } from './budget.ts'
import { Cursor, type Stop } from './cursor.ts'
import { routeFacts } from './facts.ts'
import { type Judgement, judgeError, refusesRequest, SILENT } from './failure.ts'
import { type AllBreakers, TargetHealth } from './health.ts'
import type { Patience, Waits } from './patience.ts'
import { reach } from './reach.ts'
import type { Recover, TakenOver } from './recovery/recovery.ts'
import { ALL_USED_UP, nameTarget, resetReplyHeaders } from './reply-headers.ts'
import { type RetryFacts, retryWaitMs, type Wait } from './retry.ts'
import { beginVisit, noteTry } from './visits.ts'

const FIRST_TOKEN_ERRORS: ReadonlySet<string> = new Set(['first_byte_timeout', 'first_token_timeout'])

/** What all journeys have in common. */
export interface JourneyOptions extends BudgetOptions {
  readonly breakers: AllBreakers
  readonly patience: Patience
  readonly random: () => number
  readonly wait: Wait
  /** Lets streams go on elsewhere when they break. */
  readonly recover: Recover
  /** What holds where the config does not say. */
  readonly resilience: Resilience
  /** Milliseconds since 1970. */
  readonly wallClock: () => number
  /** Milliseconds of the first back-off. */
  readonly retryBaseMs: number
}

/** A target that is asked, perhaps again and again. */
interface Visit {
  readonly stop: Stop
  readonly to: Target
  /** For the record of the call. */
  readonly noted: TargetVisit
  retries: number
  /** It would not go on from what the client has. */
  withoutPrefix: boolean
  probe: Probe | undefined
}

/** What is known of a call whose first attempt was made before the journey. */
export interface Begun {
  readonly startedMs: number
  /** Before that attempt. */
  readonly replyHeaders: ReadonlyMap<string, string>
}

/** One call on its way over the targets of its plan, until one answers or none is left. */
export class Journey {
  readonly #call: Call
  readonly #next: Next
  readonly #options: JourneyOptions
  readonly #config: CallConfig
  readonly #cursor: Cursor
  readonly #health: TargetHealth
  readonly #budget: Budget
  /** What the stages before set: what an attempt adds is dropped with it. */
  readonly #replyHeaders: ReadonlyMap<string, string>
  readonly #reports: AttemptReport[] = []
  readonly #visits: TargetVisit[] = []
  /** Models that would not take the request. */
  readonly #refusedBy = new Set<string>()
  #last: Tried | undefined
  /** Milliseconds that the first visit had run for when the journey began. */
  readonly #aheadMs: number
  /** The one that is asked, or was asked last. */
  #current: Visit | undefined
  /** What the attempt that runs, or ran last, waits for. */
  #waits: Waits | undefined

  constructor(call: Call, next: Next, options: JourneyOptions, begun?: Begun) {
    this.#call = call
    this.#next = next
    this.#options = options
    this.#config = call.get(callConfig)
    const once = call.endpoint.replay === 'never' ? { ...options, maxAttempts: 1 } : options
    this.#budget = new Budget(once, begun?.startedMs)
    this.#health = new TargetHealth(options.breakers, call)
    this.#aheadMs = begun === undefined ? 0 : options.now() - begun.startedMs
    call.set(visits, this.#visits)
    this.#replyHeaders = begun?.replyHeaders ?? new Map(call.replyHeaders)
    this.#cursor = new Cursor({
      ...routeFacts(call, options.wallClock()),
      random: options.random,
      isAvailable: this.#health.isAvailable,
    })
  }

  /**
   * @param first the attempt that was made before
   * @throws what the last target failed with
   */
  async run(first?: Tried): Promise<Answer> {
    const answer = await this.#start(first).finally(() => {
      // Also of a failed attempt, for the log.
      if (this.#last !== undefined) this.#call.adopt(this.#last.fork)
    })
    const mode = this.#recovery
    if (mode === 'error' || !isReadyStream(answer.body)) return answer
    return this.#options.recover({
      answer,
      mode,
      call: this.#call,
      nextTarget: (error, text) => this.#takeOver(error, mode === 'continue', text),
      mindSilence: (minds) => this.#mindSilence(minds),
    })
  }

  /** What becomes of a stream that breaks now. */
  get #recovery(): StreamRecovery {
    const successor = this.#cursor.recovery
    return successor === undefined ? 'error' : (successor.mode ?? this.#options.resilience.streamRecovery)
  }

  /** From now on silence counts as broken where another target could take over, or not before the ordinary deadline. */
  #mindSilence(minds: boolean): void {
    if (this.#waits === undefined) return
    const { deadlines, silenceMs, ordinaryIdleMs } = this.#waits
    deadlines.idleMs = minds && this.#canTakeOver ? silenceMs : ordinaryIdleMs
  }

  async #start(first: Tried | undefined): Promise<Answer> {
    return this.#ask(await this.#reach(this.#cursor.start(this.#config.plan.root)), undefined, first)
  }

  /** Asks this target and those after it, until one answers. */
  async #ask(first: Visit, text?: string, before?: Tried): Promise<Answer> {
    let visit = first
    let known = before
    this.#visits.push(visit.noted)
    for (;;) {
      this.#current = visit
      const tried = known ?? (await this.#try(visit, text))
      known = undefined
      this.#note(visit, tried)
      const { answer, judgement } = tried
      if (answer !== undefined && !this.#isUnwanted(visit, judgement)) return this.#accept(visit, answer)
      if (refusesPrefix(tried) && this.#budget.allowsMore) {
        this.#discard(visit, tried)
        visit.withoutPrefix = true
        visit.probe = this.#health.begin(visit.stop)
        continue
      }
      const waitMs = retryWaitMs(tried, this.#retryFacts(visit, judgement))
      if (waitMs !== undefined) {
        this.#discard(visit, tried)
        await this.#wait(waitMs)
        visit.retries++
        visit.noted.retries++
        visit.probe = this.#health.begin(visit.stop)
        continue
      }
      const following = await this.#follow(tried)
      if (following === undefined) return this.#conclude(visit, tried)
      this.#leave(visit, tried)
      visit = following
      this.#visits.push(visit.noted)
    }
  }

  /** The answer of a further target, after a stream broke. */
  async #takeOver(error: unknown, keepUsage: boolean, text?: string): Promise<TakenOver | undefined> {
    const broken = this.#last
    const left = this.#current
    const judgement = judgeError(error)
    const following = await this.#follow({ judgement })
    if (following === undefined) return undefined
    if (broken !== undefined && left !== undefined) {
      if (keepUsage) left.noted.isPart = true
      this.#leave(left, { ...broken, thrown: error, judgement }, keepUsage)
    }
    const answer = await this.#ask(following, text).catch((thrown: unknown) => {
      // The target before took the request: that another does not is no news for the client.
      throw refusesRequest(judgeError(thrown)) ? error : thrown
    })
    const fork = this.#last?.fork
    if (fork !== undefined) this.#call.adopt(fork)
    return { answer, echo: fork?.find(assistantPrefix)?.echo }
  }

  /** Says which target the answer is expected from, for a head that goes out before it. */
  nameTarget(): void {
    if (this.#current === undefined) return
    const { stop, to, retries } = this.#current
    nameTarget(this.#call, stop.leaf.path, to, retries)
  }

  async #try(visit: Visit, text?: string): Promise<Tried> {
    const { stop, to, withoutPrefix } = visit
    const waits = this.#options.patience.ofAttempt(this.#call, to, this.#budget.remainingMs, this.#canTakeOver)
    this.#waits = waits
    if (this.#reports.length > 0) resetReplyHeaders(this.#call, this.#replyHeaders)
    return tryOnce(this.#call, {
      next: this.#next,
      to,
      path: stop.leaf.path,
      state: { ...waits, isCarriedOn: () => this.#recovery === 'continue' },
      looksInside: this.#cursor.mindsContent,
      now: this.#options.now,
      prefix: text === undefined || withoutPrefix ? undefined : { text },
    })
  }

  #note({ stop, to, probe, noted }: Visit, tried: Tried): void {
    if (tried.fork.reachedProvider) {
      this.#budget.countAsked()
      noted.asked++
    }
    if (tried.judgement.refusal !== undefined) this.#refusedBy.add(modelOf(to))
    this.#last = tried
    this.#learn(tried)
    this.#reports.push(tried.reported)
    if (this.#reports.length > 1) this.#call.set(attempts, this.#reports)
    this.#health.end(stop, probe, tried)
  }

  /** What an attempt took is remembered for the next calls, unless the answer was here already. */
  #learn({ fork, answer, judgement, thrown, reported }: Tried): void {
    const waits = this.#waits
    if (waits === undefined || !fork.reachedProvider) return
    const { patience } = this.#options
    if (answer !== undefined && judgement.status >= 200 && judgement.status <= 299)
      patience.answered(waits, reported.ms)
    else if (thrown instanceof GatewayError && FIRST_TOKEN_ERRORS.has(thrown.code)) patience.late(waits)
  }

  /** Whether another target would be asked if this one were silent. */
  get #canTakeOver(): boolean {
    return !this.#budget.isLast && this.#cursor.canAdvance(SILENT)
  }

  /** Whether an answer is one to ask again for, or to go on from. */
  #isUnwanted({ stop }: Visit, judgement: Judgement): boolean {
    return stop.leaf.retry?.onStatusCodes.has(judgement.status) === true || this.#cursor.canAdvance(judgement)
  }

  #retryFacts({ stop, retries }: Visit, judgement: Judgement): RetryFacts {
    const { random, retryBaseMs, resilience } = this.#options
    const hasOther = this.#cursor.canAdvance(judgement)
    const { useRetryAfterHeader } = resilience
    return {
      leaf: stop.leaf,
      retries,
      budget: this.#budget,
      hasOther,
      baseMs: retryBaseMs,
      useRetryAfterHeader,
      random,
    }
  }

  async #wait(ms: number): Promise<void> {
    this.#budget.countWaited(ms)
    if (ms > 0) await this.#options.wait(ms, this.#call.signal)
  }

  /** The next target, past those whose model would not take the request. */
  async #follow({ judgement, answer }: Pick<Tried, 'judgement' | 'answer'>): Promise<Visit | undefined> {
    while (this.#budget.allowsMore && !judgement.ends) {
      const stop = this.#cursor.advance(judgement)
      if (stop === undefined) return undefined
      try {
        const visit = await this.#reach(stop)
        if (!this.#refusedBy.has(modelOf(visit.to))) return visit
        this.#health.end(visit.stop, visit.probe)
      } catch (thrown) {
        // What a target said that was asked tells more than that the others cannot be.
        if (!judgeError(thrown).ends) return undefined
        if (answer !== undefined && isReadyStream(answer.body)) answer.body.cancel()
        throw thrown
      }
    }
    return undefined
  }

  /** A visit of the target, or of the first one after it that can be asked. @throws what none of them can be with */
  #reach(from: Stop): Promise<Visit> {
    return reach(
      this.#cursor,
      from,
      (stop) => this.#visit(stop),
      ({ leaf }, { code, status, options }) => {
        this.#reports.push({ path: leaf.path, provider: options.param ?? '', status, error: code, ms: 0 })
      },
    )
  }

  /** @throws a catalogue error when the call cannot be sent to it */
  async #visit(stop: Stop): Promise<Visit> {
    const probe = this.#health.begin(stop)
    const { only, bind } = this.#config
    try {
      const to = only ?? (await bind(stop.leaf))
      const { path } = stop.leaf
      return { stop, to, noted: beginVisit(path, to, this.#wallMs()), retries: 0, withoutPrefix: false, probe }
    } catch (thrown) {
      this.#health.end(stop, probe)
      throw thrown
    }
  }

  /** When a visit that begins now did begin: the first one may have been made before the journey. */
  #wallMs(): number {
    return this.#options.wallClock() - (this.#visits.length === 0 ? this.#aheadMs : 0)
  }

  /** A try that is not used; its target may be asked again. */
  #discard({ noted }: Visit, tried: Tried, keepUsage = false): void {
    const left = discard(tried, keepUsage)
    if (left !== undefined) noteTry(noted, tried, left)
  }

  /** The last try of a target. */
  #leave(visit: Visit, tried: Tried, keepUsage = false): void {
    visit.noted.isOver = true
    this.#discard(visit, tried, keepUsage)
  }

  #accept({ stop, to, retries }: Visit, answer: Answer): Answer {
    this.#noteThinking()
    nameTarget(this.#call, stop.leaf.path, to, retries)
    if (isReadyStream(answer.body)) answer.body = this.#health.watch(stop, answer.body)
    return answer
  }

  /** A model that says what it thought about is one that thinks, whatever its name. */
  #noteThinking(): void {
    const waits = this.#waits
    if (waits?.key === undefined) return
    this.#call.onFinish(({ usage }) => {
      if ((usage?.reasoningTokens ?? 0) > 0) this.#options.patience.thought(waits)
    })
  }

  /** Nobody is left to ask: the last answer or failure is the call's. */
  #conclude(visit: Visit, tried: Tried): Answer {
    const { stop, to, retries } = visit
    const counted = retries > 0 && retries === stop.leaf.retry?.attempts ? ALL_USED_UP : retries
    if (tried.answer !== undefined) return this.#accept({ ...visit, retries: counted }, tried.answer)
    nameTarget(this.#call, stop.leaf.path, to, counted)
    this.#leave(visit, tried)
    throw tried.thrown
  }
}
