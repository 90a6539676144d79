import { expect, test } from 'bun:test'
import { fieldsOf, newCheck, toCheck, toCheckDraft } from './check-draft.ts'
import { KNOWN_CHECKS } from './known-checks.ts'

test('what a form holds is what was stored', () => {
  const stored = [
    { id: 'default.contains', is_enabled: false, parameters: { words: ['a', 'b c'], operator: 'none' } },
    { id: 'default.sentenceCount', is_enabled: true, parameters: { minSentences: 2, not: true } },
    { id: 'default.jsonSchema', is_enabled: true, parameters: { schema: { type: 'object' } } },
    { id: 'acme.noShouting', name: 'Quiet', is_enabled: true, parameters: { loudness: { max: 3 } } },
  ]
  for (const check of stored) expect(toCheck(toCheckDraft(check))).toEqual(check)
})

test('what is left empty is not said', () => {
  for (const { id } of KNOWN_CHECKS) expect(toCheck(newCheck(id))).toEqual({ id, is_enabled: true, parameters: {} })
})

test('JSON that is none is said by the name of its field', () => {
  const draft = { ...newCheck('default.jsonSchema'), texts: { schema: '{"type":' } }
  expect(fieldsOf(draft.id).find(({ name }) => name === 'schema')?.kind).toBe('json')
  expect(() => toCheck(draft)).toThrow('schema of default.jsonSchema is no JSON')
})
