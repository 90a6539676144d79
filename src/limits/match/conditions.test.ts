import { describe, expect, test } from 'bun:test'
import type { Facts } from './condition-keys.ts'
import { compileCondition, needsTarget } from './conditions.ts'
import type { Condition } from './policy.ts'

const FACTS: Facts = {
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  apiKeyId: 'key-1',
  metadata: { team: 'red', star: '*', empty: '' },
  endpointType: 'chatComplete',
  model: 'gpt-4o',
  target: { provider: 'openai', virtualKey: 'main' },
}

const holds = (condition: Condition, facts: Facts = FACTS): boolean => compileCondition(condition).holds(facts)

describe('a condition holds', () => {
  test('for its value, and for one of several', () => {
    expect(holds({ key: 'metadata.team', value: 'red' })).toBe(true)
    expect(holds({ key: 'metadata.team', value: ['blue', 'red'] })).toBe(true)
    expect(holds({ key: 'metadata.team', value: 'Red' })).toBe(false)
    expect(holds({ key: 'metadata.team', value: ['blue', 'green'] })).toBe(false)
    expect(holds({ key: 'metadata.team', value: [] })).toBe(false)
  })

  test('for any value that is there, when it asks for *', () => {
    expect(holds({ key: 'metadata.team', value: '*' })).toBe(true)
    expect(holds({ key: 'metadata.none', value: '*' })).toBe(false)
    expect(holds({ key: 'metadata.empty', value: '*' })).toBe(false)
    expect(holds({ key: 'model', value: '*' })).toBe(true)
  })

  test('not for any value, when * is one of several', () => {
    expect(holds({ key: 'metadata.team', value: ['*'] })).toBe(false)
    expect(holds({ key: 'metadata.star', value: ['*'] })).toBe(true)
    expect(holds({ key: 'model', value: ['*', 'claude'] })).toBe(false)
  })

  test('with a star at the end for models alone', () => {
    expect(holds({ key: 'metadata.team', value: 're*' })).toBe(false)
    expect(holds({ key: 'model', value: 'gpt-*' })).toBe(true)
    expect(holds({ key: 'model', value: ['claude-*', '@openai/gpt-*'] })).toBe(true)
  })

  test('for a stored provider with or without its @', () => {
    expect(holds({ key: 'virtual_key', value: '@main' })).toBe(true)
    expect(holds({ key: 'virtual_key', value: ['main', 'other'] })).toBe(true)
    expect(holds({ key: 'virtual_key', value: '*', excludes: '@main' })).toBe(false)
    expect(holds({ key: 'provider', value: '@openai' })).toBe(false)
  })
})

describe('a kind of call', () => {
  const messages: Facts = { ...FACTS, endpointType: 'stream-messages', widerEndpointType: 'proxy' }
  const type = (value: string, excludes?: string): Condition => ({
    key: 'endpoint_type',
    value,
    ...(excludes === undefined ? {} : { excludes }),
  })

  test('is meant by its own word, that without its stream, and the first of its endpoint', () => {
    const words = ['stream-messages', 'messages', 'proxy', 'rerank', 'chatComplete']
    expect(words.filter((word) => holds(type(word), messages))).toEqual(['stream-messages', 'messages', 'proxy'])
    expect(words.filter((word) => !holds(type('*', word), messages))).toEqual(['stream-messages', 'messages', 'proxy'])
  })

  test('is not meant by the word of streams when it is none', () => {
    expect(holds(type('stream-messages'), { ...messages, endpointType: 'messages' })).toBe(false)
    expect(holds(type('stream-chatComplete'), { ...FACTS, widerEndpointType: 'chatComplete' })).toBe(false)
  })
})

