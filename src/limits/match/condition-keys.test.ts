import { describe, expect, test } from 'bun:test'
import { CONDITION_KEYS, type Facts, isConditionKey, readerOf, toStoredForm } from './condition-keys.ts'

const FACTS: Facts = {
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  apiKeyId: 'key-1',
  metadata: { team: 'red', empty: '' },
  config: 'pc-1',
  prompt: 'pp-1',
  endpointType: 'chatComplete',
  model: 'gpt-4o',
  target: { provider: 'openai', virtualKey: 'openai-main', model: 'gpt-4o-mini' },
  mcpServer: 'tickets',
  mcpTool: 'create',
}

const BARE: Facts = { organisationId: '', workspaceId: '', metadata: {}, endpointType: '' }

describe('which keys policies may name', () => {
  test.each([
    ['llm', 'provider'],
    ['llm', 'organisation_id'],
    ['llm', 'metadata.team'],
    ['llm', `metadata.${'a'.repeat(128)}`],
    ['llm', 'metadata.a.b'],
    ['mcp_tools', 'mcp_tool'],
    ['mcp_tools', 'api_key'],
    ['mcp_tools', 'metadata._user'],
    ['budgets', 'organisation_id'],
    ['budgets', 'metadata.team'],
  ] as const)('%s: %s', (target, key) => {
    expect(isConditionKey(target, key)).toBe(true)
  })

  test.each([
    ['llm', 'mcp_tool'],
    ['llm', 'metadata.'],
    ['llm', 'metadata'],
    ['llm', `metadata.${'a'.repeat(129)}`],
    ['llm', 'Model'],
    ['llm', ''],
    ['llm', 'constructor'],
    ['mcp_tools', 'model'],
    ['mcp_tools', 'organisation_id'],
    ['budgets', 'endpoint_type'],
    ['budgets', 'mcp_tool'],
  ] as const)('%s, not %s', (target, key) => {
    expect(isConditionKey(target, key)).toBe(false)
  })
})

describe('the value of a key', () => {
  test.each([
    ['api_key', 'key-1'],
    ['workspace_id', 'workspace-1'],
    ['organisation_id', 'organisation-1'],
    ['virtual_key', 'openai-main'],
    ['provider', 'openai'],
    ['config', 'pc-1'],
    ['prompt', 'pp-1'],
    ['endpoint_type', 'chatComplete'],
    ['mcp_server', 'tickets'],
    ['mcp_tool', 'create'],
    ['metadata.team', 'red'],
  ])('%s is %s', (key, value) => {
    expect(readerOf(key)(FACTS)).toBe(value)
  })

  test('each key that may be named can be read', () => {
    const keys = [...CONDITION_KEYS.llm, ...CONDITION_KEYS.mcp_tools]
    expect(keys.filter((key) => readerOf(key)(FACTS) === undefined)).toEqual([])
  })

  test('the model is the one that the target is asked for, else the one of the request', () => {
    const { target: _, ...early } = FACTS
    const read = readerOf('model')
    expect(read(FACTS)).toBe('gpt-4o-mini')
    expect(read({ ...FACTS, target: { provider: 'openai' } })).toBe('gpt-4o')
    expect(read(early)).toBe('gpt-4o')
  })

  test('nothing and an empty value are the same', () => {
    const keys = [...CONDITION_KEYS.llm, ...CONDITION_KEYS.mcp_tools, 'metadata.team', 'metadata.']
    expect(keys.filter((key) => readerOf(key)(BARE) !== undefined)).toEqual([])
    expect(readerOf('metadata.empty')(FACTS)).toBeUndefined()
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'metadata named %s is what the caller set, or nothing',
    (name) => {
      const read = readerOf(`metadata.${name}`)
      expect(read(FACTS)).toBeUndefined()
      expect(read({ ...FACTS, metadata: JSON.parse(`{"${name}": "own"}`) })).toBe('own')
    },
  )

  test('of an unknown key is absent', () => {
    expect(readerOf('colour')(FACTS)).toBeUndefined()
    expect(readerOf('constructor')(FACTS)).toBeUndefined()
  })
})

test('only a stored provider may be written with its @', () => {
  expect(toStoredForm('virtual_key', '@openai-main')).toBe('openai-main')
  expect(toStoredForm('virtual_key', 'openai-main')).toBe('openai-main')
  expect(toStoredForm('metadata.handle', '@anna')).toBe('@anna')
})
