import type { Validation, WantedClaim } from './validation.ts'

type Claims = Readonly<Record<string, unknown>>

/** Whether a token says all that an integration wants of it. */
export const areWanted = (
  claims: Claims,
  { required, claims: wanted }: Pick<Validation, 'required' | 'claims'>,
): boolean =>
  required.every((name) => claims[name] !== undefined && claims[name] !== null) &&
  [...wanted].every(([name, each]) => isWanted(claims[name], each))

const isWanted = (said: unknown, { values, patterns, matchType }: WantedClaim): boolean => {
  const texts = textsOf(said)
  switch (matchType) {
    case 'exact':
      return texts.some((text) => values.includes(text))
    case 'contains':
      return values.some((value) => isIn(said, texts, value))
    case 'containsAll':
      return values.every((value) => isIn(said, texts, value))
    case 'regex':
      return patterns.some((pattern) => texts.some((text) => pattern.test(text)))
  }
}

/** In a list as one of it, in a text as a part. */
const isIn = (said: unknown, texts: readonly string[], value: string): boolean =>
  Array.isArray(said) ? texts.includes(value) : texts.some((text) => text.includes(value))

const textsOf = (said: unknown): readonly string[] =>
  [said].flat().flatMap((value) => (['string', 'number', 'boolean'].includes(typeof value) ? [String(value)] : []))
