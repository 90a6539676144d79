import { GatewayError } from '#kit'
import type { Cursor, Stop } from './cursor.ts'
import { judgeError } from './failure.ts'

/**
 * Binds a target, or the first one after it that can be: a stored provider that has expired is a failed target, which a
 * fallback goes on from.
 * @param passed hears of each target that was left behind
 * @throws what the last of them was refused with; what a call cannot be sent anywhere with, at once
 */
export const reach = async <Bound>(
  cursor: Pick<Cursor, 'advance'>,
  from: Stop,
  bind: (stop: Stop) => Bound | Promise<Bound>,
  passed: (stop: Stop, error: GatewayError) => void,
): Promise<Bound> => {
  let stop = from
  for (;;) {
    try {
      return await bind(stop)
    } catch (thrown) {
      const failure = judgeError(thrown)
      const following = failure.ends ? undefined : cursor.advance(failure)
      if (following === undefined || !(thrown instanceof GatewayError)) throw thrown
      passed(stop, thrown)
      stop = following
    }
  }
}
