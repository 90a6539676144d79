import { toShortSlug } from '../slug.ts'

/** Slug of a new config, such as `pc-mainfa-3f9a1c`. */
export const toConfigSlug = (name: string, randomId: () => string): string =>
  toShortSlug('pc', name, randomId, 'config')
