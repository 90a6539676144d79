import type { ClaimRules } from './parameters.ts'

type Fields = Readonly<Record<string, unknown>>

const has = (fields: Fields, name: string): boolean => Object.hasOwn(fields, name) && fields[name] !== null

/** What is wrong with what a token says, for people. Empty: nothing. */
export const claimFaults = (payload: Fields, header: Fields, rules: ClaimRules): readonly string[] => {
  const missing = rules.required.filter((claim) => !has(payload, claim))
  const wrong = rules.values.flatMap(([claim, matches]) =>
    has(payload, claim) && matches(payload[claim]) ? [] : [claim],
  )
  const different = rules.sameInHeader.filter(
    (name) => !has(payload, name) || !has(header, name) || payload[name] !== header[name],
  )
  return [
    ...(missing.length > 0 ? [`claims are missing: ${missing.join(', ')}`] : []),
    ...(wrong.length > 0 ? [`claims have another value: ${wrong.join(', ')}`] : []),
    ...(different.length > 0 ? [`claims differ from the header: ${different.join(', ')}`] : []),
  ]
}

/** Characters of a claim that are shown, at most. */
const MAX_CHARACTERS = 200

/** Claims by the names of headers, as texts: `x-jwt-tenant-id`. */
export const extracted = (
  payload: Fields,
  claims: readonly string[],
  prefix: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    claims
      .filter((claim) => has(payload, claim))
      .map((claim) => [`${prefix}${claim.replaceAll('_', '-').toLowerCase()}`, asText(payload[claim])]),
  )

const asText = (value: unknown): string => {
  const text = Array.isArray(value)
    ? value.map(String).join(',')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
  return text.slice(0, MAX_CHARACTERS)
}
