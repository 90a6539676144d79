import type { Condition } from './conditions-field.tsx'

/** Which calls a policy is about, in a line. */
export const conditionWords = (
  conditions: readonly (Condition & { readonly excludes?: string | readonly string[] })[],
): string =>
  conditions
    .map(({ key, value, excludes }) => {
      const but = excludes === undefined ? '' : ` but ${[excludes].flat().join(', ')}`
      return `${key} ${value === '*' ? 'any' : [value].flat().join(' or ')}${but}`
    })
    .join('; ')
