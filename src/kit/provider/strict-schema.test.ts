import { expect, test } from 'bun:test'
import type { ChatRequest, ResponseFormat } from './openai.ts'
import type { AdapterContext } from './provider.ts'
import { OPENAI_STRICT, strictFormatRule, strictTool } from './strict-schema.ts'

const context: AdapterContext = {
  model: 'm',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 1,
  settings: {},
}

/** What becomes of a strict schema, and what is named. */
const sent = (schema: unknown, strict = true) => {
  const format = { type: 'json_schema', json_schema: { name: 'a', strict, schema } } as unknown as ResponseFormat
  const named: string[] = []
  const rule = strictFormatRule(OPENAI_STRICT, true)
  if (typeof rule !== 'function') throw new Error('no function')
  const made = rule(format, {} as ChatRequest, context, (part) => named.push(part))?.response_format as typeof format
  const { json_schema: held } = made as { json_schema: { strict: boolean; schema: unknown } }
  return { schema: held.schema, strict: held.strict, named, isSame: made === format }
}

const object = (properties: object, more: object = {}) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})

test('a schema that is as the host takes it is the very same', () => {
  const schema = object(
    {
      a: { type: 'string', minLength: 1, format: 'email', pattern: '^a', description: 'A.' },
      b: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/c' }] },
      c: { type: 'array', minItems: 1, items: { enum: [1, 2] } },
    },
    { $defs: { c: object({}) } },
  )
  expect(sent(schema)).toEqual({ schema, strict: true, named: [], isSame: true })
})

test('objects are closed and all of their properties required, at any depth', () => {
  const open = { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'string' } } } } }
  expect(sent(open)).toMatchObject({
    schema: object({ a: object({ b: { type: 'string' } }) }),
    strict: true,
    named: ['response_format.required'],
  })
})

test('words that are refused move into the description, and are named', () => {
  const { schema, named } = sent(
    object({
      a: { type: 'array', items: { type: 'string', format: 'uri' }, uniqueItems: true, description: 'Links.' },
      b: { oneOf: [{ type: 'string' }, { type: 'null' }] },
    }),
  )
  expect(schema).toEqual(
    object({
      a: {
        type: 'array',
        items: { type: 'string', description: '{format: "uri"}' },
        description: 'Links.\n\n{uniqueItems: true}',
      },
      b: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    }),
  )
  expect(named).toEqual(['response_format.format', 'response_format.uniqueItems', 'response_format.oneOf'])
})

const deep = Array.from({ length: 100 }).reduce<object>((inner) => ({ type: 'array', items: inner }), {
  type: 'string',
})

test.each([
  ['keys of any name', object({ a: { type: 'object', additionalProperties: { type: 'string' } } })],
  ['an object without properties', object({ a: { type: 'object' } })],
  ['an intersection', object({ a: { allOf: [object({}), object({})] } })],
  ['a tuple', object({ a: { type: 'array', items: [{ type: 'string' }] } })],
  ['an array of anything', object({ a: { type: 'array' } })],
  ['a union at the root', { anyOf: [object({}), object({})] }],
  ['a value of any type', object({ a: true })],
  ['a schema that is nested too deep', object({ a: deep })],
])('what no strict schema can say is asked for without strictness: %s', (_name, schema) => {
  expect(sent(schema)).toEqual({ schema, strict: false, named: ['response_format.strict'], isSame: false })
})

test('only strict schemas are looked at', () => {
  expect(sent({ type: 'object', uniqueItems: true }, false).isSame).toBe(true)
  const rule = strictFormatRule(OPENAI_STRICT, true)
  const text: ResponseFormat = { type: 'text' }
  expect(typeof rule === 'function' && rule(text, {} as ChatRequest, context, () => undefined)?.response_format).toBe(
    text,
  )
})

test('a function is treated the same', () => {
  const named: string[] = []
  const tool = {
    type: 'function',
    function: { name: 'f', strict: true, parameters: { type: 'object', properties: {} } },
  }
  expect(strictTool(tool, OPENAI_STRICT, (part) => named.push(part))).toEqual({
    type: 'function',
    function: { name: 'f', strict: true, parameters: { type: 'object', properties: {}, additionalProperties: false } },
  })
  const lax = { type: 'function', function: { name: 'f', parameters: {} } }
  expect(strictTool(lax, OPENAI_STRICT, (part) => named.push(part))).toBe(lax)
  expect(strictTool(null, OPENAI_STRICT, (part) => named.push(part))).toBeNull()
  expect(named).toEqual([])
})
