import { maskedHeaders } from '#calls/messages/headers'
import { guardrailReports, type ProviderMessages } from '#calls/slots'
import { originOf } from '#calls/target-params'
import type { BodyRules, BodyRulesDirectory } from '#core/log-settings'
import type { Logger } from '#core/ports'
import type { CallRecorder } from '#core/records'
import { type Answer, type Call, type Finish, isReadyStream } from '#kit'
import { type ProviderRequest, principal, type Target, target } from '#kit/slots'
import { within } from '#timing/within'
import { bodyPolicyOf, hasFailed } from './body-policy.ts'
import { typeOfBytes } from './content-type.ts'
import { type KeptBody, KeptStream } from './kept-stream.ts'
import { type Exchange, type KeptMessages, recordedMessages } from './recorded-messages.ts'
import { requestBodyOf } from './request-body.ts'

/** The first call of an organisation waits so long for the key that seals its messages; then they are not kept. */
const KEY_TIMEOUT_MS = 1_000

export interface CallMessagesOptions {
  readonly bodyRules: BodyRulesDirectory
  readonly records: Pick<CallRecorder, 'prepare'>
  readonly log: Pick<Logger, 'error'>
}

/**
 * What is kept of the messages of one call. While it runs these are the bytes that are there anyway, and copies of streams up to a
 * bound. All that costs time is done when it has ended, and nothing at all where nothing is kept.
 */
export class CallMessages implements ProviderMessages {
  readonly #call: Call
  readonly #options: CallMessagesOptions
  /** What holds for who calls, once that is known; undefined where nothing is kept. */
  #rules: BodyRules | undefined
  #isJudged = false
  readonly #secrets = new Set<string>()
  readonly #exchanges = new Map<Target, Exchange>()
  #answer: Answer | undefined
  /** Of a form, which is gone when the call has ended. */
  #form: KeptBody | undefined

  constructor(call: Call, options: CallMessagesOptions) {
    this.#call = call
    this.#options = options
  }

  sent(call: Call, request: ProviderRequest): void {
    if (this.#isKept()) this.#exchanges.set(originOf(call.get(target)), { request })
  }

  received(call: Call, answer: Answer): void {
    const exchange = this.#exchanges.get(originOf(call.get(target)))
    if (exchange === undefined) return
    const { status, headers } = answer
    if (isReadyStream(answer.body)) answer.body = new KeptStream(answer.body, typeOfBytes(headers, 'bytes'))
    // Now: the stages on the way out change them.
    exchange.received = { status, headers: maskedHeaders(headers, this.#secrets), type: headers, body: answer.body }
  }

  /** Looks at the answer as the client gets it. Waits for the key that seals it, which is there but for the first call of all. */
  async answered(answering: Promise<Answer>): Promise<Answer> {
    try {
      const answer = await answering
      this.#watch(answer)
      return answer
    } finally {
      const { request } = this.#call
      if (request.body.kind === 'form' && this.#isKept()) this.#form = requestBodyOf(request)
      const preparing = this.#prepare()
      if (preparing !== undefined) await preparing
    }
  }

  /**
   * @param current the attempt that runs, or ran last, where it was not abandoned; else the call itself
   * @returns undefined where nothing is kept
   */
  end(finish: Finish, current: Call): KeptMessages | undefined {
    if (!this.#isKept() || this.#rules === undefined) return undefined
    if (bodyPolicyOf(this.#call, this.#rules) === 'failed' && !hasFailed(finish)) return undefined
    try {
      return recordedMessages(this.#call, finish, {
        rules: this.#rules,
        secrets: this.#secrets,
        exchanges: this.#exchanges,
        answer: this.#answer,
        form: this.#form,
        reports: current.find(guardrailReports),
      })
    } catch (thrown) {
      // A fault of ours must not take the record along. What was thrown may repeat a message.
      const name = thrown instanceof Error ? thrown.name : typeof thrown
      this.#options.log.error('the messages of a call could not be kept', { id: this.#call.id, error: name })
      return undefined
    }
  }

  /** Whether the messages may have to be kept. Nobody is known before `auth` has run. */
  #isKept(): boolean {
    if (this.#isJudged) return this.#rules !== undefined
    const caller = this.#call.find(principal)
    if (caller?.workspaceId === undefined) return false
    this.#isJudged = true
    const rules = this.#options.bodyRules.of(caller.organisationId, caller.workspaceId)
    if (bodyPolicyOf(this.#call, rules) !== 'none') this.#rules = rules
    return this.#rules !== undefined
  }

  #watch(answer: Answer): void {
    if (!this.#isKept() || answer.socket !== undefined) return
    if (isReadyStream(answer.body)) answer.body = new KeptStream(answer.body, typeOfBytes(answer.headers, 'bytes'))
    this.#answer = answer
  }

  #prepare(): Promise<unknown> | undefined {
    const caller = this.#call.find(principal)
    if (!this.#isKept() || caller?.workspaceId === undefined) return undefined
    const preparing = this.#options.records.prepare(caller.organisationId, caller.workspaceId)
    // Without the key nothing is kept of them; whoever seals says so.
    return preparing === undefined ? undefined : within(preparing, KEY_TIMEOUT_MS).catch(() => undefined)
  }
}
