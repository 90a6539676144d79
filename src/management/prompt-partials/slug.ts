import { toShortSlug } from '../slug.ts'

/** Slug of a new partial, such as `pl-houser-3f9a1c`: nothing in it could end the tag of a template that names it. */
export const toPartialSlug = (name: string, randomId: () => string): string =>
  toShortSlug('pl', name, randomId, 'partial')
