import { describe, expect, test } from 'bun:test'
import { type TSchema, Type as t } from '@sinclair/typebox'
import { check, nearest } from './check.ts'

const violationsOf = (schema: TSchema, input: unknown) => {
  const checked = check(schema, input)
  return checked.ok ? [] : checked.violations
}

const Sample = t.Object({
  name: t.String(),
  limit: t.Integer({ default: 5, minimum: 1 }),
  section: t.Object({ host: t.String({ default: 'here' }), port: t.Integer({ default: 1 }) }, { default: {} }),
  mode: t.Optional(t.Union([t.Literal('local'), t.Literal('open')])),
  list: t.Optional(t.Array(t.Object({ key: t.String() }))),
})

describe('check', () => {
  test('fills defaults in, also in sections that are not there', () => {
    expect(check(Sample, { name: 'a' })).toEqual({
      ok: true,
      value: { name: 'a', limit: 5, section: { host: 'here', port: 1 } },
    })
  })

  test('leaves its input alone', () => {
    const input = Object.freeze({ name: 'a', section: Object.freeze({ port: 7 }) })
    const checked = check(Sample, input)
    expect(checked.ok && checked.value.section).toEqual({ host: 'here', port: 7 })
    expect(input).toEqual({ name: 'a', section: { port: 7 } })
  })

  test('names the nearest key for an unknown one, at any depth', () => {
    expect(
      violationsOf(Sample, { name: 'a', lmit: 1, section: { prot: 2 }, list: [{ key: 'a' }, { kye: 'b' }] }),
    ).toEqual([
      { path: 'lmit', message: "unknown key; did you mean 'limit'?" },
      { path: 'section.prot', message: "unknown key; did you mean 'port'?" },
      { path: 'list[1].key', message: 'expected required property' },
      { path: 'list[1].kye', message: "unknown key; did you mean 'key'?" },
      { path: 'list[1].key', message: 'expected string' },
    ])
  })

  test('lists the known keys when none is near, and says so when there is none', () => {
    expect(violationsOf(Sample, { name: 'a', section: { somethingElse: 1 } })).toEqual([
      { path: 'section.somethingElse', message: 'unknown key; known are: host, port' },
    ])
    expect(violationsOf(t.Object({}), { a: 1 })).toEqual([{ path: 'a', message: 'unknown key; known are: none' }])
    const byId = t.Object({
      of: t.Record(t.String({ pattern: '^[a-z]-[0-9]+$' }), t.Boolean(), { additionalProperties: false }),
    })
    expect(violationsOf(byId, { of: { 'a-1': true, nope: true } })).toEqual([
      { path: 'of.nope', message: 'must match ^[a-z]-[0-9]+$' },
    ])
  })

  test('keeps what a schema leaves open on purpose', () => {
    const open = t.Object({ a: t.String() }, { additionalProperties: true })
    expect<unknown>(check(open, { a: 'x', b: 1 })).toEqual({ ok: true, value: { a: 'x', b: 1 } })
  })

  test('lists the words of a choice', () => {
    expect(violationsOf(Sample, { name: 'a', mode: 'closed' })).toEqual([
      { path: 'mode', message: 'must be one of: local, open' },
    ])
  })

  test('unescapes keys with a slash or a tilde', () => {
    expect(violationsOf(t.Record(t.String(), t.Integer()), { 'a/b~c': 'x' })).toEqual([
      { path: 'a/b~c', message: 'expected integer' },
    ])
  })

  test('stops at twenty violations', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`unknown-key-${index}`, 1]))
    expect(violationsOf(Sample, { name: 'a', ...many })).toHaveLength(20)
  })

  test('says what is wrong in the form of a union that was meant', () => {
    const entry = t.Union([
      t.String(),
      t.Object({ use: t.String(), with: t.Optional(t.Record(t.String(), t.Unknown())) }),
      t.Record(t.String(), t.Union([t.Record(t.String(), t.Unknown()), t.Null()]), { maxProperties: 1 }),
    ])
    const List = t.Array(entry)
    expect(violationsOf(List, ['a', { use: 'b' }, { c: null }, { c: {} }])).toEqual([])
    expect(violationsOf(List, [{ use: 'a', wiht: {} }])).toEqual([
      { path: '[0].wiht', message: "unknown key; did you mean 'with'?" },
    ])
    expect(violationsOf(List, [{ c: 5 }])).toEqual([{ path: '[0].c', message: 'must be of type object or null' }])
    expect(violationsOf(List, [5])).toEqual([{ path: '[0]', message: 'must be of type string or object' }])
  })

  test('says what breaks the rule of the member that a value of this type was meant for', () => {
    const Note = t.Object({
      text: t.Optional(t.Union([t.String({ maxLength: 5, minLength: 1 }), t.Null()])),
      days: t.Optional(t.Union([t.Integer({ maximum: 365 }), t.Null()])),
      reset: t.Optional(t.Union([t.Literal('weekly'), t.Literal('monthly'), t.Null()])),
      where: t.Optional(t.Union([t.Object({ host: t.String(), port: t.Integer() }), t.Null()])),
      either: t.Optional(
        t.Union([
          t.Object({ type: t.Literal('near'), metres: t.Integer() }),
          t.Object({ type: t.Literal('far'), miles: t.Integer() }),
        ]),
      ),
      words: t.Optional(t.Union([t.String(), t.Array(t.String(), { maxItems: 1 })])),
      nested: t.Optional(t.Union([t.Union([t.String({ minLength: 1 }), t.Object({})]), t.Null()])),
    })
    const said = (value: unknown): unknown => violationsOf(Note, value).map(({ path, message }) => `${path} ${message}`)
    expect(said({ text: 'too long' })).toEqual(['text must have at most 5 characters'])
    expect(said({ text: '' })).toEqual(['text must have at least 1 character'])
    expect(said({ text: 5 })).toEqual(['text must be of type string or null'])
    expect(said({ days: 366 })).toEqual(['days expected integer to be less or equal to 365'])
    expect(said({ reset: 'daily' })).toEqual(['reset must be one of: weekly, monthly, null'])
    expect(said({ reset: 5 })).toEqual(['reset must be of type string or null'])
    expect(said({ where: { host: 'a' } })).toEqual([
      'where.port expected required property',
      'where.port expected integer',
    ])
    expect(said({ either: { type: 'far' } })).toEqual([
      'either.miles expected required property',
      'either.miles expected integer',
    ])
    expect(said({ either: { type: 'far', metres: 1 } })).toContain('either.metres unknown key; known are: type, miles')
    expect(said({ words: ['a', 'b'] })).toEqual(['words must have at most 1 item'])
    expect(said({ nested: '' })).toEqual(['nested must have at least 1 character'])
    expect(said({ nested: 5 })).toEqual(['nested must be of type string or object or null'])
  })

  test.each([
    ['{"__proto__": {"name": "a"}}', '__proto__'],
    ['{"name": "a", "section": {"__proto__": null}}', 'section.__proto__'],
    ['{"name": "a", "list": [{"key": "b"}, {"key": "c", "__proto__": {}}]}', 'list[1].__proto__'],
  ])('%s is refused: a prototype is no field', (text, path) => {
    expect(violationsOf(Sample, JSON.parse(text))).toEqual([{ path, message: 'this key is never allowed' }])
  })
})

describe('nearest', () => {
  test('finds what differs little, whatever its case', () => {
    expect(nearest('Mistral', ['mistral-ai', 'mock'])).toBeUndefined()
    expect(nearest('mistralai', ['mistral-ai', 'mock'])).toBe('mistral-ai')
    expect(nearest('OPENAI', ['openai', 'openrouter'])).toBe('openai')
    expect(nearest('chekc', ['check', 'start'])).toBe('check')
  })

  test('gives nothing rather than something unlike it', () => {
    expect(nearest('guardrails', ['auth', 'cache'])).toBeUndefined()
    expect(nearest('anything', [])).toBeUndefined()
  })

  test('compares no more than it can in a moment', () => {
    const before = performance.now()
    const long = 'x'.repeat(64)
    expect(nearest(long, ['y'.repeat(10_000_000), 'x'.repeat(63)])).toBe('x'.repeat(63))
    expect(
      nearest(
        long,
        Array.from({ length: 100_000 }, (_, index) => `${'y'.repeat(58)}${index}`),
      ),
    ).toBeUndefined()
    expect(performance.now() - before).toBeLessThan(5_000)
  })
})
