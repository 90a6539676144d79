import { describe, expect, test } from 'bun:test'
import { adaptRequest } from '#calls/adapt'
import type { Provider } from '#kit'
import type { AdapterContext, ChatRequest, Message } from '#kit/provider'
import { fakeHost } from '#kit/testing'
import google from './index.ts'
import { heededSchema } from './schema.ts'

const { providers } = await google.setup({ baseURL: 'https://gemini.example/v1beta' }, fakeHost())
const provider = providers?.[0] as Provider
const chat = provider.endpoints.chat as NonNullable<Provider['endpoints']['chat']>

const adapt = (fields: Partial<ChatRequest>, model = 'gemini-3.8-flash') => {
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

const withProperty = (schema: object) => ({ type: 'object', properties: { x: schema }, required: ['x'] })

describe('a schema for Gemini', () => {
  test.each([
    [
      'what it heeds',
      {
        type: ['integer', 'null'],
        minimum: 1,
        maximum: 9,
        format: 'int32',
        enum: [1, 2],
        title: 'N',
        description: 'D',
      },
      undefined,
      [],
    ],
    [
      'what it does not',
      { type: 'string', minLength: 1, pattern: '^a', default: 'a', description: 'D' },
      { type: 'string', description: 'D\n\n{minLength: 1, pattern: "^a", default: "a"}' },
      ['minLength', 'pattern'],
    ],
    ['one literal', { type: 'string', const: 'a' }, { type: 'string', enum: ['a'] }, []],
    ['a literal of another type', { const: true }, { description: '{const: true}' }, ['const']],
    ['literals of other types', { enum: ['a', null] }, { description: '{enum: ["a",null]}' }, ['enum']],
    ['one wrapped in allOf', { allOf: [{ type: 'string' }], title: 'T' }, { type: 'string', title: 'T' }, []],
    [
      'several in allOf',
      { allOf: [{ type: 'string' }, { minLength: 1 }] },
      { description: '{allOf: [{"type":"string"},{"minLength":1}]}' },
      ['allOf'],
    ],
    [
      'schemas inside others',
      {
        type: 'array',
        items: { anyOf: [{ type: 'string', pattern: 'a' }, true] },
        prefixItems: [{ const: 1 }],
        additionalProperties: { type: 'string', maxLength: 2 },
      },
      {
        type: 'array',
        items: { anyOf: [{ type: 'string', description: '{pattern: "a"}' }, true] },
        prefixItems: [{ enum: [1] }],
        additionalProperties: { type: 'string', description: '{maxLength: 2}' },
      },
      ['pattern', 'maxLength'],
    ],
    ['a property with the name of a word', withProperty({ type: 'null' }), undefined, []],
    ['words about words', { $schema: 'x', $comment: 'y', type: 'null', examples: [1] }, { type: 'null' }, []],
    ['words that nobody knows', { type: 'null', 'x-a\nb': 1 }, { type: 'null', description: '{x-a\nb: 1}' }, []],
  ])('%s', (_, schema, expected, moved) => {
    const made = heededSchema(withProperty(schema), 'schema')
    expect(made.schema).toEqual(withProperty(expected ?? schema))
    expect([...made.moved]).toEqual(moved)
  })

  test('with nothing to change goes as it is', () => {
    const schema = {
      ...withProperty({ type: 'array', items: { enum: [1], minimum: 0 } }),
      $defs: { A: { type: 'null' } },
    }
    expect(heededSchema(schema, 'schema').schema).toBe(schema)
  })

  test('references stand alone, and definitions have one name', () => {
    const schema = {
      ...withProperty({ $ref: '#/definitions/A', description: 'lost', minimum: 1 }),
      definitions: { A: { $ref: '#/$defs/B' } },
      $defs: { B: { type: 'string', const: 'b' } },
    }
    expect(heededSchema(schema, 'schema')).toEqual({
      schema: {
        ...withProperty({ $ref: '#/$defs/A' }),
        $defs: { A: { $ref: '#/$defs/B' }, B: { type: 'string', enum: ['b'] } },
      },
      moved: new Set(['minimum']),
    })
  })

  test('that is nested too deep is refused by its name', () => {
    const deep = JSON.parse(`${'{"items":'.repeat(1000)}{}${'}'.repeat(1000)}`)
    const format = { type: 'json_schema' as const, json_schema: { name: 'n', schema: deep } }
    expect(() => adapt({ response_format: format })).toThrow('`response_format.json_schema.schema` is nested deeper')
    const parameters = { tools: [{ type: 'function' as const, function: { name: 'f', parameters: deep } }] }
    expect(() => adapt(parameters)).toThrow('`tools[0].function.parameters` is nested deeper')
  })
})

test('what is lost of a format and of strict tools is named', () => {
  const schema = withProperty({ type: 'string', maxLength: 5 })
  const { body, dropped } = adapt({
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
    tools: [{ type: 'function', function: { name: 'f', strict: true, parameters: schema } }],
  })
  const told = withProperty({ type: 'string', description: '{maxLength: 5}' })
  expect(body).toHaveProperty('generationConfig.responseJsonSchema', told)
  expect(body).toHaveProperty('tools.0.functionDeclarations.0.parametersJsonSchema', told)
  expect(dropped).toEqual(['response_format.json_schema.schema.maxLength', 'tools[].function.parameters.maxLength'])
  const lax = adapt({ tools: [{ type: 'function', function: { name: 'f', parameters: schema } }] })
  expect(lax.body).toHaveProperty('tools.0.functionDeclarations.0.parametersJsonSchema', told)
  expect(lax.dropped).toEqual([])
})

describe('a format beside functions', () => {
  const schema = withProperty({ type: 'string' })
  const format = { type: 'json_schema', json_schema: { name: 'n', schema } } as const
  const tools = [{ type: 'function' as const, function: { name: 'f' } }]

  test.each(['gemini-3.8-flash', 'gemini-flash-latest', 'models/gemini-3.1-pro-preview'])('is taken by %s', (model) => {
    const { body, dropped } = adapt({ tools, response_format: format }, model)
    expect(body).toHaveProperty('generationConfig.responseJsonSchema', schema)
    expect([body?.systemInstruction, dropped]).toEqual([undefined, []])
  })

  test.each(['gemini-2.5-flash', 'gemini-2.5-pro', 'gemini-2.0-flash'])('is asked for in words at %s', (model) => {
    const { body, dropped } = adapt({ tools, response_format: format }, model)
    expect([body?.generationConfig, dropped]).toEqual([undefined, ['response_format']])
    expect(JSON.stringify(body?.systemInstruction)).toContain(JSON.stringify(JSON.stringify(schema)).slice(1, -1))
    const object = adapt({ tools, response_format: { type: 'json_object' } }, model)
    expect([object.body?.generationConfig, object.dropped]).toEqual([undefined, ['response_format']])
  })

  test.each([
    ['no tools', { response_format: format }],
    ['an empty list of tools', { tools: [], response_format: format }],
  ])('is taken by Gemini 2.5 with %s', (_, fields) => {
    expect(adapt(fields, 'gemini-2.5-flash').body).toHaveProperty('generationConfig.responseJsonSchema', schema)
  })

  test('is nothing to ask for when it is text', () => {
    const { body, dropped } = adapt({ tools, response_format: { type: 'text' } }, 'gemini-2.5-flash')
    expect([body?.systemInstruction, dropped]).toEqual([undefined, []])
  })
})

test('a schema that is wrapped again and again is copied once', () => {
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`x${index}`, 1]))
  let wrapped: object = { type: 'string' }
  for (let level = 0; level < 60; level++) wrapped = { allOf: [wrapped] }
  const before = performance.now()
  expect(heededSchema({ ...fields, ...wrapped }, 'schema').schema).toMatchObject({ type: 'string' })
  expect(performance.now() - before).toBeLessThan(2_000)
})
