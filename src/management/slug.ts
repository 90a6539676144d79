/** Room for the suffix and for what callers add. */
const MAX_STEM_CHARACTERS = 64

/**
 * A slug made from a name: its plain letters and digits and a random suffix.
 * @example `OpenAI (team blue)` becomes `openai-team-blue-3f9a1c`
 */
export const toSlug = (name: string, randomId: () => string, fallback: string): string => {
  const stem = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_STEM_CHARACTERS)
    .replace(/^-+|-+$/g, '')
  return `${stem === '' ? fallback : stem}-${suffix(randomId)}`
}

const SHORT_STEM_CHARACTERS = 6

/**
 * A slug of a kind: its prefix, the first letters of the name and six hexadecimal digits.
 * @example `pc`, `Main fallback` becomes `pc-mainfa-3f9a1c`
 */
export const toShortSlug = (prefix: string, name: string, randomId: () => string, fallback: string): string => {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
    .slice(0, SHORT_STEM_CHARACTERS)
  return `${prefix}-${letters === '' ? fallback : letters}-${suffix(randomId)}`
}

/** Six characters that tell one name from another, without being secret: the last ones, as an id may begin with the time. */
export const suffix = (randomId: () => string): string => randomId().replaceAll('-', '').slice(-6)
