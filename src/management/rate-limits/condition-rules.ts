import { nearest } from '../../core/check.ts'
import { CONDITION_KEYS, isConditionKey } from '../../limits/match/condition-keys.ts'
import { ENDPOINT_TYPES } from '../../limits/match/endpoint-types.ts'
import { invalidField } from '../invalid-field.ts'

type Target = keyof typeof CONDITION_KEYS
interface Keyed {
  readonly key: string
}

interface Conditional extends Keyed {
  readonly value: string | readonly string[]
  readonly excludes?: string | readonly string[]
}

/** @throws ManagementInvalid for a key that calls of the target do not have, and for a kind of call that there is not */
export const checkConditions = (conditions: readonly Conditional[], target: Target): void => {
  checkKeys(conditions, target, 'conditions')
  conditions.forEach(({ key, value, excludes }, index) => {
    if (key !== 'endpoint_type') return
    if (value !== '*') checkEndpointTypes(value, `conditions[${index}].value`)
    if (excludes !== undefined) checkEndpointTypes(excludes, `conditions[${index}].excludes`)
  })
}

/** A word that no call has would make a limit that never holds. */
const checkEndpointTypes = (words: string | readonly string[], field: string): void => {
  const stranger = [words].flat().find((word) => !ENDPOINT_TYPES.includes(word))
  if (stranger === undefined) return
  const near = nearest(stranger, ENDPOINT_TYPES)
  const hint = near === undefined ? `known are: ${ENDPOINT_TYPES.join(', ')}` : `did you mean '${near}'?`
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
