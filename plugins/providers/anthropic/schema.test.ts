import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { adaptRequest } from '#calls/adapt'
import type { Provider } from '#kit'
import type { AdapterContext, ChatRequest, FunctionTool, Message } from '#kit/provider'
import { fakeHost } from '#kit/testing'
import anthropic from './index.ts'
import { strictSchema } from './schema.ts'

const { providers } = await anthropic.setup({ baseURL: 'https://anthropic.example/v1' }, fakeHost())
const provider = providers?.[0] as Provider
const chat = provider.endpoints.chat as NonNullable<Provider['endpoints']['chat']>

const adapt = (fields: Partial<ChatRequest>, model = 'claude-sonnet-4-5') => {
  const messages: Message[] = [{ role: 'user', content: 'Hi' }]
  const context: AdapterContext = {
    model,
    stream: false,
    strict: true,
    includeUsage: false,
    callId: 'c',
    created: 0,
    settings: {},
  }
  return adaptRequest(chat, { messages, ...fields, model }, context)
}

const translated = (schema: object) => strictSchema(schema as Record<string, unknown>, 'schema')
const withProperty = (schema: object) => ({ type: 'object', properties: { x: schema }, required: ['x'] })

describe('a schema for the grammars of Anthropic', () => {
  test.each([
    // The example in the docstring of the provider's Python SDK (anthropic 2.12, `transform_schema`).
    [
      'numbers',
      { type: 'integer', minimum: 1, maximum: 10, description: 'A number' },
      { type: 'integer', description: 'A number\n\n{minimum: 1, maximum: 10}' },
      ['minimum', 'maximum'],
    ],
    [
      'texts',
      { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' },
      { type: 'string', description: '{minLength: 1, maxLength: 9, pattern: "^a"}' },
      ['minLength', 'maxLength', 'pattern'],
    ],
    ['a known format', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }, []],
    [
      'another format',
      { type: 'string', format: 'color' },
      { type: 'string', description: '{format: "color"}' },
      ['format'],
    ],
    [
      'few elements',
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      { type: 'array', items: { type: 'string' }, minItems: 1 },
      [],
    ],
    [
      'many elements',
      { type: 'array', items: { type: 'number', multipleOf: 2 }, minItems: 2, maxItems: 5, uniqueItems: true },
      {
        type: 'array',
        items: { type: 'number', description: '{multipleOf: 2}' },
        description: '{minItems: 2, maxItems: 5, uniqueItems: true}',
      },
      ['multipleOf', 'minItems', 'maxItems', 'uniqueItems'],
    ],
    [
      'literals, which stand without a type',
      { type: 'string', enum: ['a', 'b'], default: 'a' },
      { enum: ['a', 'b'], default: 'a' },
      [],
    ],
    ['a literal null', { enum: ['a', null] }, { enum: ['a', null] }, []],
    ['one literal', { const: 3, title: 'Three' }, { const: 3, title: 'Three' }, []],
    [
      'literals that are none',
      { type: 'array', items: { type: 'string' }, enum: [['a']] },
      { type: 'array', items: { type: 'string' }, description: '{enum: [["a"]]}' },
      ['enum'],
    ],
    [
      'a choice',
      { oneOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      [],
    ],
    [
      'one wrapped in allOf',
      { allOf: [{ type: 'string' }], description: 'A' },
      { type: 'string', description: 'A' },
      [],
    ],
    ['several types', { type: ['string', 'null'] }, { type: ['string', 'null'] }, []],
    ['words about words', { $schema: 'x', $comment: 'y', type: 'null', examples: [1] }, { type: 'null' }, []],
    ['words that nobody knows', { type: 'null', 'x-a\nb': 1 }, { type: 'null', description: '{x-a\nb: 1}' }, []],
  ])('%s', (_, schema, expected, moved) => {
    const made = translated(withProperty(schema))
    expect(made?.schema).toEqual({ ...withProperty(expected), additionalProperties: false })
    expect([...(made?.moved ?? [])]).toEqual(moved)
  })

  test('objects are closed at every depth, and need only what they have', () => {
    const open = { type: ['object', 'null'], properties: { a: { type: 'string' } }, required: ['a', 'b'] }
    const made = translated(withProperty({ type: 'array', items: { ...open, additionalProperties: true } }))
    expect(made?.schema).toHaveProperty('properties.x.items', { ...open, required: ['a'], additionalProperties: false })
    expect([...(made?.moved ?? [])]).toEqual(['additionalProperties'])
  })

  test('references stand alone, their definitions are translated', () => {
    const schema = {
      $ref: '#/$defs/A',
      $defs: { A: withProperty({ $ref: '#/definitions/B~1b', description: 'lost' }) },
      definitions: { 'B/b': { type: 'integer', minimum: 0 } },
    }
    expect(translated(schema)?.schema).toEqual({
      $ref: '#/$defs/A',
      $defs: { A: { ...withProperty({ $ref: '#/definitions/B~1b' }), additionalProperties: false } },
      definitions: { 'B/b': { type: 'integer', description: '{minimum: 0}' } },
    })
  })

  test.each([
    [
      'one that leads back to itself',
      { ...withProperty({ $ref: '#/$defs/A' }), $defs: { A: withProperty({ $ref: '#/$defs/A' }) } },
    ],
    ['itself as a whole', withProperty({ $ref: '#' })],
    ['one elsewhere', withProperty({ $ref: 'https://example.com/a.json' })],
    ['one that is not there', withProperty({ $ref: '#/$defs/A' })],
    ['any value', withProperty({})],
    ['true', withProperty(true as never)],
    ['a type of nobody', withProperty({ type: 'any' })],
    ['keys of any name', withProperty({ type: 'object' })],
    ['keys of any name, of a type', withProperty({ type: 'object', additionalProperties: { type: 'string' } })],
    ['several at once', withProperty({ allOf: [withProperty({ type: 'null' }), withProperty({ type: 'string' })] })],
    ['a choice beside properties', { ...withProperty({ type: 'null' }), anyOf: [{ required: ['x'] }] }],
  ])('%s cannot be said', (_, schema) => {
    expect(translated(schema)).toBeUndefined()
  })

  test('takes time by its size alone', () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `D${index}`)
    const chain = names.map((name, index) => [name, withProperty({ $ref: `#/$defs/D${index + 1}` })])
    const few = names.slice(0, 500)
    const fan = few.map((name) => [name, { anyOf: few.slice(0, 50).map((other) => ({ $ref: `#/$defs/${other}` })) }])
    for (const defs of [chain, fan]) {
      expect(translated({ ...withProperty({ $ref: '#/$defs/D0' }), $defs: Object.fromEntries(defs) })).toBeUndefined()
    }
  })

  test('holds no word that is refused, whatever comes', () => {
    const refused =
      /"(minimum|maximum|multipleOf|minLength|maxLength|maxItems|pattern|not|if|patternProperties|oneOf)":/
    const words = fc.dictionary(
      fc.constantFrom(
        'type',
        'minimum',
        'maxLength',
        'pattern',
        'items',
        'oneOf',
        'enum',
        'properties',
        'allOf',
        'not',
      ),
      fc.oneof(fc.constantFrom('string', 'object', 'array'), fc.integer(), fc.array(fc.string())),
    )
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        words,
        fc.record({ type: fc.constant('array'), items: tie('schema'), maxItems: fc.nat() }),
        fc.record({ anyOf: fc.array(tie('schema'), { maxLength: 3 }) }),
        fc.record({ type: fc.constant('object'), properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')) }),
      ),
    }))
    fc.assert(
      fc.property(schema, (inner) => {
        const made = translated(withProperty(inner as object))
        // What stands in a description is text: its quotes are escaped.
        if (made !== undefined) expect(JSON.stringify(made.schema)).not.toMatch(refused)
      }),
    )
  })
})

