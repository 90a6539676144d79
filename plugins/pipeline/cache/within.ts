/**
 * What the promise comes to, or undefined when that takes too long.
 * @throws the reason of the signal, as soon as the call is given up
 */
export const within = async <T>(promise: Promise<T>, ms: number, signal: AbortSignal): Promise<T | undefined> => {
  signal.throwIfAborted()
  const { promise: over, resolve, reject } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), ms)
  const leave = (): void => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([promise, over])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}
