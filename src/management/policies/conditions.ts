import { nearest } from '../../core/json/check.ts'
import { CONDITION_KEYS, type ConditionedCalls, isConditionKey } from '../../limits/match/condition-keys.ts'
import { invalidField } from '../invalid-field.ts'

interface Keyed {
  readonly key: string
}

interface Conditional extends Keyed {
  readonly value: string | readonly string[]
  readonly excludes?: string | readonly string[]
}

/**
 * @param calls those that the policy is about
 * @param endpointTypes the kinds of call that there are; not looked at where conditions may not name them
 * @throws ManagementInvalid for a key that the calls do not have, and for a kind of call that there is not
 */
export const checkConditions = (
  conditions: readonly Conditional[],
  calls: ConditionedCalls,
  endpointTypes: () => readonly string[],
): void => {
  checkKeys(conditions, calls, 'conditions')
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
 * The keys of `group_by`, in order.
 * @throws ManagementInvalid for a key that the calls do not have, or that stands there twice
 */
export const toGroupKeys = (groupBy: readonly Keyed[], calls: ConditionedCalls): readonly string[] => {
  checkKeys(groupBy, calls, 'group_by')
  const keys = groupBy.map(({ key }) => key)
  const twice = keys.findIndex((key, index) => keys.indexOf(key) !== index)
  if (twice !== -1) throw invalidField(`group_by[${twice}].key`, 'stands there twice')
  return keys
}

const checkKeys = (entries: readonly Keyed[], calls: ConditionedCalls, field: string): void => {
  const stranger = entries.findIndex(({ key }) => !isConditionKey(calls, key))
  if (stranger === -1) return
  const known = [...CONDITION_KEYS[calls], 'metadata.<name>'].join(', ')
  throw invalidField(`${field}[${stranger}].key`, `is no key of ${OWNER_OF_KEYS[calls]}, whose keys are: ${known}`)
}

const OWNER_OF_KEYS: Readonly<Record<ConditionedCalls, string>> = {
  llm: 'the target `llm`',
  mcp_tools: 'the target `mcp_tools`',
  budgets: 'usage limits policies',
}
