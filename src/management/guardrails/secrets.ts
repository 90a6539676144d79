import type { CheckDefinition } from '../../core/guardrails.ts'
import { isRecord } from '../../core/json/record.ts'
import { maskSecret } from '../../secrets/mask.ts'
import type { SecretBox } from '../../secrets/secret-box.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'

/** The parameter of checks whose values people must not see: headers for a service often hold its key. */
const HEADERS = 'headers'

/** Part of every mask, and of no key. */
const STARS = '*****'

type Checks = readonly CheckDefinition[]

/** What stands in the place of a header that is stored. */
interface SealedHeader {
  readonly $sealed: string
  /** What it is sealed under, so that it can move to another place of a later version. */
  readonly field: string
  readonly mask: string
}

const isSealed = (value: unknown): value is SealedHeader => isRecord(value) && typeof value.$sealed === 'string'

/** The value of a header of a check, or all of its headers, which came as one text. */
interface PlacedHeader {
  /** Of the check. */
  readonly index: number
  /** Undefined: all of them. */
  readonly name: string | undefined
  readonly value: unknown
}

function* headersOf(checks: Checks): Generator<PlacedHeader> {
  for (const [index, { parameters }] of checks.entries()) {
    const { [HEADERS]: headers } = parameters
    if (typeof headers === 'string' || isSealed(headers)) yield { index, name: undefined, value: headers }
    else if (isRecord(headers)) for (const [name, value] of Object.entries(headers)) yield { index, name, value }
  }
}

/** The checks with other headers in their places. */
const withHeaders = (checks: Checks, changed: readonly PlacedHeader[]): Checks =>
  checks.map((check, at) => {
    const own = changed.filter(({ index }) => index === at)
    const [first] = own
    if (first === undefined) return check
    const headers =
      first.name === undefined ? first.value : Object.fromEntries(own.map(({ name, value }) => [name, value]))
    return { ...check, parameters: { ...check.parameters, [HEADERS]: headers } }
  })

const maskOf = ({ name, value }: PlacedHeader): unknown => {
  if (isSealed(value)) return value.mask
  if (typeof value !== 'string' || value === '') return value
  return name === undefined ? STARS : maskSecret(value)
}

/** Checks for people: the values of their headers are masked, and headers that came as a text as a whole. */
export const hideHeaders = (checks: Checks): Checks =>
  withHeaders(
    checks,
    [...headersOf(checks)].map((header) => ({ ...header, value: maskOf(header) })),
  )

/** What headers are bound to: sealed under one guardrail, they open under no other. */
export interface HeaderOwner {
  readonly organisationId: string
  readonly guardrailId: string
}

export interface ProtectDeps {
  readonly secretBox: Pick<SecretBox, 'seal'>
  readonly randomId: () => string
}

/**
 * Checks as they are stored: with their headers sealed. One that came masked, as it was shown, stays what it is in the version
 * before.
 * @throws ManagementInvalid for a mask that stands for nothing of before, or whose value would go to another address: who may
 *   change a guardrail may not read its headers, so must not have them sent to themselves.
 */
export const protectHeaders = async (
  db: Db,
  { secretBox, randomId }: ProtectDeps,
  { organisationId, guardrailId }: HeaderOwner,
  checks: Checks,
  before: Checks,
): Promise<Checks> => {
  const stored: PlacedHeader[] = []
  for (const header of headersOf(checks)) {
    const value = kept(header, checks, before)
    if (typeof value !== 'string' || value === '') {
      stored.push({ ...header, value })
      continue
    }
    const field = `header.${randomId()}`
    const sealed = await secretBox.seal(db, organisationId, guardrailId, field, value)
    stored.push({ ...header, value: { $sealed: sealed, field, mask: maskOf({ ...header, value }) } })
  }
  return withHeaders(checks, stored)
}

/** Checks as they run, with their headers in clear. @throws SecretUnreadable; StoreUnavailable */
export const revealHeaders = async (
  secretBox: Pick<SecretBox, 'open'>,
  { organisationId, guardrailId }: HeaderOwner,
  checks: Checks,
): Promise<Checks> => {
  const clear: PlacedHeader[] = []
  for (const header of headersOf(checks)) {
    const { value } = header
    const text = isSealed(value) ? await secretBox.open(organisationId, guardrailId, value.field, value.$sealed) : value
    clear.push({ ...header, value: text })
  }
  return withHeaders(checks, clear)
}

/** A header as it is to be stored: what it was before, where it came masked. One of before may be in clear still. */
const kept = ({ index, name, value: given }: PlacedHeader, checks: Checks, before: Checks): unknown => {
  const check = checks[index] as CheckDefinition
  const path = `checks[${index}].parameters.${HEADERS}${name === undefined ? '' : `.${name}`}`
  if (isSealed(given)) throw invalidField(path, 'must be a text')
  if (typeof given !== 'string' || !given.includes(STARS)) return given
  const same = [...before.keys()].filter((at) => before[at]?.id === check.id)
  const place = same.includes(index) ? index : same.length === 1 ? same[0] : undefined
  const earlier = [...headersOf(before)].find((header) => header.index === place && header.name === name)
  if (earlier === undefined || maskOf(earlier) !== given) {
    throw invalidField(path, 'is masked, and it is not plain which value it stands for: send the value')
  }
  if (addressesOf(before[earlier.index] as CheckDefinition) !== addressesOf(check)) {
    throw invalidField(path, 'must be given again, not masked, together with another address')
  }
  return earlier.value
}

/** Where a check sends something: its parameters that are URLs. */
export const addressesOf = ({ parameters }: Pick<CheckDefinition, 'parameters'>): string =>
  JSON.stringify(
    Object.entries(parameters)
      .filter(([name, value]) => name !== HEADERS && typeof value === 'string' && value.includes('://'))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
