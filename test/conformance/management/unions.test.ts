import { describe, expect, test } from 'bun:test'
import { type TSchema, Type as t } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { NodeFields, StrategyFields } from '../../../src/calls/config/fields.ts'
import { OperatorConfig } from '../../../src/config/schema.ts'
import { check } from '../../../src/core/json/check.ts'
import { describedRoutes } from '../../../src/management/described-routes.ts'

/** The schemas of a route do not depend on what it works with. */
const schemas: readonly (readonly [string, TSchema])[] = [
  ...describedRoutes().flatMap(({ method, path, body, query }) =>
    [body, query].flatMap((schema) => (schema === undefined ? [] : [[`${method} ${path}`, schema] as const])),
  ),
  ['the config of a call', NodeFields],
  ['the strategy of a call', StrategyFields],
  ['the config file', OperatorConfig],
]

const isUnion = (schema: object): schema is TSchema => 'anyOf' in schema

/** Every union of a schema, with where it stands. */
function* unionsOf(schema: unknown, path: string): Generator<readonly [string, TSchema]> {
  if (typeof schema !== 'object' || schema === null) return
  if (isUnion(schema)) yield [path, schema]
  for (const [key, inner] of Object.entries(schema)) yield* unionsOf(inner, `${path}/${key}`)
}

/** Values of the type of a member that break one of its rules. */
function* breaking(member: TSchema): Generator<unknown> {
  for (const inner of member.anyOf ?? []) yield* breaking(inner)
  const { type, maxLength, minLength, pattern, maximum, minimum, maxItems, minItems, required = [] } = member
  if (type === 'string' && member.const === undefined) {
    if (maxLength !== undefined) yield 'a'.repeat(maxLength + 1)
    if (minLength > 0) yield ''
    if (pattern !== undefined) yield ' no such form '
  }
  if (type === 'integer' || type === 'number') {
    if (maximum !== undefined) yield maximum + 1
    if (minimum !== undefined) yield minimum - 1
  }
  if (type === 'array') {
    if (maxItems !== undefined) yield Array.from({ length: maxItems + 1 }, () => 'a')
    if (minItems > 0) yield []
  }
  if (type === 'object' && required.length > 0) yield {}
}

const cases = schemas.flatMap(([name, schema]) =>
  [...unionsOf(schema, name)].flatMap(([path, union]) =>
    (union.anyOf as TSchema[]).flatMap((member) =>
      [...breaking(member)]
        .filter((value) => !Value.Check(union, value))
        .map((value) => ({ path, union, value, words: JSON.stringify(value).slice(0, 40) })),
    ),
  ),
)

describe('a value that is of the type of a member, and breaks a rule of it', () => {
  test('there are enough of them to mean something', () => {
    expect(cases.length).toBeGreaterThan(50)
  })

  test('is told the rule, never only the types of all members', () => {
    const vague = cases.filter(({ union, value }) => {
      const checked = check(t.Object({ field: union }), { field: value })
      return checked.ok || checked.violations.some(({ message }) => /must be of type|union/.test(message))
    })
    expect(vague.map(({ path, words }) => `${path}: ${words}`)).toEqual([])
  })
})
