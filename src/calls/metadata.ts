import { isRecord } from '../core/json/record.ts'

/** Longest metadata value; what is longer is cut (interface reference, section 1.2). */
export const MAX_VALUE_CHARACTERS = 128

/**
 * Metadata of the call: `x-gateway-metadata` over what options of a config 1.0 say, over W3C `baggage`. What cannot be read counts as none, as documented:
 * a label that is wrong must not fail the call.
 */
export const readMetadata = (
  header: string | undefined,
  baggage: string | null,
  ofOptions?: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> => {
  if (baggage === null && ofOptions === undefined) return header === undefined ? NONE : fromJson(header)
  return {
    ...(baggage === null ? NONE : fromBaggage(baggage)),
    ...toTexts(ofOptions ?? {}),
    ...(header === undefined ? NONE : fromJson(header)),
  }
}

/** Metadata of nearly all calls. */
const NONE: Readonly<Record<string, string>> = Object.freeze({})

const fromJson = (header: string): Record<string, string> => {
  let value: unknown
  try {
    value = JSON.parse(header)
  } catch {
    return {}
  }
  if (!isRecord(value)) return {}
  return toTexts(value)
}

const toTexts = (values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([key, entry]) => [
      key,
      (typeof entry === 'string' ? entry : JSON.stringify(entry)).slice(0, MAX_VALUE_CHARACTERS),
    ]),
  )

/** W3C Baggage: `key=value;property,key=value`, values percent-encoded. */
const fromBaggage = (header: string): Record<string, string> => {
  const entries: [string, string][] = []
  for (const member of header.split(',')) {
    const [pair] = member.split(';')
    const equals = pair?.indexOf('=') ?? -1
    if (pair === undefined || equals < 1) continue
    entries.push([pair.slice(0, equals).trim(), decoded(pair.slice(equals + 1).trim()).slice(0, MAX_VALUE_CHARACTERS)])
  }
  return Object.fromEntries(entries)
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