describe('what a condition excludes', () => {
  test('comes before what it asks for', () => {
    expect(holds({ key: 'metadata.team', value: 'red', excludes: 'red' })).toBe(false)
    expect(holds({ key: 'metadata.team', value: '*', excludes: ['blue', 'red'] })).toBe(false)
    expect(holds({ key: 'metadata.team', value: '*', excludes: ['blue'] })).toBe(true)
    expect(holds({ key: 'metadata.team', value: '*', excludes: [] })).toBe(true)
  })

  test('does not make a missing value hold', () => {
    expect(holds({ key: 'metadata.none', value: '*', excludes: 'red' })).toBe(false)
  })

  test('takes * as text, and a star at the end for models', () => {
    expect(holds({ key: 'metadata.team', value: '*', excludes: '*' })).toBe(true)
    expect(holds({ key: 'metadata.star', value: '*', excludes: '*' })).toBe(false)
    expect(holds({ key: 'metadata.team', value: '*', excludes: 're*' })).toBe(true)
    expect(holds({ key: 'model', value: '*', excludes: '*' })).toBe(true)
    expect(holds({ key: 'model', value: '*', excludes: 'gpt-*' })).toBe(false)
    expect(holds({ key: 'model', value: '*', excludes: '@openai/*' })).toBe(false)
    expect(holds({ key: 'model', value: '*', excludes: '@azure/*' })).toBe(true)
  })
})

describe('the explanation of a condition', () => {
  const explain = (condition: Condition, facts: Facts = FACTS) => compileCondition(condition).judge(facts)

  test('repeats it, and says what the call has', () => {
    expect(explain({ key: 'metadata.team', value: ['red', 'blue'], excludes: 'green' })).toEqual({
      key: 'metadata.team',
      value: ['red', 'blue'],
      excludes: 'green',
      actual: 'red',
      holds: true,
      reason: 'the value is one of those listed',
    })
  })

  test.each<[Condition, boolean, string | null, string]>([
    [{ key: 'metadata.none', value: '*' }, false, null, 'the call has no value for this key'],
    [{ key: 'metadata.team', value: '*', excludes: 'red' }, false, 'red', 'the value is one of those excluded'],
    [{ key: 'metadata.team', value: '*' }, true, 'red', 'any value will do'],
    [{ key: 'metadata.team', value: 'blue' }, false, 'red', 'the value is none of those listed'],
    [{ key: 'model', value: '@main/*' }, true, '@openai/gpt-4o', 'the value is one of those listed'],
  ])('%j', (condition, isHolding, actual, reason) => {
    expect(explain(condition)).toMatchObject({ holds: isHolding, actual, reason })
  })

  test('shows the model alone as long as no target is chosen', () => {
    const { target: _, ...early } = FACTS
    expect(explain({ key: 'model', value: 'gpt-4o' }, early).actual).toBe('gpt-4o')
  })

  test('leaves out what the condition does not have', () => {
    expect(Object.keys(explain({ key: 'api_key', value: '*' }))).not.toContain('excludes')
  })
})

describe('a policy needs the target', () => {
  test.each<[Condition[], string[]]>([
    [[{ key: 'provider', value: 'openai' }], []],
    [[{ key: 'virtual_key', value: '*' }], []],
    [[{ key: 'model', value: '@openai/gpt-4o' }], []],
    [[{ key: 'model', value: ['gpt-4o', '@openai/*'] }], []],
    [[{ key: 'model', value: '*', excludes: '@openai/*' }], []],
    // A target may ask for another model than the request does.
    [[{ key: 'model', value: ['gpt-4o', 'claude-*'], excludes: 'gpt-4*' }], ['api_key']],
    [[{ key: 'api_key', value: '*' }], ['model']],
    [[], ['api_key', 'provider']],
    [[], ['virtual_key']],
  ])('%j by %j', (conditions, groupBy) => {
    expect(needsTarget({ conditions, groupBy })).toBe(true)
  })

  test.each<[Condition[], string[]]>([
    [[], []],
    [[{ key: 'metadata.handle', value: '@anna/x' }], ['metadata.model']],
    [[{ key: 'endpoint_type', value: 'chatComplete' }], ['config', 'prompt', 'endpoint_type']],
    [[{ key: 'mcp_tool', value: '@a/b' }], ['mcp_server']],
  ])('not: %j by %j', (conditions, groupBy) => {
    expect(needsTarget({ conditions, groupBy })).toBe(false)
  })
})
