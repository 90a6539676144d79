import type { Call } from '#kit'
import { principal } from '#kit/slots'

/** Callers that are told apart: those who still use an old route are few, and come again and again. */
const MAX_CALLERS = 1000

/** Counts the calls of routes that are on their way out, by route and key, since the config that runs came into use. */
export class LegacyUse {
  readonly #calls = new Map<string, number>()

  /** @returns how many there were of this route by this key, with this one */
  count(call: Call): number {
    const name = `${call.route} ${call.find(principal)?.keyId ?? ''}`
    const calls = (this.#calls.get(name) ?? 0) + 1
    if (calls > 1 || this.#calls.size < MAX_CALLERS) this.#calls.set(name, calls)
    return calls
  }
}
