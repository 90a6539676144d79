declare global {
  // Not in TypeScript's own types yet.
  interface JSON {
    rawJSON(text: string): object
    isRawJSON(value: unknown): boolean
  }
}

/** A run as long as that of a number which JavaScript's numbers may not hold. */
const LONG = /[\d.]{16}/

/**
 * Whether a text may hold numbers that change when they are read and written again: JavaScript keeps some 16 digits, and servers
 * in other languages give out ids of 19.
 */
export const mayRound = (text: string): boolean => LONG.test(text)

/**
 * Reads JSON so that writing it again (`JSON.stringify`) leaves every number as it was: one that would change becomes what
 * `JSON.rawJSON` makes (ECMA-262, "JSON.parse source text access").
 * @throws SyntaxError
 */
export const parseExactly = (text: string): unknown => {
  if (!mayRound(text)) return JSON.parse(text)
  return JSON.parse(text, (_key: string, value: unknown, context?: { readonly source?: string }) => {
    const source = context?.source
    if (typeof value !== 'number' || source === undefined || source.length < 16 || String(value) === source)
      return value
    return JSON.rawJSON(source)
  })
}
