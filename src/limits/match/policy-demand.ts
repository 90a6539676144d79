import { metadataName } from './condition-keys.ts'
import type { Lead } from './conditions.ts'

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
export class Demand {
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
