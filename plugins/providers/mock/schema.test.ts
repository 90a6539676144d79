import { describe, expect, test } from 'bun:test'
import { minimalInstance } from './schema.ts'

describe('a minimal instance', () => {
  test.each([
    [{}, 'mock'],
    [{ type: 'string', minLength: 6 }, 'mockxx'],
    [{ type: 'string', maxLength: 2 }, 'mo'],
    [{ type: 'string', format: 'date' }, '2026-01-01'],
    [{ type: 'integer', minimum: 3 }, 3],
    [{ type: 'integer', exclusiveMinimum: 3 }, 4],
    [{ type: 'number', maximum: 0.25 }, 0.25],
    [{ type: 'number', exclusiveMaximum: 1 }, 0.5],
    [{ type: 'integer', maximum: -2 }, -2],
    [{ type: 'boolean' }, true],
    [{ type: 'null' }, null],
    [{ type: ['string', 'null'] }, 'mock'],
    [{ enum: ['b', 'a'] }, 'b'],
    [{ const: 0 }, 0],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 1],
    [{ type: 'array', items: { type: 'string' } }, []],
    [{ type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1]],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }] }, ['mock', true]],
    [
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } },
      { a: 'mock', b: 1 },
    ],
    [{ type: 'object', properties: { a: {}, b: {} }, required: ['b'] }, { b: 'mock' }],
    [
      {
        allOf: [
          { properties: { a: { const: 1 } }, required: ['a'] },
          { properties: { b: { const: 2 } }, required: ['b'] },
        ],
      },
      { a: 1, b: 2 },
    ],
    [{ $defs: { 'x/y': { type: 'boolean' } }, properties: { a: { $ref: '#/$defs/x~1y' } } }, { a: true }],
    [{ $ref: '#/nowhere' }, 'mock'],
    [{ $ref: '#' }, 'mock'],
    ['nonsense', null],
  ])('of %j is %j', (schema, instance) => {
    expect(minimalInstance(schema)).toEqual(instance)
  })

  test('ends for a schema that needs itself', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' } } }
    expect(JSON.stringify(minimalInstance(tree)).length).toBeLessThan(1_000_000)
  })

  test('keeps a property named __proto__ a property', () => {
    const instance = minimalInstance(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"integer"}}}'))
    expect(JSON.stringify(instance)).toBe('{"__proto__":1}')
  })

  test('ends for a large schema that is referred to often', () => {
    const large = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, { type: 'null' }]))
    const schema = {
      $defs: { large: { allOf: [{ properties: large, required: ['p0'] }] } },
      properties: Object.fromEntries(
        Array.from({ length: 5_000 }, (_, index) => [`k${index}`, { $ref: '#/$defs/large' }]),
      ),
    }
    const before = performance.now()
    expect(JSON.stringify(minimalInstance(schema))).toStartWith('{"k0":{"p0":null},')
    expect(performance.now() - before).toBeLessThan(2_000)
  })
})
