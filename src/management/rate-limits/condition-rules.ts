import { nearest } from '../../core/json/check.ts'
import { CONDITION_KEYS, isConditionKey } from '../../limits/match/condition-keys.ts'
import { invalidField } from '../invalid-field.ts'
import type { RateLimitsDeps } from './deps.ts'

type Target = keyof typeof CONDITION_KEYS
interface Keyed {
  readonly key: string
}

interface Conditional extends Keyed {
  readonly value: string | readonly string[]
  readonly excludes?: string | readonly string[]
}

/** @throws ManagementInvalid for a key that calls of the target do not have, and for a kind of call that there is not */
export const checkConditions = (
  conditions: readonly Conditional[],
  target: Target,
  { endpointTypes }: Pick<RateLimitsDeps, 'endpointTypes'>,
): void => {
  checkKeys(conditions, target, 'conditions')
  conditions.forEach(({ key, value, excludes }, index) => {
    if (key !== 'endpoint_type') return
    if (value !== '*') checkEndpointTypes(value, `conditions[${index}].value`, endpointTypes())
    if (excludes !== undefined) checkEndpointTypes(excludes, `conditions[${index}].excludes`, endpointTypes())
  })
}

/** A word that no call has would make a limit that never holds. */
const checkEndpointTypes = (words: string | readonly string[], field: string, known: readonly string[]): void => {
  const stranger = [words].flat().find((word) => !known.includes(word))
  if (stranger === undefined) return
  const near = nearest(stranger, known)
  const hint = near === undefined ? `known are: ${known.join(', ')}` : `did you mean '${near}'?`
  throw invalidField(field, `has no endpoint type '${stranger}'; ${hint}`)
}

/**
 * The keys of `group_by`, in order; none where it is absent.
 * @throws ManagementInvalid for a key that calls of the target do not have, or that stands there twice
 */
export const toGroupKeys = (groupBy: readonly Keyed[] | undefined, target: Target): readonly string[] => {
  if (groupBy === undefined) {
    if (target === 'llm') throw invalidField('group_by', 'is missing: only policies of `mcp_tools` may leave it out')
    return []
  }
  checkKeys(groupBy, target, 'group_by')
  const keys = groupBy.map(({ key }) => key)
  const twice = keys.findIndex((key, index) => keys.indexOf(key) !== index)
  if (twice !== -1) throw invalidField(`group_by[${twice}].key`, 'stands there twice')
  return keys
}

const checkKeys = (entries: readonly Keyed[], target: Target, field: string): void => {
  const stranger = entries.findIndex(({ key }) => !isConditionKey(target, key))
  if (stranger === -1) return
  const known = [...CONDITION_KEYS[target], 'metadata.<name>'].join(', ')
  throw invalidField(`${field}[${stranger}].key`, `is no key of the target \`${target}\`, whose keys are: ${known}`)
}
