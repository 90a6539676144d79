import type { Entry } from './entry.ts'

/** What became of the one call that went ahead. `left`: its client did, so that nobody knows the answer yet. */
export type Landing = { readonly kind: 'answered'; readonly entry: Entry } | { readonly kind: 'left' | 'failed' }

/** Calls for the same answer, in this process: one goes ahead, the others wait for what it brings. */
export class Flights {
  readonly #open = new Map<string, Promise<Landing>>()

  /** What the call that went ahead comes to; undefined when none has. */
  join(key: string): Promise<Landing> | undefined {
    return this.#open.get(key)
  }

  /** Goes ahead. @returns how to tell the others; only the first word counts. */
  begin(key: string): (landing: Landing) => void {
    const { promise, resolve } = Promise.withResolvers<Landing>()
    this.#open.set(key, promise)
    return (landing) => {
      if (this.#open.get(key) === promise) this.#open.delete(key)
      resolve(landing)
    }
  }
}
