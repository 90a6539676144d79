/** By then a start is over, with all that it put off. */
const SETTLED_MS = 2_000

/**
 * Gives back what only the start needed, at the cost of some 30 ms: the engine would keep it until calls fill its heap. That of an
 * embedded database that was made just now is hundreds of megabytes.
 */
export const tidyUp = (): void => {
  setTimeout(() => {
    Bun.gc(true)
    // Compiled code of the start goes too. Said to be deprecated, and nothing takes its place.
    Bun.shrink()
  }, SETTLED_MS).unref()
}
