import { describe, expect, test } from 'bun:test'
import { readSchema, SchemaRefused } from './schema.ts'

const problems = (schema: unknown, value: unknown): readonly string[] =>
  readSchema(schema)(value).map(({ path, message }) => `${path}: ${message}`)

const fits = (schema: unknown, value: unknown): boolean => problems(schema, value).length === 0

/** A literal would be taken for a promise. */
const THEN = 'then'

/** Schema, values that fit, values that do not. */
type Row = readonly [schema: unknown, right: readonly unknown[], wrong: readonly unknown[]]

const TREE = {
  type: 'object',
  properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
  required: ['name'],
}

const KEYWORDS: Readonly<Record<string, readonly Row[]>> = {
  'any schema': [
    [true, [1, null, {}], []],
    [false, [], [1, null, {}]],
    [{}, ['x', 1], []],
    [{ unknown: 1, $comment: 'x', default: 1, examples: [1] }, ['x'], []],
  ],
  type: [
    [{ type: 'string' }, ['', 'x'], [1, null, [], {}]],
    [{ type: 'integer' }, [0, -3, 1.0, 1e20], [1.5, '1']],
    [{ type: ['number', 'null'] }, [1.5, null], ['x', true]],
    [{ type: 'object' }, [{}], [[], null]],
    [{ type: 'array' }, [[]], [{}, 'x']],
  ],
  'enum and const': [
    [{ enum: [1, 'a', null, { a: 1, b: [2] }] }, [1, 'a', null, { b: [2], a: 1 }], ['1', { a: 1 }, [], true]],
    [{ const: [1, { a: 0 }] }, [[1, { a: 0 }]], [[1], [1, { a: false }]]],
    [{ const: 0 }, [0, -0], [false, '0']],
  ],
  numbers: [
    [{ minimum: 1, maximum: 2 }, [1, 2, 'x'], [0.9, 2.1]],
    [{ exclusiveMinimum: 1, exclusiveMaximum: 2 }, [1.5], [1, 2]],
    [{ multipleOf: 0.1 }, [0.3, 1, 0, -0.7], [0.35]],
    [{ multipleOf: 1e-8 }, [12391239123, 1e308], [1e-9]],
    [{ multipleOf: 3 }, [9, 'x'], [10]],
  ],
  strings: [
    [{ minLength: 2, maxLength: 3 }, ['ab', 'abc', '😀😀😀', 5], ['a', 'abcd', '😀', '😀😀😀😀']],
    [{ pattern: '^a+$' }, ['a', 'aaa', 1], ['', 'ab']],
    [{ pattern: '^\\p{Lu}' }, ['Ä'], ['ä']],
  ],
  arrays: [
    [{ minItems: 1, maxItems: 2 }, [[1], [1, 2], 'x'], [[], [1, 2, 3]]],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'number' } }, [[], ['a'], ['a', 1, 2]], [[1], ['a', 'b']]],
    [{ items: [{ type: 'string' }], additionalItems: false }, [[], ['a']], [[1], ['a', 1]]],
    [{ contains: { const: 1 } }, [[1], [2, 1], 'x'], [[], [2]]],
    [
      { contains: { const: 1 }, minContains: 2, maxContains: 3 },
      [
        [1, 1],
        [1, 1, 1],
      ],
      [[1], [1, 1, 1, 1]],
    ],
    [{ contains: { const: 1 }, minContains: 0 }, [[], [2]], []],
    [{ minContains: 2 }, [[], [1]], []],
    [
      { uniqueItems: true },
      [[], [1, '1', true, [1], { a: 1 }]],
      [
        [1, 1],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        [0, -0],
      ],
    ],
    [{ uniqueItems: false }, [[1, 1]], []],
  ],
  objects: [
    [{ required: ['a', '__proto__'] }, [JSON.parse('{"a":1,"__proto__":1}'), 'x'], [{ a: 1 }, {}]],
    [{ required: ['toString'] }, [{ toString: 1 }], [{}]],
    [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }, []], [{}, { a: 1, b: 1, c: 1 }]],
    [
      {
        properties: { a: { type: 'string' } },
        patternProperties: { '^x': { type: 'number' } },
        additionalProperties: false,
      },
      [{}, { a: 'x', x1: 1 }],
      [{ a: 1 }, { x1: 'a' }, { b: 1 }],
    ],
    [{ additionalProperties: { type: 'string' } }, [{ a: 'x' }], [{ a: 1 }]],
    [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
    [{ dependentRequired: { a: ['b', 'c'] } }, [{}, { a: 1, b: 1, c: 1 }], [{ a: 1, b: 1 }]],
    [{ dependentSchemas: { a: { required: ['b'] } } }, [{}, { a: 1, b: 1 }], [{ a: 1 }]],
    [
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      [
        { a: 1, b: 1 },
        { c: 1, d: 1 },
      ],
      [{ a: 1 }, { c: 1 }],
    ],
  ],
  combinations: [
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1], [0, 3]],
    [{ anyOf: [{ type: 'string' }, { minimum: 2 }] }, ['a', 2], [1]],
    [{ oneOf: [{ minimum: 1 }, { maximum: 2 }] }, [0, 3], [1, 2]],
    [{ not: { type: 'string' } }, [1], ['a']],
    [{ if: { type: 'string' }, [THEN]: { minLength: 2 }, else: { minimum: 2 } }, ['ab', 2, null], ['a', 1]],
    [{ if: { type: 'string' } }, ['', 1], []],
    [{ [THEN]: false, else: false }, [1], []],
  ],
  references: [
    [TREE, [{ name: 'a', children: [{ name: 'b', children: [] }] }], [{ name: 'a', children: [{}] }]],
    [{ $ref: '#/$defs/a%20b~1c', $defs: { 'a b/c': { type: 'string' } } }, ['a'], [1]],
    [{ $ref: '#here', $defs: { x: { $anchor: 'here', type: 'string' } } }, ['a'], [1]],
    [{ $ref: '#/definitions/x', minLength: 2, definitions: { x: { type: 'string' } } }, ['ab'], ['a', 1]],
    [{ $id: 'https://a.example/root', $ref: 'item', $defs: { x: { $id: 'item', type: 'string' } } }, ['a'], [1]],
    [{ $dynamicRef: '#node', $defs: { x: { $dynamicAnchor: 'node', type: 'string' } } }, ['a'], [1]],
    [{ $ref: '#/unknown/place', unknown: { place: { type: 'string' } } }, ['a'], [1]],
  ],
  'what nobody looked at': [
    [
      { allOf: [{ properties: { a: true } }], properties: { b: true }, unevaluatedProperties: false },
      [{ a: 1, b: 1 }],
      [{ a: 1, c: 1 }],
    ],
    // Schemas beside this one do not count.
    [{ allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] }, [{}], [{ a: 1 }]],
    // A schema that does not fit has seen nothing.
    [
      {
        anyOf: [{ properties: { a: { const: 1 } }, required: ['a'] }, { properties: { b: true } }],
        unevaluatedProperties: false,
      },
      [{ a: 1 }, { b: 1 }],
      [{ a: 2 }],
    ],
    [{ prefixItems: [true], unevaluatedItems: { type: 'string' } }, [[1, 'a']], [[1, 2]]],
    [{ contains: { type: 'string' }, unevaluatedItems: false }, [['a']], [['a', 1]]],
    [{ if: { properties: { a: { const: 1 } } }, unevaluatedProperties: false }, [{ a: 1 }], [{ a: 2 }]],
  ],
}

