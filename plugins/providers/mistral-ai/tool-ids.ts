/**
 * Ids of tool calls. Mistral takes nine letters or digits and nothing else (400, code 3280: "Tool call id was … but must be
 * a-z, A-Z, 0-9, with a length of 9", public reports and mistral-common 1.13.1, validator.py, read 2026-11-22). The ids of
 * other providers become such; the same id becomes the same in every call, as nothing is kept between calls.
 */

const FITTING = /^[a-zA-Z0-9]{9}$/

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 9

/** What a text becomes; the round tells apart two texts that became the same. */
export const shortId = (text: string, round = 0): string => {
  // Two halves of FNV-1a, each with a start of its own, give 64 bits; nine digits hold 53 of them.
  let low = (0x811c9dc5 ^ round) >>> 0
  let high = (0x9747b28c + round) >>> 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193) >>> 0
    high = Math.imul(high ^ unit ^ (low >>> 13), 0x85ebca6b) >>> 0
  }
  let rest = (BigInt(high) << 32n) | BigInt(low)
  let id = ''
  while (id.length < LENGTH) {
    id += DIGITS[Number(rest % 62n)]
    rest /= 62n
  }
  return id
}

/** Maps the ids of one conversation: those that fit stay, others become short, and no two become the same. */
export class ToolIds {
  readonly #short = new Map<string, string>()
  readonly #taken: Set<string>

  /** @param ids all ids of the conversation, so that none that fits is taken by another. */
  constructor(ids: Iterable<string>) {
    this.#taken = new Set([...ids].filter((id) => FITTING.test(id)))
  }

  of(id: string): string {
    if (FITTING.test(id)) return id
    const known = this.#short.get(id)
    if (known !== undefined) return known
    let round = 0
    let short = shortId(id)
    while (this.#taken.has(short)) short = shortId(id, ++round)
    this.#taken.add(short)
    this.#short.set(id, short)
    return short
  }
}
