import { describe, expect, test } from 'bun:test'
import { readSchema, SchemaRefused, TooComplex } from './schema.ts'

/** Some hundred times what a check may take, so that a busy machine does not count: what is unbounded takes minutes. */
const SOON_MS = 10_000

const many = <Value>(count: number, make: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => make(index))

const keys = (count: number, make: (index: number) => string): Record<string, unknown> =>
  Object.fromEntries(many(count, (index) => [make(index), 1]))

const nested = (levels: number, inner: unknown): unknown => {
  let value = inner
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

/** Schemas that refer to the next one twice each: 2²² ways from the first to the last. */
const doubled = (refer: (reference: unknown) => unknown): unknown => ({
  $ref: '#/$defs/s0',
  $defs: {
    ...Object.fromEntries(
      many(22, (index) => {
        const next = refer({ $ref: `#/$defs/s${index + 1}` })
        return [`s${index}`, { anyOf: [next, next] }]
      }),
    ),
    s22: { type: 'null' },
  },
})

describe('is refused when it is read', () => {
  const table: readonly (readonly [string, () => unknown])[] = [
    ['references that double', () => doubled((reference) => reference)],
    ['a schema that refers to itself', () => ({ $ref: '#' })],
    ['a schema that refers to itself among others', () => ({ oneOf: [{ type: 'string' }, { not: { $ref: '#' } }] })],
    [
      'a chain of references',
      () => ({
        $ref: '#/$defs/s0',
        $defs: Object.fromEntries(many(3_000, (index) => [`s${index}`, { $ref: `#/$defs/s${(index + 1) % 3_000}` }])),
      }),
    ],
    ['many patterns', () => ({ allOf: many(101, (index) => ({ pattern: `^${index}$` })) })],
    ['large patterns', () => ({ allOf: many(20, (index) => ({ pattern: `\\p{L}{400}${index}` })) })],
    ['depth', () => nested(100_000, 1)],
  ]
  test.each(table)('%s', (_what, schema) => {
    const before = performance.now()
    expect(() => readSchema(schema())).toThrow(SchemaRefused)
    expect(performance.now() - before).toBeLessThan(SOON_MS)
  })
})

describe('is found too complex when it is run', () => {
  const table: readonly (readonly [what: string, schema: () => unknown, value: () => unknown])[] = [
    ['references that double on the way down', () => doubled((items) => ({ items })), () => nested(22, 1)],
    ['a value that is deeper than the stack', () => ({ items: { $ref: '#' } }), () => nested(100_000, [])],
    ['a deep value that must be unique', () => ({ uniqueItems: true }), () => [nested(100_000, [])]],
    ['many items that must be unique', () => ({ uniqueItems: true }), () => many(1_000_000, (index) => index)],
    [
      'uniqueness of what is inside again and again',
      () => ({ $ref: '#/$defs/u', $defs: { u: { uniqueItems: true, items: { $ref: '#/$defs/u' } } } }),
      () =>
        nested(
          300,
          many(20_000, (index) => index),
        ),
    ],
    ['a text that is too long for its pattern', () => ({ pattern: '^a+$' }), () => 'a'.repeat(100_000)],
    [
      'patterns of many names',
      () => ({ propertyNames: { pattern: '(a|b)*a(a|b){90}$' } }),
      () => keys(20_000, (index) => `${'ab'.repeat(100)}${index}`),
    ],
    [
      'many patterns of many names',
      () => ({ patternProperties: Object.fromEntries(many(90, (index) => [`a${index}.*b`, true])) }),
      () => keys(20_000, (index) => `${'a'.repeat(40)}${index}`),
    ],
    [
      'many dependent schemas',
      () => ({ dependentSchemas: Object.fromEntries(many(1_500, (index) => [`k${index}`, { minProperties: 1 }])) }),
      () => keys(20_000, (index) => `k${index}`),
    ],
    [
      'lengths of a long text',
      () => ({ allOf: many(1_500, () => ({ maxLength: 3_000_000 })) }),
      () => 'é'.repeat(5_000_000),
    ],
    [
      'formats of a long text',
      () => ({ allOf: many(1_500, () => ({ format: 'uri' })) }),
      () => `a:${'a'.repeat(5_000_000)}`,
    ],
    [
      'constants beside a large value',
      () => ({ anyOf: many(500, () => ({ const: { a: 1 } })) }),
      () => many(20_000, (index) => [index]),
    ],
    [
      'items that must contain',
      () => ({ items: { contains: { contains: { const: 1 } } } }),
      () => many(1_000, () => many(1_000, () => [2])),
    ],
    [
      'what is left of many keys',
      () => ({ allOf: many(500, () => ({ additionalProperties: true })), unevaluatedProperties: false }),
      () => keys(20_000, (index) => `k${index}`),
    ],
    [
      'what is left of many items',
      () => ({ anyOf: many(500, () => ({ items: true })), unevaluatedItems: false }),
      () => many(20_000, (index) => index),
    ],
    [
      'multiples of tiny numbers',
      () => ({ items: { allOf: many(50, () => ({ multipleOf: 1e-300 })) } }),
      () => many(20_000, () => 1e308),
    ],
    [
      'patterns in the value',
      () => ({ items: { format: 'regex' } }),
      () => many(20_000, (index) => `\\p{L}{900}${index}`),
    ],
  ]
  test.each(table)('%s', (_what, schema, value) => {
    const check = readSchema(schema())
    const checked = value()
    const before = performance.now()
    expect(() => check(checked)).toThrow(TooComplex)
    expect(performance.now() - before).toBeLessThan(SOON_MS)
  })
})

describe('is checked at once', () => {
  test('a pattern that takes minutes elsewhere', () => {
    expect(readSchema({ pattern: '.*.*.*.*.*.*=.*' })('x'.repeat(3_000)).length).toBe(1)
  })

  test('20,000 items that must be unique', () => {
    const check = readSchema({ uniqueItems: true })
    const items = many(20_000, (id) => ({ id, tags: [id] }))
    expect(check(items)).toEqual([])
    expect(check([...items, { tags: [7], id: 7 }])[0]?.message).toBe('must not have the same item twice: 7 and 20000')
  })

  test('20,000 rows of a usual kind', () => {
    const row = {
      type: 'object',
      required: ['id', 'name'],
      properties: {
        id: { type: 'integer', minimum: 0 },
        name: { type: 'string', maxLength: 100 },
        tags: { type: 'array', items: { type: 'string' } },
      },
      additionalProperties: false,
    }
    const check = readSchema({ type: 'array', items: row })
    expect(check(many(20_000, (id) => ({ id, name: `row ${id}`, tags: ['a', 'b'] })))).toEqual([])
  })

  test('a tree of 180 levels', () => {
    expect(readSchema({ items: { $ref: '#' } })(nested(180, []))).toEqual([])
  })
})
