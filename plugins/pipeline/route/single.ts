import type { Attempt } from '#calls/slots'
import type { Answer, Call, Next } from '#kit'
import type { Leaf } from '#kit/plan'
import type { Target } from '#kit/slots'
import { answered, failed, forkTo, type Tried } from './attempt.ts'
import { Journey, type JourneyOptions } from './journey.ts'
import { nameTarget } from './reply-headers.ts'

/** One target, and nowhere else to go. */
export interface Single {
  readonly leaf: Leaf
  readonly to: Target
  /** State of its first attempt. */
  readonly state: Attempt
}

/**
 * The way of nearly all calls: one target, asked once. Just what a journey does first; one begins only where that attempt was
 * not good enough.
 * @throws what the target failed with last
 */
export const askSingle = async (
  call: Call,
  next: Next,
  { leaf, to, state }: Single,
  options: JourneyOptions,
): Promise<Answer> => {
  const { retry, path } = leaf
  const startedMs = options.now()
  // Only a further attempt goes back to them.
  const replyHeaders = retry === undefined ? call.replyHeaders : new Map(call.replyHeaders)
  const fork = forkTo(call, to, state)
  const goOn = (tried: Tried): Promise<Answer> =>
    new Journey(call, next, options, { startedMs, replyHeaders }).run(tried)
  let answer: Answer
  try {
    answer = await next(fork)
  } catch (thrown) {
    return goOn(failed(fork, to, path, thrown, options.now() - startedMs))
  }
  if (retry?.onStatusCodes.has(answer.status) === true) {
    return goOn(answered(fork, to, path, answer, false, options.now() - startedMs))
  }
  call.adopt(fork)
  nameTarget(call, path, to, 0)
  return answer
}
