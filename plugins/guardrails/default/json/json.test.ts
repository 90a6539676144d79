import { describe, expect, test } from 'bun:test'
import { jsonIn } from '../shared/json-texts.ts'
import { faultsOf, run } from '../shared/test-support.ts'
import { jsonKeys } from './json-keys.ts'
import { jsonSchema } from './json-schema.ts'

const PERSON = { type: 'object', required: ['name'], properties: { name: { type: 'string' }, age: { minimum: 0 } } }

describe('the JSON in a text', () => {
  test.each<readonly [text: string, values: readonly unknown[]]>([
    ['{"a":1}', [{ a: 1 }]],
    [' [1, 2] ', [[1, 2]]],
    ['so: ```json\n{"a":1}\n``` and ```\n{"b":2}```, {"c":3}', [{ a: 1 }, { b: 2 }]],
    ['so: {"a":{"b":[1]}} and {"c":"}"} end', [{ a: { b: [1] } }, { c: '}' }]],
    ['{not {"a":1} json}', [{ a: 1 }]],
    ['a { b "c { d\n {"a":1}', [{ a: 1 }]],
    ['{"a":"\\"}{"}', [{ a: '"}{' }]],
    ['"text", 3, null', []],
    ['} ] { [', []],
    ['```json\nnone\n``` {"a":1}', [{ a: 1 }]],
  ])('%j', (text, values) => {
    expect(jsonIn(text)).toEqual(values)
  })

  test('a megabyte of brackets, quotes or fences is read at once', () => {
    for (const piece of ['{', '{}{', '[[]', '{"', '"{', '``` {"a"', '{"a":1} ', '}{', '[{x}'])
      expect(jsonIn(piece.repeat((1024 * 1024) / piece.length)).length).toBeLessThanOrEqual(1_000)
    expect(jsonIn(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBeDefined()
  })
})

describe('jsonSchema', () => {
  // The first ones as in the open-source counterpart's own tests (Portkey-AI/gateway, plugins/default/default.test.ts, read
  // 2026-11-23), in our words.
  test.each<readonly [schema: unknown, not: boolean, texts: readonly string[], verdict: boolean]>([
    [PERSON, false, ['adding text\n```json\n{"name": "A"}\n```\nand more'], true],
    [PERSON, false, ['{"age": 3}'], false],
    [PERSON, false, ['```json\n{"age": 3}\n```\n```json\n{"name": "B"}\n```'], true],
    [PERSON, false, ['no JSON'], false],
    [PERSON, true, ['no JSON'], false],
    [PERSON, true, ['{"age": 3}'], true],
    [PERSON, true, ['{"name": "A"}'], false],
    [{ prefixItems: [{ type: 'string' }], items: false }, false, ['["a"]'], true],
    [{ prefixItems: [{ type: 'string' }], items: false }, false, ['["a", 1]'], false],
    [PERSON, false, ['{"age": 3}', '{"name": "B"}'], true],
    [false, true, ['{}'], true],
  ])('%j, turned round: %p, %j', async (schema, not, texts, verdict) => {
    expect((await run(jsonSchema, { schema, not }, texts)).verdict).toBe(verdict)
  })

  test('says what does not fit, and where', async () => {
    const { data } = await run(jsonSchema, { schema: PERSON }, ['{"name": 3, "age": -1}'])
    expect(data).toMatchObject({
      matchedJson: '{"name":3,"age":-1}',
      explanation: 'No JSON in the text fits the schema.',
    })
    expect(
      (data as { validationErrors: { path: string }[] }).validationErrors.map(({ path }) => path).toSorted(),
    ).toEqual(['age', 'name'])
  })

  test('schemas that are none are refused by their place', () => {
    expect(faultsOf(jsonSchema, {})[0]).toStartWith('schema')
    expect(faultsOf(jsonSchema, { schema: 'text' })[0]).toStartWith('schema must be')
    expect(faultsOf(jsonSchema, { schema: { properties: { a: { type: 'txt' } } } })[0]).toStartWith(
      'schema.properties.a.type',
    )
    expect(faultsOf(jsonSchema, { schema: { $ref: '#/nowhere' } })[0]).toStartWith('schema.$ref')
    expect(faultsOf(jsonSchema, { schema: { pattern: '(' } })[0]).toStartWith('schema.pattern')
  })
})

describe('jsonKeys', () => {
  test.each<readonly [operator: string, text: string, verdict: boolean]>([
    ['any', '{"key1": 1}', true],
    ['any', '{"key3": 1}', false],
    ['all', '{"key1": 1, "key2": 2}', true],
    ['all', '{"key1": 1}', false],
    ['all', 'one {"key1": 1} two {"key1": 1, "key2": 2}', true],
    ['none', '{"key3": 1}', true],
    ['none', '{"key1": 1}', false],
    ['any', '{"in": {"key1": 1}}', false],
    ['none', 'no JSON', false],
    ['any', '[{"key1": 1}]', false],
  ])('%s of key1, key2 in %j', async (operator, text, verdict) => {
    expect((await run(jsonKeys, { keys: ['key1', 'key2'], operator }, [text])).verdict).toBe(verdict)
  })

  test('says which keys are there', async () => {
    const { data } = await run(jsonKeys, { keys: ['a', 'b', 'toString'], operator: 'all' }, ['x {"b":1} {"a":1,"b":2}'])
    expect(data).toMatchObject({ presentKeys: ['a', 'b'], missingKeys: ['toString'] })
  })
})