for (const [name, rows] of Object.entries(KEYWORDS)) {
  test(name, () => {
    for (const [schema, right, wrong] of rows) {
      for (const value of right) expect([schema, value, fits(schema, value)]).toEqual([schema, value, true])
      for (const value of wrong) expect([schema, value, fits(schema, value)]).toEqual([schema, value, false])
    }
  })
}

describe('says what is wrong', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string', minLength: 3, pattern: '^[a-z]*$' },
      users: { items: { properties: { age: { type: 'integer', minimum: 0 } }, additionalProperties: false } },
      kind: { enum: ['a', 'b'] },
    },
  }

  test('with the place of each fault', () => {
    expect(problems(schema, { name: 'A', users: [{ age: 1 }, { age: -1, x: 1 }, { age: '1' }], kind: 'c' })).toEqual([
      'name: must have at least 3 characters',
      'name: must match the pattern "^[a-z]*$"',
      'users.1.age: must be at least 0',
      'users.1.x: is not allowed',
      'users.2.age: must be an integer',
      'kind: must be one of "a", "b"',
    ])
    expect(problems(schema, {})).toEqual(['name: is required'])
    expect(problems(schema, [])).toEqual([': must be an object'])
  })

  test('of several schemas, by the one that was meant', () => {
    const union = { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'object', required: ['a'] }, { type: 'null' }] }
    expect(problems(union, {})).toEqual(['a: is required'])
    expect(problems(union, 5)).toEqual([': must fit one of the 3 schemas that it may fit'])
    expect(problems({ oneOf: [{ type: 'string' }] }, 5)).toEqual([': must be a string'])
  })

  test('twenty times at most', () => {
    expect(
      problems(
        { items: { type: 'string' } },
        Array.from({ length: 100 }, () => 1),
      ).length,
    ).toBe(20)
  })
})

