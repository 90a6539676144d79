import type { ErrorForm } from '#kit'
import { toEnvelope } from '#kit/provider'
import { writeEvent } from './events.ts'

/**
 * Errors of responses: OpenAI's envelope, and in a stream the event `error`, on which its SDKs raise. It says the same twice: in
 * `error`, as OpenAI's streams do (openai-node 7.55.0, core/streaming.mjs; @ai-sdk/openai), and beside the type, as its reference
 * has it (`ResponseErrorEvent`), both read 2026-11-22. No event follows it, so its number is the highest there is.
 */
export const responseErrors: ErrorForm = {
  body: toEnvelope,
  event(error) {
    const { error: words, hook_results } = toEnvelope(error)
    const { message, code, param } = words
    const told = hook_results === undefined ? {} : { hook_results }
    return writeEvent({ type: 'error', sequence_number: LAST, code, message, param, error: words, ...told })
  },
}

/** Who has sent how many events before is not known where the stream broke. */
const LAST = 2_147_483_647
