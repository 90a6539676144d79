import type { Pattern } from '../pattern/pattern.ts'
import type { Check, SchemaNode } from './node.ts'

export type SchemaObject = Readonly<Record<string, unknown>>

/** What a keyword may ask for while its schema is read. */
export interface Reading {
  /** The schema that the keyword stands in. */
  readonly schema: SchemaObject
  /** A schema inside the keyword, below `path`. */
  part(schema: unknown, ...path: readonly (string | number)[]): SchemaNode
  /** A schema inside the keyword that looks at the same value. */
  inPlace(schema: unknown, ...path: readonly (string | number)[]): SchemaNode
  /** The schema that a reference of this one names. Looks at the same value. */
  target(reference: string): SchemaNode | undefined
  /** Whether several schemas have the dynamic anchor that a reference names. */
  isAmbiguous(reference: string): boolean
  /** Undefined for one that cannot be used, which is noted below `path`. */
  pattern(source: string, ...path: readonly string[]): Pattern | undefined
  /** Notes that the keyword cannot be used. */
  problem(message: string, ...path: readonly (string | number)[]): undefined
}

/** Makes the check of a keyword. Undefined: there is nothing to check. */
export type Keyword = (value: unknown, reading: Reading) => Check | undefined
