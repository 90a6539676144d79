import { isUuid } from './objects/rows.ts'

/** Which version a reference to a prompt or partial means. */
export type VersionSelector =
  | { readonly kind: 'published' }
  | { readonly kind: 'latest' }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'label'; readonly label: string }

export interface PromptReference {
  /** Id, in lower case, or slug. */
  readonly name: string
  readonly selector: VersionSelector
}

/** Version number, with as many digits as one may have. */
const NUMBER = /^[1-9][0-9]{0,8}$/
const ONLY_DIGITS = /^[0-9]+$/

/**
 * Reads `id`, `id@12`, `id@latest` or `id@label`; a slug may stand for the id (behaviours 3.2).
 * @returns undefined for what can name nothing
 */
export const readPromptReference = (reference: string): PromptReference | undefined => {
  const at = reference.indexOf('@')
  const given = at === -1 ? reference : reference.slice(0, at)
  const selector = at === -1 ? { kind: 'published' as const } : readSelector(reference.slice(at + 1))
  if (given === '' || selector === undefined) return undefined
  return { name: isUuid(given) ? given.toLowerCase() : given, selector }
}

const readSelector = (text: string): VersionSelector | undefined => {
  if (text === 'latest') return { kind: 'latest' }
  if (NUMBER.test(text)) return { kind: 'number', number: Number(text) }
  // No label is made of digits alone, nor is it empty.
  return text === '' || ONLY_DIGITS.test(text) ? undefined : { kind: 'label', label: text }
}
