import type { CompiledGuardrail } from '#calls/guardrails/compile'
import { BodyContent, type Content } from '#calls/guardrails/content'
import { Reporter } from '#calls/guardrails/reporter'
import { runGuardrails, type StageOutcome } from '#calls/guardrails/run-guardrails'
import { type GuardrailReports, guardrailReports } from '#calls/slots'
import { applyTargetParams, originOf, requestParams } from '#calls/target-params'
import type { CheckStage, TextPlace } from '#core/guardrails'
import type { Answer, Call, CallRequest, Host, Next, ReadyStream } from '#kit'
import { isReadyStream } from '#kit'
import { type Target, target } from '#kit/slots'
import { bytesOfAnswer, parsedAnswer, softAnswer, withHookResults } from './answers.ts'
import { type Asked, contextOf } from './checked-call.ts'
import type { CallGuardrails } from './guardrails-of.ts'
import { denied, hookResults, refusalText } from './refusal.ts'
import { guardStream } from './stream/guard-stream.ts'
import { planOf } from './stream/plan.ts'
import { isEventStream, streamOptions, withHookResultsFirst } from './streamed.ts'

type Fields = Readonly<Record<string, unknown>>

export type GuardHost = Pick<Host, 'checkPowers' | 'clock' | 'randomId' | 'records'>

/** A request that guardrails let pass, for retries at the same target. */
interface Passed {
  readonly of: Target
  readonly outcome: StageOutcome
}

const NO_PLACES = (): readonly TextPlace[] => []

/** Runs the guardrails of calls, on what is asked and on what is answered. */
export class Guard {
  readonly #host: GuardHost
  readonly #reporter: Reporter
  readonly #streamBufferBytes: number
  readonly #passed = new WeakMap<CallRequest, Passed>()

  /** @param streamBufferBytes of a stream that are held back, at most */
  constructor(host: GuardHost, streamBufferBytes: number) {
    this.#host = host
    this.#streamBufferBytes = streamBufferBytes
    this.#reporter = new Reporter(host)
  }

  /** One attempt at a target. @throws GuardrailDenied */
  async answer(call: Call, next: Next, guardrails: CallGuardrails): Promise<Answer> {
    const to = call.get(target)
    const reports: GuardrailReports = { before: [], after: [] }
    call.set(guardrailReports, reports)
    const params = applyTargetParams(requestParams(call, to), to)
    const content = new BodyContent(params, call.endpoint.texts?.asked ?? NO_PLACES)
    const before = await this.#input(call, to, content, guardrails, reports)
    if (before.deniedBy !== undefined) return this.#refuse(call, to, 'input', before.deniedBy, reports)
    if (before.content.isTransformed && call.endpoint.body.kind === 'json') ask(call, to, before.content.json)
    const answer = await next()
    if (answer.status !== 200) return answer
    if (before.hasFailed) answer.status = FAILED_STATUS
    const asked: Asked = { params: before.content.json, texts: before.content.texts }
    return isReadyStream(answer.body)
      ? this.#stream(call, to, asked, answer, answer.body, guardrails, reports)
      : this.#whole(call, to, asked, answer, guardrails, reports)
  }

  /** A retry asks the same of the same: what passed once is not looked at again. */
  async #input(
    call: Call,
    to: Target,
    content: Content,
    { input }: CallGuardrails,
    reports: GuardrailReports,
  ): Promise<StageOutcome> {
    const passed = this.#passed.get(call.request)
    if (passed !== undefined && passed.of === originOf(to)) {
      reports.before = passed.outcome.reports
      return passed.outcome
    }
    const asked: Asked = { params: content.json, texts: content.texts }
    const outcome = await runGuardrails(input, content, contextOf(call, to, 'input', asked, this.#host))
    this.#reporter.add(call, reports, 'before', outcome.reports, outcome.later)
    if (outcome.deniedBy === undefined) this.#passed.set(call.request, { of: originOf(to), outcome })
    return outcome
  }

  /** A whole answer. */
  async #whole(
    call: Call,
    to: Target,
    asked: Asked,
    answer: Answer,
    { output }: CallGuardrails,
    reports: GuardrailReports,
  ): Promise<Answer> {
    const placesOf = call.endpoint.texts?.answered
    const isChecked = placesOf !== undefined && output.some((group) => group.length > 0)
    const body = isChecked && answer.body instanceof Uint8Array ? parsedAnswer(answer.body) : undefined
    if (placesOf !== undefined && body !== undefined) {
      const content = new BodyContent(body, placesOf)
      const context = contextOf(call, to, 'output', asked, this.#host, answer.status)
      const after = await runGuardrails(output, content, context)
      this.#reporter.add(call, reports, 'after', after.reports, after.later)
      if (after.deniedBy !== undefined) return this.#refuse(call, to, 'output', after.deniedBy, reports)
      if (after.content !== content) answer.body = bytesOfAnswer(after.content.json)
      if (after.hasFailed) answer.status = FAILED_STATUS
    }
    if (answer.status === FAILED_STATUS || !to.strict) withHookResults(answer, hookResults(reports))
    return answer
  }

  /** A stream. One that is no stream of events passes. */
  async #stream(
    call: Call,
    to: Target,
    asked: Asked,
    answer: Answer,
    source: ReadyStream,
    { output }: CallGuardrails,
    reports: GuardrailReports,
  ): Promise<Answer> {
    if (!isEventStream(answer)) return answer
    const plan = planOf(output)
    const texts = plan && call.endpoint.texts?.stream?.(asked.params)
    if (plan !== undefined && texts !== undefined) {
      const { body, deniedBy, hasFailed } = await guardStream(source, {
        ...streamOptions(call, to, reports),
        plan,
        texts,
        context: contextOf(call, to, 'output', asked, this.#host, answer.status),
        maxBytes: this.#streamBufferBytes,
        report: (done, later) => this.#reporter.add(call, reports, 'after', done, later),
      })
      if (deniedBy !== undefined) return this.#refuse(call, to, 'output', deniedBy, reports)
      answer.body = body
      if (hasFailed) answer.status = FAILED_STATUS
    }
    return to.strict || reports.before.length === 0 ? answer : withHookResultsFirst(answer, reports)
  }

  /** @throws GuardrailDenied unless the guardrail wants its refusal to look like an answer */
  #refuse(call: Call, to: Target, stage: CheckStage, deniedBy: CompiledGuardrail, reports: GuardrailReports): Answer {
    const soft = deniedBy.definition.soft_deny_200 ? this.#soften(call, to, stage, deniedBy, reports) : undefined
    if (soft === undefined) throw denied(deniedBy, stage, reports)
    return soft
  }

  #soften(
    call: Call,
    to: Target,
    stage: CheckStage,
    deniedBy: CompiledGuardrail,
    reports: GuardrailReports,
  ): Answer | undefined {
    const about = { model: to.model ?? '', created: Math.floor(this.#host.clock.now() / 1000) }
    return softAnswer(call, refusalText(deniedBy, stage, reports), about, to.strict ? undefined : hookResults(reports))
  }
}

/** "Passed on, but a guardrail failed" (contract, section 7). */
const FAILED_STATUS = 246

/** The target is asked for what guardrails have made of the request; the parameters of its config are in it already. */
const ask = (call: Call, to: Target, params: Fields): void =>
  call.set(target, {
    ...to,
    origin: originOf(to),
    params,
    overrideParams: undefined,
    defaultParams: undefined,
    dropParams: undefined,
  })
