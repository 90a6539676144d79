import { noteAnswer } from '#calls/answered'
import { responseLimits, responseRecords } from '#calls/slots'
import { HeaderList } from '#core/header-fields'
import type { SessionNote, SocketMessage } from '#core/session'
import { type Call, defined, GatewayError, InternalError, type Usage } from '#kit'
import { report, type Target } from '#kit/slots'
import { providerError } from '../provider-error.ts'

const CHARACTERS_PER_TOKEN = 3
const NO_HEADERS = new HeaderList()
/** Of a response that has failed: the provider says no status. */
const FAILED = 502
const DONE = 200

/** What a response has said, as far as the provider has not counted it. */
interface Said {
  text: number
  soundTokens: number
}

interface Running extends Said {
  readonly part: Call
  /** Settles once limits have let it through. Absent: they did at once. */
  readonly admitted: Promise<void> | undefined
}

export interface ResponsesOptions {
  readonly randomId: () => string
  /** The limits of the caller are used up. */
  readonly refuse: (error: GatewayError) => void
}

/**
 * The responses of a session. Each is charged to the limits and budgets of the caller and has a record of its own; the usage of one
 * that is left before the provider has counted it is estimated.
 */
export class Responses {
  readonly #session: Call
  readonly #to: Target
  readonly #options: ResponsesOptions
  #running: Running | undefined
  #count = 0
  #isLeft = false
  /** What the model has to read, as far as it is known: all that was said before. */
  #contextTokens = 0
  /** What the client has said since, by our own count. */
  #heardTokens = 0

  constructor(session: Call, to: Target, options: ResponsesOptions) {
    this.#session = session
    this.#to = to
    this.#options = options
  }

  get areUnderWay(): boolean {
    return this.#running !== undefined
  }

  heard(tokens: number): void {
    this.#heardTokens += tokens
  }

  take({ begins, text = 0, soundTokens = 0, ends, answered }: SessionNote, message: SocketMessage): void {
    // An end without a beginning is one of both.
    if (begins === true || ends !== undefined) this.#running ??= this.#begin()
    const running = this.#running
    if (this.#isLeft) {
      // The limits did not let it through.
      this.leave('truncated')
      return
    }
    if (answered !== undefined) noteAnswer(running === undefined ? this.#session : running.part, answered)
    if (running === undefined) return
    running.part.markSent(message.length)
    running.text += text
    running.soundTokens += soundTokens
    if (ends !== undefined) this.#end(running, ends)
  }

  /** Whether the caller may have another response. */
  check(): void {
    void this.#ask(() => this.#session.find(responseLimits)?.check())
  }

  /** The session is over, also for a response that is under way. */
  leave(outcome: 'client_closed' | 'truncated'): void {
    this.#isLeft = true
    const running = this.#running
    if (running === undefined) return
    this.#running = undefined
    const { part } = running
    part.recordUsage(this.#estimate(running))
    this.#finish(running, () => part.finish(outcome, DONE))
  }

  #begin(): Running {
    const session = this.#session
    const part = session.part(this.#options.randomId())
    const { answered, ...said } = session.get(report)
    part.set(report, { ...said, ...defined({ answered: answered && { ...answered } }) })
    this.#count++
    session.find(responseRecords)?.(part, this.#count)
    const admitted = this.#ask(() => session.find(responseLimits)?.admit(part))
    part.markProviderReached()
    return { part, admitted, text: 0, soundTokens: 0 }
  }

  #end(running: Running, { usage, error }: NonNullable<SessionNote['ends']>): void {
    const { part, text, soundTokens } = running
    this.#running = undefined
    const hasSaid = text > 0 || soundTokens > 0
    const counted = usage ?? (hasSaid ? this.#estimate(running) : undefined)
    if (counted !== undefined) {
      part.recordUsage(this.#to.isCallersHost === true ? { ...counted, ownCount: this.#estimate(running) } : counted)
      this.#contextTokens = counted.totalTokens
      this.#heardTokens = 0
    }
    this.#finish(running, () => {
      if (error === undefined) part.finish('completed', DONE)
      else part.finish('failed', FAILED, providerError(this.#to, FAILED, error, NO_HEADERS))
    })
  }

  /** What was not let through yet cannot be settled. */
  #finish({ admitted }: Running, finish: () => void): void {
    if (admitted === undefined) finish()
    else void admitted.then(finish)
  }

  /** @returns what never rejects: a refusal is told */
  #ask(limits: () => void | Promise<void>): Promise<void> | undefined {
    const refuse = (thrown: unknown): void =>
      this.#options.refuse(
        thrown instanceof GatewayError
          ? thrown
          : new InternalError('The limits could not be asked.', { cause: thrown }),
      )
    try {
      return limits()?.catch(refuse)
    } catch (thrown) {
      refuse(thrown)
      return undefined
    }
  }

  #estimate({ text, soundTokens }: Said): Usage {
    const inputTokens = this.#contextTokens + Math.ceil(this.#heardTokens)
    const spoken = Math.ceil(soundTokens)
    const outputTokens = spoken + Math.ceil(text / CHARACTERS_PER_TOKEN)
    return {
      inputTokens,
      outputTokens,
      totalTokens: inputTokens + outputTokens,
      ...(spoken > 0 ? { audioOutputTokens: spoken } : {}),
      estimated: true,
    }
  }
}
