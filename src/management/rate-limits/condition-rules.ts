import { CONDITION_KEYS, isConditionKey } from '../../limits/condition-keys.ts'
import { invalidField } from '../invalid-field.ts'

type Target = keyof typeof CONDITION_KEYS
interface Keyed {
  readonly key: string
}

/** @throws ManagementInvalid for a key that calls of the target do not have */
export const checkConditionKeys = (conditions: readonly Keyed[], target: Target): void =>
  checkKeys(conditions, target, 'conditions')

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
