import { describe, expect, test } from 'bun:test'
import type { Facts } from './condition-keys.ts'
import { groupOf, groupReaderOf, hashGroup, overflowGroup, toGroup } from './groups.ts'

const BY_TWO = { id: 'policy-1', groupBy: ['metadata.a', 'metadata.b'] }
const BY_ONE = { id: 'policy-1', groupBy: ['metadata.a'] }

const hashOf = (...values: (string | null)[]): string => toGroup(values.length === 1 ? BY_ONE : BY_TWO, values).hash

describe('the hash of a group', () => {
  test('is the same for the same values, and 22 characters of base64url', () => {
    expect(hashOf('x', 'y')).toBe(hashOf('x', 'y'))
    expect(hashOf('x', 'y')).toMatch(/^[\w-]{22}$/)
    // It is part of the keys in the store: another one would forget what was counted.
    expect(hashOf('anna')).toBe('znXCJu-pRweeFV3HghHA0w')
  })

  test.each<[string, (string | null)[], (string | null)[]]>([
    ['a boundary moves', ['a-b', 'c'], ['a', 'b-c']],
    ['the values change places', ['a', 'b'], ['b', 'a']],
    ['a value is missing', [null], ['null']],
    ['a missing value is spelt out', [null], ['(absent)']],
    ['another one is missing', [null, 'a'], ['a', null]],
    ['quotes and commas', ['a","b', 'c'], ['a', 'b","c']],
    ['braces', ['{x}'], ['x']],
    ['a NUL at the end', ['a\0'], ['a']],
    ['a NUL moves', ['a\0', 'b'], ['a', '\0b']],
    ['lone surrogates', ['\uD800'], ['\uD801']],
    ['a lone surrogate and its replacement', ['\uD800'], ['\uFFFD']],
    ['a lone surrogate and its escape', ['\uD800'], ['\\ud800']],
    ['composed and decomposed', ['é'], ['e\u0301']],
    ['case', ['A'], ['a']],
    ['a space', ['a '], ['a']],
  ])('differs when %s', (_, left, right) => {
    expect(hashOf(...left)).not.toBe(hashOf(...right))
  })

  test('differs between policies and between keys', () => {
    const others = [
      { ...BY_ONE, id: 'policy-2' },
      { ...BY_ONE, groupBy: ['metadata.b'] },
    ]
    expect(others.map((policy) => toGroup(policy, ['x']).hash)).not.toContain(hashOf('x'))
  })

  test('keeps scope and text apart', () => {
    expect(hashGroup('a', 'bc')).not.toBe(hashGroup('ab', 'c'))
    expect(hashGroup('a","b', 'c')).not.toBe(hashGroup('a', 'b","c'))
  })
})

describe('the values of a group', () => {
  test('come in the order of the keys, null where there is none', () => {
    const { values, label } = toGroup(BY_TWO, [null, 'y'])
    expect(Object.entries(values)).toEqual([
      ['metadata.a', null],
      ['metadata.b', 'y'],
    ])
    expect(label).toBe('[["metadata.a",null],["metadata.b","y"]]')
  })

  test('of a policy without keys are none', () => {
    expect(toGroup({ id: 'policy-1', groupBy: [] }, [])).toMatchObject({ values: {}, label: '[]' })
  })

  test('may have the names of prototypes', () => {
    const policy = { id: 'policy-1', groupBy: ['metadata.__proto__'] }
    expect(Object.entries(toGroup(policy, ['x']).values)).toEqual([['metadata.__proto__', 'x']])
  })
})

describe('a group that an operator names', () => {
  test('is that of the calls', () => {
    expect(groupOf(BY_TWO, { 'metadata.b': 'y', 'metadata.a': 'x' })).toEqual(toGroup(BY_TWO, ['x', 'y']))
  })

  test('has no value where none is given, or an empty one', () => {
    expect(groupOf(BY_TWO, { 'metadata.b': '' })).toEqual(toGroup(BY_TWO, [null, null]))
    expect(groupOf({ id: 'policy-1', groupBy: ['constructor'] }, {}).values).toEqual({ constructor: null })
  })

  test('may write a stored provider with its @', () => {
    const policy = { id: 'policy-1', groupBy: ['virtual_key', 'metadata.handle'] }
    expect(groupOf(policy, { virtual_key: '@main', 'metadata.handle': '@anna' })).toEqual(
      toGroup(policy, ['main', '@anna']),
    )
  })

  test('is the shared one by what that is listed as', () => {
    const shared = overflowGroup(BY_TWO)
    expect(groupOf(BY_TWO, Object.fromEntries(JSON.parse(shared.label)))).toEqual(shared)
    expect(groupOf(BY_TWO, shared.values)).toEqual(shared)
  })
})

