import { ownItemId } from '#kit/provider'

/** Ids of the calls of one answer. Two of them never share one: clients tell them apart by it. */
export class CallIds {
  readonly #responseId: string
  readonly #taken = new Set<string>()

  constructor(responseId: string) {
    this.#responseId = responseId
  }

  /** The id that the provider gave, unless it is empty or another call's. */
  take(id: string): string {
    const own = id !== '' && !this.#taken.has(id) ? id : ownItemId('call', this.#responseId, this.#taken.size)
    this.#taken.add(own)
    return own
  }
}
