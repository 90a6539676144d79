import { describe, expect, test } from 'bun:test'
import { resolveReferences } from './environment-references.ts'

const env = { KEY: 'secret', EMPTY: '', NESTED: '${KEY}' }

const resolved = (value: unknown): unknown => {
  const result = resolveReferences(value, env)
  expect(result.violations).toEqual([])
  return result.value
}

describe('environment references', () => {
  test('stand at several places of a string', () => {
    expect(resolved({ a: 'Bearer ${KEY}!', b: ['${KEY}-${KEY}'] })).toEqual({
      a: 'Bearer secret!',
      b: ['secret-secret'],
    })
  })

  test('a default stands in for a variable that is not set, but not for an empty one', () => {
    expect(resolved('${NONE:-http://[::1]:80/v1}')).toBe('http://[::1]:80/v1')
    expect(resolved('${NONE:-}')).toBe('')
    expect(resolved('${EMPTY:-other}')).toBe('')
    expect(resolved('${KEY:-other}')).toBe('secret')
  })

  test('every missing variable is named with the path of its key, and left as it is', () => {
    const value = { plugins: ['defaults', { openai: { apiKey: '${NONE}${OTHER}', baseURL: '${KEY}' } }] }
    expect(resolveReferences(value, env)).toEqual({
      value: { plugins: ['defaults', { openai: { apiKey: '${NONE}${OTHER}', baseURL: 'secret' } }] },
      violations: [
        { path: 'plugins[1].openai.apiKey', message: 'the environment variable NONE is not set' },
        { path: 'plugins[1].openai.apiKey', message: 'the environment variable OTHER is not set' },
      ],
    })
  })

  test('the value of a variable is not read again, nor is a dollar sign in it special', () => {
    expect(resolved('${NESTED}')).toBe('${KEY}')
    expect(resolveReferences('${MONEY}', { MONEY: "$1 $& $'" }).value).toBe("$1 $& $'")
  })

  test('what is no reference stays as it is, whatever its type', () => {
    const value = { a: '$KEY ${} ${1A} ${KEY', b: 5, c: true, d: null, e: [1.5] }
    expect(resolved(value)).toEqual(value)
  })
})
