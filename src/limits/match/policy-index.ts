import { type Facts, metadataName, type Read, readerOf } from './condition-keys.ts'
import type { CompiledCondition, Lead } from './conditions.ts'

/** What the index finds. */
export interface Indexed {
  readonly conditions: readonly CompiledCondition[]
}

/** Policies that need one key, by what they need there. */
interface Dimension<P> {
  readonly read: Read
  readonly byValue: Map<string, P[]>
  readonly byPrefix: Map<string, P[]>
  /** Lengths of these prefixes. */
  readonly lengths: Set<number>
}

/** Up to so many metadata keys are looked up in the call one by one. */
const FEW_NAMES = 8

/**
 * Finds the policies that match a call without trying all of them. Each is filed under one of its conditions: that whose
 * values the fewest other policies ask for.
 */
export class PolicyIndex<P extends Indexed> {
  readonly #unconditional: P[] = []
  readonly #fixed = new Map<string, Dimension<P>>()
  readonly #metadata = new Map<string, Dimension<P>>()

  constructor(policies: readonly P[]) {
    const demand = new Demand(policies.flatMap(({ conditions }) => conditions.map(({ lead }) => lead)))
    for (const policy of policies) {
      const lead = demand.least(policy.conditions.map((condition) => condition.lead))
      if (lead === undefined) this.#unconditional.push(policy)
      else this.#file(policy, lead)
    }
  }

  /** The policies that match, in no order; one that names several values may come more than once. Undefined for none. */
  collect(facts: Facts): P[] | undefined {
    let all = addMatching(this.#unconditional, facts, undefined)
    for (const dimension of this.#fixed.values()) all = collectFrom(dimension, facts, all)
    if (this.#metadata.size <= FEW_NAMES) {
      for (const dimension of this.#metadata.values()) all = collectFrom(dimension, facts, all)
      return all
    }
    for (const name of Object.keys(facts.metadata)) {
      const dimension = this.#metadata.get(name)
      if (dimension !== undefined) all = collectFrom(dimension, facts, all)
    }
    return all
  }

  #file(policy: P, { keys, values, prefixes }: Lead): void {
    for (const key of keys) {
      const { byValue, byPrefix, lengths } = this.#dimension(key)
      for (const value of new Set(values)) listIn(byValue, value).push(policy)
      for (const prefix of new Set(prefixes)) {
        listIn(byPrefix, prefix).push(policy)
        lengths.add(prefix.length)
      }
    }
  }

  #dimension(key: string): Dimension<P> {
    const name = metadataName(key)
    const dimensions = name === undefined ? this.#fixed : this.#metadata
    const known = dimensions.get(name ?? key)
    if (known !== undefined) return known
    const made: Dimension<P> = { read: readerOf(key), byValue: new Map(), byPrefix: new Map(), lengths: new Set() }
    dimensions.set(name ?? key, made)
    return made
  }
}

const listIn = <P>(lists: Map<string, P[]>, name: string): P[] => {
  const known = lists.get(name)
  if (known !== undefined) return known
  const made: P[] = []
  lists.set(name, made)
  return made
}

const collectFrom = <P extends Indexed>(
  { read, byValue, byPrefix, lengths }: Dimension<P>,
  facts: Facts,
  found: P[] | undefined,
): P[] | undefined => {
  const value = read(facts)
  if (value === undefined) return found
  let all = addMatching(byValue.get(value), facts, found)
  for (const length of lengths) {
    if (length <= value.length) all = addMatching(byPrefix.get(value.slice(0, length)), facts, all)
  }
  return all
}

const addMatching = <P extends Indexed>(
  candidates: readonly P[] | undefined,
  facts: Facts,
  found: P[] | undefined,
): P[] | undefined => {
  if (candidates === undefined) return found
  let all = found
  for (const candidate of candidates) {
    if (!matches(candidate, facts)) continue
    if (all === undefined) all = [candidate]
    else all.push(candidate)
  }
  return all
}

const matches = ({ conditions }: Indexed, facts: Facts): boolean => {
  for (const condition of conditions) if (!condition.holds(facts)) return false
  return true
}

/** Keys by how few calls share a value, best first. */
const BY_SELECTIVITY: readonly string[] = [
  'api_key',
  'metadata',
  'prompt',
  'config',
  'virtual_key',
  'mcp_tool',
  'model',
  'mcp_server',
  'provider',
  'endpoint_type',
  'workspace_id',
  'organisation_id',
]

/** How many policies ask for each value of each key. */
class Demand {
  readonly #byKey = new Map<string, Map<string, number>>()

  constructor(leads: readonly Lead[]) {
    for (const { keys, values, prefixes } of leads) {
      for (const key of keys) {
        const counts = this.#byKey.get(key) ?? new Map<string, number>()
        this.#byKey.set(key, counts)
        for (const text of [...values, ...prefixes]) counts.set(text, (counts.get(text) ?? 0) + 1)
      }
    }
  }

  /** The one that makes calls try the fewest policies. Nothing when there is none. */
  least(leads: readonly Lead[]): Lead | undefined {
    return leads.toSorted((left, right) => this.#cost(left) - this.#cost(right) || rank(left) - rank(right))[0]
  }

  /** Most policies that a call may have to try. A key that need only be there is the last choice, as most calls have it. */
  #cost({ keys, values, prefixes }: Lead): number {
    if (prefixes.includes('')) return Number.MAX_SAFE_INTEGER
    const counts = keys.flatMap((key) => [...values, ...prefixes].map((text) => this.#byKey.get(key)?.get(text) ?? 0))
    return counts.reduce((most, count) => Math.max(most, count), 0)
  }
}

const rank = ({ keys: [key = ''] }: Lead): number =>
  BY_SELECTIVITY.indexOf(metadataName(key) === undefined ? key : 'metadata')
