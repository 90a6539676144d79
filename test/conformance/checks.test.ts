import { describe, expect, test } from 'bun:test'
import type { Check, Plugin } from '#kit'
import { type CheckSample, conformCheck, setUp } from '#kit/testing'
import { builtInsByKind } from '../../plugins/built-in.ts'

const PLUGINS: readonly Plugin[] = builtInsByKind.check

const judge = { provider: '@small', model: 'judge-1' }
// Of the form of a token, and none.
const TOKEN = `ghp_${'9aKz7Qw3Xe5Rc1Tv8Yb2Un4Im6Op0LsDfGh'}1B`
const CARD = '4111 1111 1111 1111'

/** By check; others are made without parameters. */
const SAMPLES: Readonly<Record<string, readonly CheckSample[]>> = {
  'default.regexMatch': [
    { parameters: { rule: 'a[0-9]{1,3}b' }, passes: ['x a12b y'], fails: ['a1234b', 'nothing'] },
    { parameters: { rule: 'a[0-9]{1,3}b', not: true }, passes: ['nothing', 'a1234b'], fails: ['x a12b y'] },
  ],
  'default.regexReplace': [{ parameters: { rule: 'secret-[0-9]+' }, passes: ['nothing'], fails: ['my secret-12 is'] }],
  'default.contains': [
    { parameters: { words: ['red', 'green'], operator: 'none' }, passes: ['blue'], fails: ['it is green'] },
    { parameters: { words: ['red', 'green'], operator: 'any' }, passes: ['it is red'], fails: ['blue'] },
  ],
  'default.sentenceCount': [{ parameters: { maxSentences: 1 }, passes: ['One.'], fails: ['One. Two. Three.'] }],
  'default.wordCount': [{ parameters: { maxWords: 2 }, passes: ['one two'], fails: ['one two three'] }],
  'default.characterCount': [{ parameters: { maxCharacters: 5 }, passes: ['12345'], fails: ['123456'] }],
  'default.endsWith': [{ parameters: { suffix: 'end' }, passes: ['the end'], fails: ['the end is near'] }],
  'default.alluppercase': [{ passes: ['LOUD'], fails: ['Quiet'] }],
  'default.isAllLowerCase': [{ passes: ['quiet'], fails: ['Loud'] }],
  'default.alllowercase': [{ passes: ['quiet'], fails: ['Loud'] }],
  'default.notNull': [{ passes: ['a'], fails: [''] }],
  'default.containsCode': [
    { parameters: { format: 'SQL' }, passes: ['```sql\nselect 1\n```'], fails: ['no code', '```python\n1\n```'] },
  ],
  'default.jsonSchema': [
    { parameters: { schema: { required: ['a'] } }, passes: ['so: {"a":1}'], fails: ['{"b":1}', 'no JSON'] },
    { parameters: { schema: { required: ['a'] }, not: true }, passes: ['{"b":1}'], fails: ['{"a":1}'] },
  ],
  'default.jsonKeys': [{ parameters: { keys: ['a'] }, passes: ['so: {"a":1}'], fails: ['{"b":1}'] }],
  'default.modelWhitelist': [{ parameters: { models: ['a'] } }],
  'default.modelwhitelist': [{ parameters: { models: ['a'] } }],
  'default.modelRules': [{ parameters: { rules: { defaults: ['a'] } } }],
  'default.requiredMetadataKeyValuePairs': [{ parameters: { metadataPairs: { a: 'b' } } }],
  'default.requiredMetadataKeyPairs': [{ parameters: { metadataPairs: { a: 'b' } } }],
  'default.jwt': [{ parameters: { jwksUri: 'https://example.com/keys' } }],
  'default.webhook': [{ parameters: { webhookURL: 'https://example.com/hook' } }],
  'default.log': [{ parameters: { logURL: 'https://example.com/log' } }],
  'gateway.pii': [
    {
      parameters: { categories: ['CREDIT_CARD', 'EMAIL_ADDRESS'] },
      passes: ['nothing'],
      fails: [CARD, 'me@example.com'],
    },
    { parameters: { categories: ['CREDIT_CARD'], redact: true }, passes: ['1234'], fails: [`card ${CARD}.`] },
  ],
  'gateway.language': [
    {
      parameters: { language: ['eng_Latn'] },
      passes: ['This is a sentence that is written in plain English words.'],
      fails: ['Dies ist ein Satz, der offensichtlich auf Deutsch geschrieben wurde.'],
    },
  ],
  'bedrock.guard': [{ parameters: { guardrailId: 'abc123', guardrailVersion: '1' } }],
  'gateway.secrets': [
    { passes: ['no secret'], fails: [`my key is ${TOKEN}, keep it`] },
    { parameters: { redact: true }, passes: ['no secret'], fails: [TOKEN] },
  ],
  'gateway.gibberish': [
    { passes: ['This is a sentence in plain words.'], fails: ['xkq zvbnm qwrtp lkjhgf zxcvb mnbvcx qwrtzp sdfghj'] },
  ],
  'gateway.moderateContent': [{ parameters: { categories: ['hate'] } }],
  'gateway.promptInjection': [{}, { parameters: judge }],
  'gateway.judge': [{ parameters: { ...judge, instructions: 'it is rude' } }],
}

/** A value that fits, for a parameter that a check has to be given. */
const valueFor = (schema: Readonly<Record<string, unknown>>): unknown => {
  const { default: given, const: only, anyOf, type, items, minItems } = schema
  if (given !== undefined) return given
  if (only !== undefined) return only
  if (Array.isArray(anyOf)) return valueFor(anyOf[0])
  if (type === 'array') {
    return Array.from({ length: typeof minItems === 'number' ? minItems : 0 }, () => valueFor({ ...(items as object) }))
  }
  if (type === 'object') return {}
  if (type === 'string') return typeof schema.format === 'string' || schema.pattern !== undefined ? undefined : 'sample'
  return type === 'boolean' ? false : 1
}

const sampleOf = ({ parameters }: Check): CheckSample => ({
  parameters: Object.fromEntries(
    (parameters.required ?? []).map((name) => [name, valueFor({ ...parameters.properties[name] })]),
  ),
})

const all: Check[] = []
for (const plugin of PLUGINS) {
  const { parts } = await setUp(plugin)
  all.push(...(parts.checks ?? []))
  await parts.close?.()
}
for (const check of all) conformCheck(check, SAMPLES[check.id] ?? [sampleOf(check)])

describe('samples', () => {
  test('are of checks that there are', () => {
    const ids = all.map(({ id }) => id)
    expect(Object.keys(SAMPLES).filter((id) => !ids.includes(id))).toEqual([])
    expect(ids.length).toBeGreaterThan(40)
  })

  test('show what every check refuses that looks at texts alone', () => {
    const silent = all.filter(
      ({ id, needs = [], reads = 'texts' }) =>
        needs.length === 0 && reads === 'texts' && !(SAMPLES[id] ?? []).some(({ fails = [] }) => fails.length > 0),
    )
    expect(silent.map(({ id }) => id)).toEqual([])
  })
})
