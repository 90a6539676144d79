import { type Facts, type Read, readerOf, toStoredForm } from './condition-keys.ts'
import type { Matchable } from './policy.ts'

/** Calls that share one window of a policy. */
export interface Group {
  /** 128 bits of SHA-256 in base64url, over the policy and the values. */
  readonly hash: string
  /** The values as JSON, for people: pairs of key and value, at most 512 characters. Values too long for it end in `…`. */
  readonly label: string
  /** In the order of the policy's `groupBy`. Null where the call has no value. */
  readonly values: Readonly<Record<string, string | null>>
}

type GroupValue = string | null
type Pair = readonly [key: string, value: GroupValue]

const HASH_BYTES = 16
const LONGEST_LABEL = 512
/** How much of each text is kept, tried in this order until the label is short enough. */
const LABEL_CUTS = [128, 64, 32, 16, 8] as const
const CUT = '…'
/** Stands for the pairs that a label has no room for. */
const REST = JSON.stringify([CUT, null])
/** No key of a condition has this name, so that no call can have such a group of its own. */
const OVERFLOW: Pair = ['overflow', '(shared)']

/** How calls are told apart by one key: models by the provider that serves them, as `provider.model`. */
export const groupReaderOf = (key: string): Read => (key === 'model' ? readModel : readerOf(key))

const readRequested = readerOf('model')
const readProvider = readerOf('provider')
// Ids of providers are kebab-case: the first dot is where the model begins.
const readModel = (facts: Facts): string | undefined => {
  const provider = readProvider(facts)
  const model = readRequested(facts)
  return provider === undefined || model === undefined ? undefined : `${provider}.${model}`
}

/** 128 bits in 22 characters of base64url. No two pairs of texts share one, whatever characters they hold. */
export const hashGroup = (scope: string, text: string): string =>
  // As JSON the two cannot run into each other, and a lone surrogate, which UTF-8 has no bytes for, stays what it is.
  Bun.CryptoHasher.hash('sha256', JSON.stringify([scope, text])).toString('base64url', 0, HASH_BYTES)

/** The group with these values, in the order of `groupBy`. */
export const toGroup = (policy: Pick<Matchable, 'id' | 'groupBy'>, values: readonly GroupValue[]): Group =>
  fromPairs(
    policy.id,
    policy.groupBy.map((key, index): Pair => [key, values[index] ?? null]),
  )

/** The group with these values, as an operator names it. A value that is not given, or empty, is one the call has not. */
export const groupOf = (
  policy: Pick<Matchable, 'id' | 'groupBy'>,
  values: Readonly<Record<string, string | null>>,
): Group => {
  if (Object.hasOwn(values, OVERFLOW[0])) return overflowGroup(policy)
  return toGroup(
    policy,
    policy.groupBy.map((key) => toStoredForm(key, (Object.hasOwn(values, key) ? values[key] : null) ?? '') || null),
  )
}

/** Shared by the groups of a policy that are too many to be told apart. */
export const overflowGroup = ({ id }: Pick<Matchable, 'id'>): Group => fromPairs(id, [OVERFLOW])

const fromPairs = (policyId: string, pairs: readonly Pair[]): Group => {
  const canonical = JSON.stringify(pairs)
  return { hash: hashGroup(policyId, canonical), label: toLabel(pairs, canonical), values: Object.fromEntries(pairs) }
}

const toLabel = (pairs: readonly Pair[], canonical: string): string => {
  if (canonical.length <= LONGEST_LABEL) return canonical
  for (const longest of LABEL_CUTS) {
    const label = JSON.stringify(pairs.map(([key, value]) => [key, value === null ? null : cut(value, longest)]))
    if (label.length <= LONGEST_LABEL) return label
  }
  return firstThatFit(pairs.map(([key, value]): Pair => [cut(key, 16), value === null ? null : cut(value, 8)]))
}

/** Keys alone can be too many. */
const firstThatFit = (pairs: readonly Pair[]): string => {
  const kept: string[] = []
  let length = REST.length + 2
  for (const pair of pairs) {
    const text = JSON.stringify(pair)
    length += text.length + 1
    if (length > LONGEST_LABEL) return `[${[...kept, REST].join(',')}]`
    kept.push(text)
  }
  return `[${kept.join(',')}]`
}

/** A pair of surrogates is not taken apart. */
const cut = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}${CUT}`
