import { describe, expect, test } from 'bun:test'
import { ConfigError } from './config-error.ts'
import { resolveReferences } from './environment-references.ts'

const env = { KEY: 'secret', EMPTY: '', NESTED: '${KEY}' }

const failureOf = (value: unknown): Error => {
  try {
    resolveReferences(value, env)
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown
  }
  throw new Error('it did not throw a ConfigError')
}

describe('environment references', () => {
  test('stand at several places of a string', () => {
    expect(resolveReferences({ a: 'Bearer ${KEY}!', b: ['${KEY}-${KEY}'] }, env)).toEqual({
      a: 'Bearer secret!',
      b: ['secret-secret'],
    })
  })

  test('a default stands in for a variable that is not set, but not for an empty one', () => {
    expect(resolveReferences('${NONE:-http://[::1]:80/v1}', env)).toBe('http://[::1]:80/v1')
    expect(resolveReferences('${NONE:-}', env)).toBe('')
    expect(resolveReferences('${EMPTY:-other}', env)).toBe('')
    expect(resolveReferences('${KEY:-other}', env)).toBe('secret')
  })

  test('a missing variable is named with the path of its key', () => {
    expect(failureOf({ plugins: ['defaults', { openai: { apiKey: '${NONE}' } }] }).message).toBe(
      'plugins[1].openai.apiKey: the environment variable NONE is not set',
    )
  })

  test('the value of a variable is not read again, nor is a dollar sign in it special', () => {
    expect(resolveReferences('${NESTED}', env)).toBe('${KEY}')
    expect(resolveReferences('${MONEY}', { MONEY: "$1 $& $'" })).toBe("$1 $& $'")
  })

  test('what is no reference stays as it is, whatever its type', () => {
    const value = { a: '$KEY ${} ${1A} ${KEY', b: 5, c: true, d: null, e: [1.5] }
    expect(resolveReferences(value, env)).toEqual(value)
  })
})
