import { assistantPrefix, attempt, type GuardrailReports } from '#calls/slots'
import { type Answer, type Call, eventText, isReadyStream, Pipe } from '#kit'
import type { Target } from '#kit/slots'
import { denied, hookResults } from './refusal.ts'
import { FirstEventMachine } from './stream/first-event.ts'
import type { StreamGuardOptions } from './stream/guard-stream.ts'

export const isEventStream = ({ headers, verbatim }: Answer): boolean =>
  verbatim !== true && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')

/** What a guard of a stream is told of its call. */
export const streamOptions = (
  call: Call,
  to: Target,
  reports: GuardrailReports,
): Pick<StreamGuardOptions, 'before' | 'refusal' | 'endOfRefused' | 'last' | 'isCarriedOn' | 'onGivenUp'> => {
  const { answer } = call.endpoint
  const end = answer.kind === 'events' ? answer.form.last : undefined
  const prefix = call.find(assistantPrefix)
  return {
    // A target that was not asked to go on says all of it again.
    before: prefix?.echo === undefined ? undefined : prefix.text,
    refusal: (by) => denied(by, 'output', reports),
    endOfRefused: (by) => (by.definition.soft_deny_200 ? (end ?? DONE) : undefined),
    last: () => (to.strict || reports.after.length === 0 ? '' : hookResultsEvent(reports, end === '')),
    isCarriedOn: () => call.find(attempt)?.isCarriedOn?.() === true,
    onGivenUp: (tell) => call.cancellation.addEventListener('abort', tell),
  }
}

const DONE = eventText('[DONE]')

/** @param isNamed events of the form have names */
const hookResultsEvent = (reports: GuardrailReports, isNamed: boolean): string => {
  const { after_request_hooks } = hookResults(reports)
  return eventText(JSON.stringify({ hook_results: { after_request_hooks } }), isNamed ? 'hook_results' : undefined)
}

/** A stream whose first event says what guardrails of the request came to. */
export const withHookResultsFirst = (answer: Answer, { before }: GuardrailReports): Answer => {
  if (!isReadyStream(answer.body)) return answer
  const fields = { hook_results: { before_request_hooks: before } }
  answer.body = new Pipe(answer.body, new FirstEventMachine(fields))
  return answer
}
