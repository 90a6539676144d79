import type { SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { ScimFault } from '../fault.ts'
import type { AttributePath } from './filter.ts'

/** A single value that can be asked for. */
export interface Column {
  /** `text` is compared in either case; `id` is a UUID. */
  readonly kind: 'text' | 'exact' | 'id' | 'flag' | 'time'
  readonly sql: SQL | PgColumn
  /** What is kept is in lower case already, so that an index of it can be used. */
  readonly isLower?: true
}

/** An attribute with parts. */
export interface Parts {
  readonly parts: Readonly<Record<string, Column>>
  /** Present for one with several values: the condition that one of them fulfils what is asked of its parts. */
  readonly some?: (condition: SQL) => SQL
}

/** What resources of one kind may be searched and sorted by. */
export interface Searched {
  /** URN of their schema. */
  readonly schema: string
  /** By name, in lower case. */
  readonly attributes: Readonly<Record<string, Column | Parts>>
}

/** A filter or path meets an attribute that nobody can search for. */
export class UnknownAttribute extends ScimFault {
  constructor({ text }: AttributePath) {
    super('invalidFilter', `\`${text.slice(0, 100)}\` is not an attribute that can be searched for.`)
  }
}

const hasParts = (found: Column | Parts): found is Parts => 'parts' in found

/** What a path names: a value, or a part of what has parts. One with several values means their `value`. */
export type Found =
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'part'; readonly of: Parts; readonly column: Column }
  | { readonly kind: 'parts'; readonly of: Parts }

/** @throws UnknownAttribute */
export const findAttribute = (searched: Searched, path: AttributePath): Found => {
  const isOfOther = path.urn !== undefined && path.urn !== searched.schema.toLowerCase()
  const found = isOfOther || !Object.hasOwn(searched.attributes, path.name) ? undefined : searched.attributes[path.name]
  if (found === undefined) throw new UnknownAttribute(path)
  if (!hasParts(found)) {
    if (path.sub !== undefined) throw new UnknownAttribute(path)
    return { kind: 'column', column: found }
  }
  if (path.sub === undefined) return { kind: 'parts', of: found }
  return { kind: 'part', of: found, column: partOf(found, { ...path, name: path.sub }) }
}

/** @throws UnknownAttribute */
export const partOf = ({ parts }: Parts, path: Pick<AttributePath, 'text' | 'name'>): Column => {
  const part = Object.hasOwn(parts, path.name) ? parts[path.name] : undefined
  if (part === undefined) throw new UnknownAttribute(path)
  return part
}

/** The attribute of a value path: `emails[…]`. @throws UnknownAttribute, and for one without several values */
export const findSeveral = (searched: Searched, path: AttributePath): Required<Parts> => {
  const found = findAttribute(searched, path)
  if (found.kind !== 'parts' || found.of.some === undefined) {
    throw new ScimFault('invalidFilter', `\`${path.text.slice(0, 100)}\` does not have several values.`)
  }
  return { parts: found.of.parts, some: found.of.some }
}
