import type { RecordRow } from './record-table.tsx'

/** Why a call ended badly, in words, and where that can be changed. */
export interface Refusal {
  readonly words: string
  /** Id of the policy that the gateway names. */
  readonly policyId: string | undefined
  readonly isBudget: boolean
}

const POLICY = /policy ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i

/** What people can do about it, by the status. */
const ADVICE: Readonly<Record<number, string>> = {
  400: 'The request could not be used as it is. The message says which part.',
  401: 'The key is not known here or has expired. Send one of the list of keys.',
  403: 'The key may not do this. Give it the scope, or use another key.',
  404: 'Nothing has this name here: look at the model, the config or the prompt that was asked for.',
  408: 'It took longer than the call was given.',
  412: 'A budget is used up, or the model is not allowed. Raise the budget, reset it, or wait for its next period.',
  413: 'The request was larger than the gateway takes.',
  429: 'A limit was reached. Wait, raise it, or spread the calls.',
  446: 'A guardrail said no: its verdict is below.',
  499: 'Whoever called left before the answer was complete.',
}

/** @returns undefined for a call that ended well */
export const refusalOf = ({
  is_success,
  response_status_code: status,
  error_message: message,
  error_code: code,
  attempts,
}: RecordRow): Refusal | undefined => {
  if (is_success === 1) return undefined
  const atProvider = attempts > 0 ? 'The provider answered so.' : undefined
  const advice = atProvider ?? ADVICE[status] ?? 'The gateway did not send it on.'
  return {
    words: [message, advice].filter(Boolean).join(' '),
    policyId: POLICY.exec(message ?? '')?.[1],
    isBudget: status === 412 || code?.includes('budget') === true,
  }
}
