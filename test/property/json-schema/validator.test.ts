import { expect, test } from 'bun:test'
import { type Schema, Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { readSchema } from '../../../src/calls/json-schema/schema.ts'

const name = fc.constantFrom('a', 'b', 'c')
const scalar = fc.constantFrom<unknown>(0, 1, 2, 1.5, -1, 'a', 'ab', '', '2024-01-01', true, false, null)

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
}))

const count = fc.integer({ min: 0, max: 3 })
const bound = fc.constantFrom(0, 1, 1.5, 2)
const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const pattern = fc.constantFrom('^a', 'b$', '^(a|b)+$', '.', '^$')

const { schema } = fc.letrec<{ schema: unknown; part: unknown }>((tie) => {
  const list = fc.array(tie('part'), { minLength: 1, maxLength: 2 })
  const named = fc.dictionary(name, tie('part'), { maxKeys: 2 })
  const keyword = (key: string, arbitrary: fc.Arbitrary<unknown>) => fc.tuple(fc.constant(key), arbitrary)
  const simple = fc.oneof(
    keyword('type', fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 2 }))),
    keyword('enum', fc.array(value, { minLength: 1, maxLength: 3 })),
    keyword('const', value),
    keyword('minimum', bound),
    keyword('maximum', bound),
    keyword('exclusiveMinimum', bound),
    keyword('exclusiveMaximum', bound),
    keyword('multipleOf', fc.constantFrom(0.5, 1, 2)),
    keyword('minLength', count),
    keyword('maxLength', count),
    keyword('pattern', pattern),
    keyword('format', fc.constantFrom('date', 'email', 'unknown')),
    keyword('minItems', count),
    keyword('maxItems', count),
    keyword('uniqueItems', fc.boolean()),
    keyword('required', fc.uniqueArray(name, { maxLength: 2 })),
    keyword('minProperties', count),
    keyword('maxProperties', count),
    keyword('dependentRequired', fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 })),
  )
  const composed = fc.oneof(
    keyword('prefixItems', list),
    ...['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'].map((key) =>
      keyword(key, tie('part')),
    ),
    ...['properties', 'dependentSchemas'].map((key) => keyword(key, named)),
    keyword('patternProperties', fc.dictionary(pattern, tie('part'), { maxKeys: 2 })),
    ...['allOf', 'anyOf', 'oneOf'].map((key) => keyword(key, list)),
  )
  return {
    schema: fc
      .array(fc.oneof({ depthSize: 'small', withCrossShrink: true, maxDepth: 3 }, simple, composed), {
        minLength: 1,
        maxLength: 3,
      })
      .map((entries) => Object.fromEntries(entries)),
    part: fc.oneof(
      { depthSize: 'small', withCrossShrink: true, maxDepth: 3 },
      fc.constantFrom<unknown>(true, false, { $ref: '#/$defs/x' }),
      tie('schema'),
    ),
  }
})

test('a value fits a schema when another implementation says so', () => {
  const seen = { right: 0, wrong: 0 }
  fc.assert(
    fc.property(schema, value, fc.array(value, { minLength: 1, maxLength: 6 }), (whole, leaf, values) => {
      const tried = { ...(whole as object), $defs: { x: { enum: [leaf, 1, 'a'] } } }
      const read = readSchema(tried)
      const other = new Validator(tried as Schema, '2020-12', false)
      for (const each of values) {
        const expected = other.validate(each).valid
        seen[expected ? 'right' : 'wrong']++
        expect([tried, each, read(each).length === 0]).toEqual([tried, each, expected])
      }
    }),
    { numRuns: 3_000 },
  )
  expect(seen.right).toBeGreaterThan(500)
  expect(seen.wrong).toBeGreaterThan(500)
})
