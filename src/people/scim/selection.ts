import { isRecord } from '../../core/json/record.ts'
import type { Fields } from './documents.ts'
import type { AttributePath } from './filter/filter.ts'
import { parseAttribute } from './filter/parse.ts'

/** Which attributes of a resource an answer has (RFC 7644, section 3.9). */
export interface Selection {
  readonly attributes?: readonly AttributePath[]
  readonly excluded?: readonly AttributePath[]
}

/** @param attributes names with commas between them, or a list of names @throws ScimFault */
export const readSelection = ({
  attributes,
  excludedAttributes,
}: {
  readonly attributes?: string | readonly string[] | undefined
  readonly excludedAttributes?: string | readonly string[] | undefined
}): Selection => ({
  ...(isGiven(attributes) && { attributes: readNames(attributes) }),
  ...(isGiven(excludedAttributes) && { excluded: readNames(excludedAttributes) }),
})

const isGiven = (names: string | readonly string[] | undefined): names is string | readonly string[] =>
  names !== undefined && names.length > 0

const readNames = (names: string | readonly string[]): readonly AttributePath[] =>
  (typeof names === 'string' ? names.split(',') : names)
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => parseAttribute(name, 'invalidValue'))

/** In every answer (RFC 7643, section 3.1). */
const ALWAYS: ReadonlySet<string> = new Set(['id', 'schemas'])

/** Whether an answer has an attribute at all: what it has not need not be read. */
export const isWanted = ({ attributes, excluded = [] }: Selection, name: string): boolean =>
  ALWAYS.has(name) ||
  (attributes === undefined
    ? !excluded.some((path) => path.name === name && path.sub === undefined)
    : attributes.some((path) => path.name === name))

/** What an answer shows of a resource. */
export const select = (resource: Fields, selection: Selection): Fields =>
  Object.fromEntries(
    Object.entries(resource).flatMap(([key, value]) => {
      const name = key.toLowerCase()
      if (!isWanted(selection, name)) return []
      const kept = selectParts(name, value, selection)
      return kept === undefined ? [] : [[key, kept]]
    }),
  )

const selectParts = (name: string, value: unknown, { attributes, excluded = [] }: Selection): unknown => {
  if (ALWAYS.has(name)) return value
  const paths = (attributes ?? excluded).filter((path) => path.name === name)
  const subs = new Set(paths.map(({ sub }) => sub))
  if (subs.size === 0 || subs.has(undefined)) return value
  const isKept = (part: string): boolean => subs.has(part.toLowerCase()) === (attributes !== undefined)
  const keep = (one: unknown): unknown =>
    isRecord(one) ? Object.fromEntries(Object.entries(one).filter(([part]) => isKept(part))) : one
  return Array.isArray(value) ? value.map(keep) : keep(value)
}
