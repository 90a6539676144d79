import type { OwnedLimits, OwnLimit } from '../core/limits.ts'
import type { Group, MatchedPolicy } from './match/compile.ts'
import { needsTarget } from './match/conditions.ts'
import { hashGroup } from './match/groups.ts'
import type { LimitPolicy } from './match/policy.ts'
import type { RingKey } from './ring/ring-store.ts'
import { grainOf } from './ring/units.ts'

/** One limit that applies to a call, whatever it belongs to. */
export interface Rule
  extends Pick<LimitPolicy, 'type' | 'unit' | 'value' | 'mode' | 'onStoreFailure' | 'reservation' | 'name'> {
  /** Id of the policy, or `api_key.requests` and the like. */
  readonly id: string
  readonly owner: 'policy' | OwnedLimits['owner']
  /** `call`: it says the same whatever the target. */
  readonly scope: 'call' | 'target'
  readonly group: Group['values']
  readonly key: RingKey
  /** One text for `key`. */
  readonly ring: string
  readonly grain: number
}

export const fromPolicy = ({ policy, group }: MatchedPolicy): Rule => {
  const { id, name, type, unit, value, mode, onStoreFailure, reservation, workspaceId } = policy
  return {
    id,
    name,
    type,
    unit,
    value,
    mode,
    onStoreFailure,
    reservation,
    owner: 'policy',
    scope: needsTarget(policy) ? 'target' : 'call',
    group: group.values,
    key: { workspaceId, limitId: id, unit, group: group.hash, label: group.label },
    ring: `${id}:${unit}:${group.hash}`,
    grain: grainOf(unit, value, mode === 'shadow'),
  }
}

/** Limits of a key, a workspace or a provider: policies that look at nothing else. Of two for the same unit the smaller counts. */
export const fromOwned = ({ owner, id, limits }: OwnedLimits, workspaceId: string): readonly Rule[] => {
  const smallest = new Map<string, OwnLimit>()
  for (const limit of limits) {
    const name = `${limit.type}:${limit.unit}`
    const other = smallest.get(name)
    if (other === undefined || limit.value < other.value) smallest.set(name, limit)
  }
  // The id may be any text, such as the subject of a foreign token.
  const group = hashGroup(owner, id)
  return [...smallest.values()].map(({ type, unit, value }) => ({
    id: `${owner}.${type}`,
    name: null,
    owner,
    scope: owner === 'virtual_key' || owner === 'integration' ? 'target' : 'call',
    type,
    unit,
    value,
    mode: 'enforce',
    onStoreFailure: 'local',
    reservation: 'bounded',
    group: { [owner]: id },
    key: { workspaceId, limitId: `${owner}.${type}`, unit, group, label: JSON.stringify([[owner, id.slice(0, 128)]]) },
    ring: `${owner}.${type}:${unit}:${group}`,
    grain: grainOf(unit, value, false),
  }))
}