describe('refuses', () => {
  const deep = (levels: number): unknown => (levels === 0 ? {} : { not: deep(levels - 1) })
  const table: readonly (readonly [what: string, schema: unknown, path: string, message: RegExp])[] = [
    ['what is no schema', { properties: { a: 5 } }, 'properties.a', /must be a schema/],
    ['an unknown type', { type: 'text' }, 'type', /name of a type/],
    ['a bound that is none', { items: { minimum: '1' } }, 'items.minimum', /must be a number/],
    ['a count that is none', { minLength: -1 }, 'minLength', /integer of 0 or more/],
    ['a divisor of 0', { multipleOf: 0 }, 'multipleOf', /above 0/],
    ['names that are no texts', { required: 'a' }, 'required', /array of strings/],
    ['an empty choice', { anyOf: [] }, 'anyOf', /array of schemas/],
    ['a broken pattern', { $defs: { a: { pattern: '(' } }, $ref: '#/$defs/a' }, '$defs.a.pattern', /is no pattern/],
    ['a broken pattern of keys', { patternProperties: { '[': true } }, 'patternProperties.[', /is no pattern/],
    ['look-around', { pattern: '(?=a)' }, 'pattern', /look-around/],
    ['a reference to nothing', { items: { $ref: '#/$defs/none' } }, 'items.$ref', /names no schema/],
    ['a reference to elsewhere', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, '$ref', /names no schema/],
    [
      'a dynamic reference with several ends',
      {
        $dynamicRef: '#n',
        $defs: { a: { $dynamicAnchor: 'n' }, b: { $id: 'b', $dynamicAnchor: 'n' } },
      },
      '$dynamicRef',
      /several schemas/,
    ],
    ['a circle', { properties: { a: { $ref: '#/properties/a' } } }, 'properties.a', /refers to itself/],
    ['a circle of two', { allOf: [{ anyOf: [{ $ref: '#' }] }] }, '', /refers to itself/],
    ['depth', deep(70), '', /nested more than 64/],
    ['size', { enum: Array.from({ length: 10_000 }, (_, index) => index) }, '', /more than 10000 values/],
  ]
  test.each(table)('%s', (_what, schema, path, message) => {
    let refused: unknown
    try {
      readSchema(schema)
    } catch (thrown) {
      refused = thrown
    }
    if (!(refused instanceof SchemaRefused)) throw new Error(`not refused: ${refused}`)
    expect(refused.violations[0]?.path).toBe(path)
    expect(refused.violations[0]?.message).toMatch(message)
  })
})
