import type { Call } from '#kit'

/** Places whose answers are about the state of something (behaviour reference, section 6). */
const STATEFUL =
  /\/(?:files|uploads|batches|fine_tuning|fine-tunes|threads|assistants|vector_stores|audio|images\/(?:edits|variations)|realtime)(?:\/|$)/

/** Whether the answer to a call may be one that was given before. */
export const isCachable = (call: Call): boolean => {
  switch (call.endpoint) {
    case 'models':
    case 'render':
      return false
    case 'proxy':
      return isQuestion(call)
    default:
      return true
  }
}

/** What passes through is anything: only what looks like a question to a model, and wants its answer in one piece. */
const isQuestion = ({ request: { method, path }, params }: Call): boolean =>
  method === 'POST' && Object.keys(params).length > 0 && params.stream !== true && !STATEFUL.test(path)