const tool = (name: string, parameters: Record<string, unknown>): FunctionTool => ({
  type: 'function',
  function: { name, strict: true, parameters },
})

const strictness = (body: Readonly<Record<string, unknown>> | undefined) =>
  ((body?.tools ?? []) as { strict?: boolean }[]).map(({ strict }) => strict ?? false)

describe('strict tools', () => {
  test('lose words like formats do, and say so', () => {
    const parameters = withProperty({ type: 'integer', minimum: 1 })
    const { body, dropped } = adapt({ tools: [tool('f', parameters)] })
    expect(body).toHaveProperty('tools.0.input_schema', {
      ...withProperty({ type: 'integer', description: '{minimum: 1}' }),
      additionalProperties: false,
    })
    expect(dropped).toEqual(['tools[].function.parameters.minimum'])
  })

  test('that are not asked to be strict keep their schema', () => {
    const parameters = withProperty({ type: 'integer', minimum: 1 })
    const { body, dropped } = adapt({ tools: [{ type: 'function', function: { name: 'f', parameters } }] })
    expect([body?.tools, dropped]).toEqual([[{ name: 'f', input_schema: parameters }], []])
  })

  test('that are not strict keep but a choice at the root, which becomes words', () => {
    const oneOf = [{ required: ['x'] }, { required: ['y'] }]
    const parameters = { ...withProperty({ type: 'null' }), description: 'One of both.', oneOf }
    const { body, dropped } = adapt({ tools: [{ type: 'function', function: { name: 'f', parameters } }] })
    expect(body).toHaveProperty('tools.0.input_schema', {
      ...withProperty({ type: 'null' }),
      description: 'One of both.\n\n{oneOf: [{"required":["x"]},{"required":["y"]}]}',
    })
    expect(dropped).toEqual(['tools[].function.parameters.oneOf'])
  })

  test.each([
    ['a schema that cannot be said', 'claude-sonnet-4-5', withProperty({ type: 'object' })],
    [
      'a schema whose root is no object',
      'claude-sonnet-4-5',
      { $ref: '#/$defs/A', $defs: { A: withProperty({ type: 'null' }) } },
    ],
    ['an older model', 'claude-opus-4-1', withProperty({ type: 'string' })],
  ])('are called without strictness for %s', (_, model, parameters) => {
    const { body, dropped } = adapt({ tools: [tool('f', parameters)] }, model)
    expect([body?.tools, dropped]).toEqual([
      [{ name: 'f', input_schema: { type: 'object', ...parameters } }],
      ['tools[].function.strict'],
    ])
  })

  test('are as many as the provider takes, in the order of the call', () => {
    const many = Array.from({ length: 22 }, (_, index) => tool(`f${index}`, withProperty({ type: 'string' })))
    expect(strictness(adapt({ tools: many }).body)).toEqual(many.map((_, index) => index < 20))
  })

  test.each([
    ['optional properties', (count: number) => [count, { type: 'string' }, false] as const, 24],
    ['properties of several types', (count: number) => [count, { type: ['string', 'null'] }, true] as const, 16],
  ])('share the bound of %s with the format', (_, shape, limit) => {
    const objectOf = (count: number) => {
      const [, property, isRequired] = shape(count)
      const names = Array.from({ length: count }, (_name, index) => `p${index}`)
      const properties = Object.fromEntries(names.map((name) => [name, property]))
      return { type: 'object', properties, required: isRequired ? names : [] }
    }
    const formatOf = (count: number) =>
      ({ type: 'json_schema', json_schema: { name: 'n', schema: objectOf(count) } }) as const
    const tools = [tool('a', objectOf(limit - 5)), tool('b', objectOf(5)), tool('c', objectOf(4))]
    expect(strictness(adapt({ tools, response_format: formatOf(1) }).body)).toEqual([true, false, true])
    const over = adapt({ response_format: formatOf(limit + 1) })
    expect([over.body?.output_config, over.dropped]).toEqual([undefined, ['response_format']])
  })
})

