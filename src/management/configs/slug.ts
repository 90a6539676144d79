import { suffix } from '../slug.ts'

const LETTERS = 6

/**
 * Slug of a new config: the first letters of its name and six hexadecimal digits.
 * @example `Main fallback` becomes `pc-mainfa-3f9a1c`
 */
export const toConfigSlug = (name: string, randomId: () => string): string => {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
    .slice(0, LETTERS)
  return `pc-${letters === '' ? 'config' : letters}-${suffix(randomId)}`
}
