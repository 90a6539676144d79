import { within } from '../../timing/within.ts'
import { StoreUnavailable } from '../errors.ts'

/** Asks the database for what is not in memory: for one thing once at a time, and for so many at most. */
export interface LookUps<Found> {
  /** @throws StoreUnavailable when as many are looked up as may be, at once */
  once(hash: string, lookUp: () => Promise<Found>): Promise<Found>
  /** Whatever goes wrong, what is looked for is not known to be bad. @throws StoreUnavailable */
  inTime<Rows>(query: Promise<Rows>): Promise<Rows>
}

/** @param what as words for one thing, such as `key` @param timeoutMs of a query, in milliseconds */
export const createLookUps = <Found>(what: string, maximum: number, timeoutMs: number): LookUps<Found> => {
  const running = new Map<string, Promise<Found>>()
  return {
    once(hash, lookUp) {
      const already = running.get(hash)
      if (already !== undefined) return already
      if (running.size >= maximum) throw new StoreUnavailable(`Too many ${what}s are being looked up.`)
      const started = lookUp().finally(() => running.delete(hash))
      running.set(hash, started)
      return started
    },
    async inTime(query) {
      const late = () => new StoreUnavailable(`The database did not find a ${what} in ${timeoutMs} ms.`)
      try {
        return await within(query, timeoutMs, late)
      } catch (error) {
        throw error instanceof StoreUnavailable
          ? error
          : new StoreUnavailable(`The database could not look for a ${what}.`)
      }
    },
  }
}
