/** An attribute as a filter or path names it: `urn:…:User:name.familyName`. */
export interface AttributePath {
  /** As written, for messages. */
  readonly text: string
  /** Schema in front of the name, in lower case. */
  readonly urn?: string
  /** In lower case. */
  readonly name: string
  /** In lower case. */
  readonly sub?: string
}

export const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof OPERATORS)[number]

export type FilterValue = string | number | boolean | null

/** One attribute and what is asked of it; `pr` takes no value. */
export type Test =
  | { readonly kind: 'present'; readonly path: AttributePath }
  | { readonly kind: 'compare'; readonly path: AttributePath; readonly operator: Operator; readonly value: FilterValue }

/** A filter of RFC 7644, section 3.4.2.2. */
export type Filter =
  | Test
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  /** One value of a multi-valued attribute for which all of it holds: `emails[type eq "work"]`, or Entra's `….value eq "x"` behind it. */
  | { readonly kind: 'value'; readonly path: AttributePath; readonly filter: Filter; readonly test?: Test }

/** Where a change goes: `members[value eq "…"].display` (RFC 7644, section 3.5.2). */
export interface ChangePath {
  readonly path: AttributePath
  readonly filter?: Filter
}
