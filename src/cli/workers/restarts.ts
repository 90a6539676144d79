/** A worker that served for less has died at once. */
const SOON_MS = 10_000
/** So many in a row, and there is something that no restart mends. */
const MOST_SOON = 5
const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 10_000

/** What is done about a worker that has died: it is started again after a while, or that is given up. */
export type Restart = { readonly afterMs: number } | 'give-up'

/** Decides about the workers of one place. */
export const createRestarts = () => {
  let soon = 0
  return {
    /**
     * @param servedMs since it was ready; undefined when it never was
     * @param othersServe a worker that cannot start, as while the database is away, is then tried for as long as it takes
     */
    next(servedMs: number | undefined, othersServe: boolean): Restart {
      if (servedMs !== undefined && servedMs >= SOON_MS) soon = 0
      soon++
      if (soon > MOST_SOON && !(servedMs === undefined && othersServe)) return 'give-up'
      return { afterMs: Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (soon - 1)) }
    },
  }
}