describe('the label of a group', () => {
  const isPair = (pair: unknown): boolean =>
    Array.isArray(pair) &&
    pair.length === 2 &&
    typeof pair[0] === 'string' &&
    (pair[1] === null || typeof pair[1] === 'string')

  test.each<[string, string[], (string | null)[]]>([
    ['one long value', ['model'], ['m'.repeat(100_000)]],
    ['a value of characters that JSON escapes', ['model'], ['\0'.repeat(1_000)]],
    ['several long values', ['model', 'metadata.a', 'config'], ['m'.repeat(600), 'a'.repeat(128), null]],
    ['a surrogate pair at the cut', ['model'], [`${'m'.repeat(127)}😀${'m'.repeat(500)}`]],
    ['long keys', Array.from({ length: 5 }, (_, number) => `metadata.${String(number).repeat(128)}`), []],
    ['keys of characters that JSON escapes', [`metadata.${'\0'.repeat(128)}`], ['\0'.repeat(600)]],
    ['many keys', Array.from({ length: 500 }, (_, number) => `metadata.${number}`), []],
  ])('is short JSON for %s', (_, groupBy, values) => {
    const { label, values: full } = toGroup({ id: 'policy-1', groupBy }, values)
    const pairs: unknown = JSON.parse(label)
    expect(label.length).toBeLessThanOrEqual(512)
    expect(Array.isArray(pairs) && pairs.length > 0 && pairs.every(isPair)).toBe(true)
    expect(label).toContain('…')
    expect(label.isWellFormed()).toBe(true)
    expect(label).not.toContain('\\ud')
    expect(Object.values(full)).toEqual(groupBy.map((_key, index) => values[index] ?? null))
  })

  test('keeps as much of each value as there is room for', () => {
    const short = toGroup({ id: 'policy-1', groupBy: ['model', 'config'] }, ['m'.repeat(600), 'pc-1'])
    expect(JSON.parse(short.label)).toEqual([
      ['model', `${'m'.repeat(128)}…`],
      ['config', 'pc-1'],
    ])
  })

  test('says that pairs were left out', () => {
    const groupBy = Array.from({ length: 500 }, (_, number) => `metadata.${number}`)
    const pairs: [string, string | null][] = JSON.parse(toGroup({ id: 'policy-1', groupBy }, ['x']).label)
    expect(pairs.at(0)).toEqual(['metadata.0', 'x'])
    expect(pairs.at(-1)).toEqual(['…', null])
  })

  test('is short for any number of keys of any length', () => {
    for (let length = 1; length <= 16; length += 1) {
      for (let count = 20; count <= 60; count += 1) {
        const groupBy = Array.from({ length: count }, () => 'k'.repeat(length))
        const { label } = toGroup({ id: 'policy-1', groupBy }, [])
        expect(label.length).toBeLessThanOrEqual(512)
        expect(JSON.parse(label)).toBeArray()
      }
    }
  })

  test('is uncut up to 512 characters', () => {
    const value = 'm'.repeat(512 - '[["model",""]]'.length)
    expect(toGroup({ id: 'policy-1', groupBy: ['model'] }, [value]).label).toBe(`[["model","${value}"]]`)
    expect(toGroup({ id: 'policy-1', groupBy: ['model'] }, [`${value}m`]).label).toContain('…')
  })
})

describe('how calls are told apart', () => {
  const facts: Facts = {
    organisationId: 'organisation-1',
    workspaceId: 'workspace-1',
    metadata: { model: 'meta' },
    endpointType: 'chatComplete',
    model: 'gpt-4o',
  }

  test('by the model together with the provider, whatever it is stored as', () => {
    const read = groupReaderOf('model')
    expect(read({ ...facts, target: { provider: 'openai', virtualKey: 'main' } })).toBe('openai.gpt-4o')
    expect(read({ ...facts, target: { provider: 'openai', model: 'o3' } })).toBe('openai.o3')
    expect(read({ ...facts, model: '', target: { provider: 'openai' } })).toBeUndefined()
    expect(read(facts)).toBeUndefined()
  })

  test('by the plain value for other keys', () => {
    expect(groupReaderOf('metadata.model')(facts)).toBe('meta')
    expect(groupReaderOf('endpoint_type')(facts)).toBe('chatComplete')
  })
})
