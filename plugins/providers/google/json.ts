import { InvalidRequest, isRecord, parseJson, UpstreamInvalid } from '#kit'
import { isDeeperThan } from '#kit/provider'

export type Fields = Readonly<Record<string, unknown>>

/** Deepest nesting that is passed on: deeper JSON could not be written out again without risking the stack. */
export const MAX_DEPTH = 128

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** A value that holds fields; nothing else has any. */
export const fieldsIn = (holder: Fields, name: string): Fields => {
  const value = holder[name]
  return isRecord(value) ? value : {}
}

/** A whole number, which JSON of Google has as a text where it has 64 bits. */
export const wholeOf = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}

export const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined

/** The client's fault, in the field at `param` (`messages[2].content`). */
export const refuse = (param: string, message: string): InvalidRequest => new InvalidRequest(message, { param })

/** The provider's fault: an answer of a form it does not document. */
export const unreadable = (what: string): UpstreamInvalid =>
  new UpstreamInvalid(`The provider's answer cannot be read: ${what}.`, { provider: 'google' })

/** The JSON object in a text; nothing when it is no JSON, no object, or nested too deep. */
export const parseObject = (text: string): Fields | undefined => {
  try {
    const value: unknown = parseJson(text)
    return isRecord(value) && !isDeeperThan(value, MAX_DEPTH) ? value : undefined
  } catch {
    return undefined
  }
}

/** @throws UpstreamInvalid for JSON nested too deep. */
export const writeObject = (value: Fields): string => {
  if (isDeeperThan(value, MAX_DEPTH)) throw unreadable('a function call is nested too deep')
  return JSON.stringify(value)
}
