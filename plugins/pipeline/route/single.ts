import type { Answer, Call, Leaf, Next } from '#kit'
import type { Attempt, Target } from '#kit/slots'
import { answered, discard, failed, forkTo, type Tried } from './attempt.ts'
import { Journey, type JourneyOptions } from './journey.ts'
import { nameTarget } from './reply-headers.ts'

/** One target, and nowhere else to go. */
export interface Single {
  readonly leaf: Leaf
  readonly to: Target
  /** Of its first attempt. */
  readonly state: Attempt
}

/**
 * The way of nearly all calls: one target, asked once. Just what a journey would do with it, without what only a second
 * attempt needs.
 * @throws what the target failed with
 */
export const askOnce = async (call: Call, next: Next, { leaf, to, state }: Single): Promise<Answer> => {
  const fork = forkTo(call, to, state)
  try {
    return await next(fork)
  } catch (thrown) {
    discard(failed(fork, to, leaf.path, thrown, 0))
    throw thrown
  } finally {
    // Also of one that failed, for the log.
    call.adopt(fork)
    nameTarget(call, leaf.path, to, 0)
  }
}

/**
 * The same for a target that may be asked again: the journey begins where the first attempt was not good enough.
 * @throws what the target failed with last
 */
export const askFirst = async (
  call: Call,
  next: Next,
  { leaf, to, state }: Single,
  options: JourneyOptions,
): Promise<Answer> => {
  const startedMs = options.now()
  const replyHeaders = new Map(call.replyHeaders)
  const fork = forkTo(call, to, state)
  const goOn = (tried: Tried): Promise<Answer> =>
    new Journey(call, next, options, { startedMs, replyHeaders }).run(tried)
  let answer: Answer
  try {
    answer = await next(fork)
  } catch (thrown) {
    return goOn(failed(fork, to, leaf.path, thrown, options.now() - startedMs))
  }
  if (leaf.retry?.onStatusCodes.has(answer.status) === true) {
    return goOn(answered(fork, to, leaf.path, answer, false, options.now() - startedMs))
  }
  call.adopt(fork)
  nameTarget(call, leaf.path, to, 0)
  return answer
}
