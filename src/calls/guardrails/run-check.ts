import { defined } from '../../core/defined.ts'
import type { CheckReport, CheckStage } from '../../core/guardrails.ts'
import type { CheckCaller, CheckInput, CheckPowers, CheckPowersSource, CheckVerdict } from '../../kit/check.ts'
import type { CompiledCheck } from './compile.ts'
import type { Content } from './content.ts'
import { isoTime } from './iso-time.ts'

/** All that checks are told of a call besides what is said in it. */
export type CheckedCall = Pick<
  CheckInput,
  | 'request'
  | 'status'
  | 'metadata'
  | 'headers'
  | 'requestType'
  | 'provider'
  | 'model'
  | 'isStreamed'
  | 'traceId'
  | 'part'
>

/** What running checks takes. */
export interface CheckContext {
  readonly stage: CheckStage
  /** Calls of this kind have texts. */
  readonly hasTexts: boolean
  readonly call: CheckedCall
  readonly caller: Omit<CheckCaller, 'check'>
  readonly powers: CheckPowersSource
  /** Aborted when nobody wants to know any more. Made when a check asks for it. */
  signal(): AbortSignal
  /** Milliseconds that never step back. */
  now(): number
  /** Milliseconds since 1970. */
  wallClock(): number
}

/** One check of one content: what is reported, and what it made of the content. */
export interface CheckOutcome {
  readonly report: CheckReport
  readonly content: Content
}

/** Runs a check. Never throws, never rejects, and never takes longer than its deadline. At once, where the check answers so. */
export const runCheck = (
  check: CompiledCheck,
  content: Content,
  context: CheckContext,
): CheckOutcome | Promise<CheckOutcome> => {
  const startedMs = context.now()
  const outcome = (verdict: CheckVerdict): CheckOutcome => toOutcome(check, content, verdict, context, startedMs)
  const input = toInput(content, context)
  try {
    if ((check.kind.needs?.length ?? 0) === 0) {
      const verdict = check.prepared.run(input, NO_POWERS)
      return verdict instanceof Promise ? inTime(check, context, () => verdict).then(outcome) : outcome(verdict)
    }
    return inTime(check, context, async (powers) => check.prepared.run(input, powers)).then(outcome)
  } catch (thrown) {
    return outcome(failed(check, thrown))
  }
}

/** The body is worked out when a check reads it. Written out field by field: checks look at every part of a stream. */
const toInput = (content: Content, { stage, call }: CheckContext): CheckInput => ({
  stage,
  texts: content.texts,
  kinds: content.kinds,
  part: call.part,
  request: call.request,
  status: call.status,
  metadata: call.metadata,
  headers: call.headers,
  requestType: call.requestType,
  provider: call.provider,
  model: call.model,
  isStreamed: call.isStreamed,
  isTransformed: content.isTransformed,
  traceId: call.traceId,
  get json() {
    return content.json
  },
})

const refuse = (power: string) => (): never => {
  throw new Error(`it uses \`${power}\`, which it has to ask for: needs: ['${power}']`)
}

const NO_POWERS: CheckPowers = {
  signal: new AbortController().signal,
  fetch: refuse('fetch'),
  resolves: refuse('resolves'),
  credentials: refuse('credentials'),
  ask: refuse('ask'),
}

/** What a check says within its deadline. */
const inTime = async (
  check: CompiledCheck,
  context: CheckContext,
  run: (powers: CheckPowers) => Promise<CheckVerdict>,
): Promise<CheckVerdict> => {
  const { id, deadlineMs, kind } = check
  const own = new AbortController()
  const signal = context.signal()
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = (reason: unknown): void => {
    reject(reason)
    own.abort(reason)
  }
  const leave = (): void => giveUp(new Error('the call is over'))
  const timer = setTimeout(
    () => giveUp(new DOMException(`took longer than ${deadlineMs} ms`, 'TimeoutError')),
    deadlineMs,
  )
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  try {
    const powers = context.powers.grant(kind.needs ?? [], { ...context.caller, check: id }, own.signal)
    return await Promise.race([run(powers), promise])
  } catch (thrown) {
    return failed(check, thrown)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    // Whatever it began goes on for nobody.
    own.abort()
  }
}

/** A check that fails by itself lets the call pass (contract, section 7), unless it was told not to. */
const failed = ({ prepared }: CompiledCheck, thrown: unknown): CheckVerdict => ({
  verdict: prepared.failsClosed !== true,
  error: thrown instanceof Error ? thrown : new Error('it failed'),
})

const toOutcome = (
  { id, name }: CompiledCheck,
  before: Content,
  verdict: CheckVerdict,
  context: CheckContext,
  startedMs: number,
): CheckOutcome => {
  const { content, error } = changed(before, verdict)
  return {
    content,
    report: {
      id,
      verdict: verdict.verdict,
      transformed: content !== before,
      execution_time: Math.round((context.now() - startedMs) * 1000) / 1000,
      created_at: isoTime(context.wallClock()),
      ...defined({
        name,
        data: verdict.data,
        log: verdict.log,
        error: error === undefined ? undefined : { name: error.name, message: clip(error.message) },
      }),
    },
  }
}

/** A change that cannot be made is an error of the check. */
const changed = (
  content: Content,
  { json, edits, texts, error }: CheckVerdict,
): { readonly content: Content; readonly error: Error | undefined } => {
  try {
    if (json !== undefined) return { content: content.withJson(json), error }
    if (edits !== undefined) return { content: content.withEdits(edits), error }
    return { content: texts === undefined ? content : content.withTexts(texts), error }
  } catch (thrown) {
    return { content, error: error ?? (thrown instanceof Error ? thrown : new Error('its change cannot be made')) }
  }
}

const MAX_MESSAGE = 500

const clip = (message: string): string => (message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message)