describe('formats', () => {
  const format = (schema: Record<string, unknown>) =>
    ({ type: 'json_schema', json_schema: { name: 'n', schema } }) as const

  test('lose words, which the answer names', () => {
    const { body, dropped } = adapt({ response_format: format(withProperty({ type: 'string', maxLength: 5 })) })
    expect(body).toHaveProperty('output_config.format.schema.properties.x', {
      type: 'string',
      description: '{maxLength: 5}',
    })
    expect(dropped).toEqual(['response_format.json_schema.schema.maxLength'])
  })

  test('that no grammar can say become an instruction, in the words of the client', () => {
    const schema = withProperty({ type: 'object', additionalProperties: { type: 'string' } })
    const { body, dropped } = adapt({ response_format: format(schema) })
    expect([body?.output_config, dropped]).toEqual([undefined, ['response_format']])
    expect(JSON.stringify(body?.system)).toContain(JSON.stringify(JSON.stringify(schema)).slice(1, -1))
  })
})

test('a schema that is wrapped more often than anybody writes is no grammar', () => {
  const wrapped = (levels: number): object => (levels === 0 ? { type: 'string' } : { allOf: [wrapped(levels - 1)] })
  expect(strictSchema({ ...wrapped(4) }, 'schema')?.schema).toEqual({ type: 'string' })
  expect(strictSchema({ ...wrapped(20) }, 'schema')).toBeUndefined()
})
