import { Cancellation } from '../../src/core/cancellation.ts'

/** The cancellation of a call whose client leaves when a signal says so. */
export const cancelledWith = (signal?: AbortSignal): Cancellation => {
  const cancellation = new Cancellation()
  const leave = (): void => cancellation.abort(signal?.reason)
  if (signal?.aborted === true) leave()
  else signal?.addEventListener('abort', leave)
  return cancellation
}
