/**
 * Waits for the work, but not for longer than so many milliseconds: then it gives nothing, or throws what `late` returns. The
 * work is not stopped: it must notice, or end, by itself.
 * @throws the reason of the signal, as soon as the wait is given up
 */
export function within<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T>
export function within<T>(work: Promise<T>, ms: number, late?: undefined, signal?: AbortSignal): Promise<T | undefined>
export async function within<T>(
  work: Promise<T>,
  ms: number,
  late?: () => Error,
  signal?: AbortSignal,
): Promise<T | undefined> {
  signal?.throwIfAborted()
  const { promise: over, resolve, reject } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => (late === undefined ? resolve(undefined) : reject(late())), ms)
  const leave = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, over])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
}
