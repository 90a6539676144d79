import type { BalanceBranch, ConditionSubject, StickyPolicy } from '#kit/plan'

/** What balancing knows of a call. */
export interface BalanceFacts {
  /** Who calls: the id of the key. */
  readonly keyId: string
  readonly subject: ConditionSubject
  readonly headers: Headers
  /** Milliseconds since 1970: the one clock that processes share. */
  readonly nowMs: number
}

/**
 * One of the candidates by their weights, which need not add up to anything.
 * @param draw at least 0 and below 1
 */
export const pickByChance = (
  { weights }: BalanceBranch,
  candidates: readonly number[],
  draw: number,
): number | undefined => {
  const weightOf = (child: number): number => weights[child] ?? 0
  const sum = candidates.reduce((total, child) => total + weightOf(child), 0)
  let rest = draw * sum
  for (const child of candidates) {
    if (weightOf(child) === 0) continue
    rest -= weightOf(child)
    if (rest < 0) return child
  }
  // Rounding may leave a crumb of the sum.
  return candidates.findLast((child) => weightOf(child) > 0)
}

/**
 * The candidate that this caller sticks to: weighted rendezvous hashing, so that nothing has to be stored, every process
 * chooses alike, and only callers of a target that goes away move to another.
 * @param identity of `stickyIdentity`
 */
export const pickSticky = (
  { weights, children, path }: BalanceBranch,
  candidates: readonly number[],
  identity: string,
): number | undefined => {
  let best: number | undefined
  let bestScore = Number.NEGATIVE_INFINITY
  for (const child of candidates) {
    const weight = weights[child] ?? 0
    if (weight === 0) continue
    const score = Math.log(fraction(`${identity}\n${path}\n${children[child]?.path}`)) / weight
    if (score <= bestScore) continue
    best = child
    bestScore = score
  }
  return best
}

/** Characters of an identity that stays as it is. */
const MAX_IDENTITY = 512

/**
 * Who sticks together, and until when. Callers change target at moments of their own, not all at once.
 * @returns undefined when the call has none of the fields: then chance decides
 */
export const stickyIdentity = (policy: StickyPolicy, facts: BalanceFacts): string | undefined => {
  const values = policy.hashFields.map((field) => fieldOf(field, facts))
  if (values.length > 0 && values.every((value) => value === undefined)) return undefined
  const written = JSON.stringify([facts.keyId, ...values.map((value) => value ?? null)])
  // It is hashed again for each candidate, and may hold all messages of a call.
  const identity = written.length > MAX_IDENTITY ? `${hash53(written)}` : written
  const ttlMs = policy.ttlSeconds * 1000
  const phaseMs = hash53(identity) % ttlMs
  return `${identity}\n${Math.floor((facts.nowMs + phaseMs) / ttlMs)}`
}

const HEADER_NAME = /^[a-zA-Z0-9!#$%&'*+.^_`|~-]+$/

/** `metadata.team`, `params.user`, `headers.x-session`. */
const fieldOf = (field: string, { subject, headers }: BalanceFacts): unknown => {
  const dot = field.indexOf('.')
  const name = field.slice(dot + 1)
  switch (field.slice(0, dot)) {
    case 'metadata':
      return own(subject.metadata, name)
    case 'params':
      return own(subject.params, name)
    case 'headers':
      return HEADER_NAME.test(name) ? (headers.get(name) ?? undefined) : undefined
    default:
      return undefined
  }
}

const own = (fields: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/**
 * 53 bits of a text, well mixed and the same in every process and every version: what sticks to a target must not move
 * because a gateway was upgraded. Not for secrets. (Two multiplicative hashes, each finished into the other.)
 */
const hash53 = (text: string): number => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 2654435761)
    low = Math.imul(low ^ unit, 1597334677)
  }
  const mixedHigh = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  const mixedLow = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(mixedHigh ^ (mixedHigh >>> 13), 3266489909)
  return 4294967296 * (2097151 & mixedLow) + (mixedHigh >>> 0)
}

const TWO_TO_53 = 2 ** 53

/** A number above 0 and below 1 that is fixed by the text. */
const fraction = (text: string): number => (hash53(text) + 0.5) / TWO_TO_53
