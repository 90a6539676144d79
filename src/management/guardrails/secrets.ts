import type { CheckDefinition } from '../../core/guardrails.ts'
import { isRecord } from '../../core/json/record.ts'
import { maskSecret } from '../../secrets/mask.ts'
import { invalidField } from '../invalid-field.ts'

/** The parameter of checks whose values people must not see: headers for a service often hold its key. */
const HEADERS = 'headers'

/** Part of every mask, and of no key. */
const STARS = '*****'

type Checks = readonly CheckDefinition[]

const withHeaders = (check: CheckDefinition, headers: unknown): CheckDefinition => ({
  ...check,
  parameters: { ...check.parameters, [HEADERS]: headers },
})

/** Checks for people: the values of their headers are masked, and headers that came as a text as a whole. */
export const hideHeaders = (checks: Checks): readonly CheckDefinition[] =>
  checks.map((check) => {
    const headers = check.parameters[HEADERS]
    if (typeof headers === 'string') return withHeaders(check, headers === '' ? '' : STARS)
    if (!isRecord(headers)) return check
    const hidden = Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? maskSecret(value) : value,
    ])
    return withHeaders(check, Object.fromEntries(hidden))
  })

/**
 * Checks with the headers that came masked, as they were shown, as they are in the version before.
 * @throws ManagementInvalid for a mask that stands for nothing of before, or whose value would go to another address: who may
 *   change a guardrail may not read its headers, so must not have them sent to themselves.
 */
export const keepHeaders = (checks: Checks, before: Checks): Checks =>
  checks.map((check, index) => {
    const headers = check.parameters[HEADERS]
    const path = `checks[${index}].parameters.${HEADERS}`
    if (typeof headers === 'string') {
      return headers.includes(STARS) ? withHeaders(check, kept(headers, undefined, check, index, before, path)) : check
    }
    if (!isRecord(headers)) return check
    const clear = Object.entries(headers).map(([name, value]) => {
      const isMasked = typeof value === 'string' && value.includes(STARS)
      return [name, isMasked ? kept(value, name, check, index, before, `${path}.${name}`) : value]
    })
    return withHeaders(check, Object.fromEntries(clear))
  })

/** @param name of the header; absent: all of them, as a text */
const kept = (
  mask: string,
  name: string | undefined,
  check: CheckDefinition,
  index: number,
  before: Checks,
  path: string,
): string => {
  const same = before.filter(({ id }) => id === check.id)
  const earlier = before[index]?.id === check.id ? before[index] : same.length === 1 ? same[0] : undefined
  const value = earlier && headerOf(earlier, name)
  if (earlier === undefined || value === undefined || (name === undefined ? STARS : maskSecret(value)) !== mask) {
    throw invalidField(path, 'is masked, and it is not plain which value it stands for: send the value')
  }
  if (addressesOf(earlier) !== addressesOf(check)) {
    throw invalidField(path, 'must be given again, not masked, together with another address')
  }
  return value
}

const headerOf = ({ parameters }: CheckDefinition, name: string | undefined): string | undefined => {
  const headers = parameters[HEADERS]
  const value =
    name === undefined ? headers : isRecord(headers) && Object.hasOwn(headers, name) ? headers[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Where a check sends something: its parameters that are URLs. */
const addressesOf = ({ parameters }: CheckDefinition): string =>
  JSON.stringify(
    Object.entries(parameters)
      .filter(([name, value]) => name !== HEADERS && typeof value === 'string' && value.includes('://'))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
