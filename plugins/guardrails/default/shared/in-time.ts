/** Gives up waiting after a while. What was waited for ends with the deadline of the check. @throws Error in words for people */
export const inTime = async <Value>(work: Promise<Value>, timeoutMs: number): Promise<Value> => {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Milliseconds that a check has left to say what its own time-out means. */
export const GRACE_MS = 1_000

/** Anything that was thrown, as an Error. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error('it failed'))
