/**
 * Waits for the work, but not for ever. The work itself is not stopped: it must notice, or end, by itself.
 * @throws what `onExpired` returns once the deadline has passed
 */
export const withDeadline = async <T>(work: Promise<T>, deadlineMs: number, onExpired: () => Error): Promise<T> => {
  const { promise: expiry, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(onExpired()), deadlineMs)
  try {
    return await Promise.race([work, expiry])
  } finally {
    clearTimeout(timer)
  }
}
