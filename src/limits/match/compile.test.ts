import { describe, expect, test } from 'bun:test'
import { type CompileOptions, compilePolicies, type Facts, judgePolicy } from './compile.ts'
import { needsTarget } from './conditions.ts'
import { groupOf, overflowGroup } from './groups.ts'
import type { Condition, LimitPolicy } from './policy.ts'

const NOW_MS = 1_700_000_000_000

const policyOf = (id: string, changes: Partial<LimitPolicy> = {}): LimitPolicy => ({
  id,
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  name: null,
  target: 'llm',
  conditions: [],
  groupBy: [],
  type: 'requests',
  unit: 'rpm',
  value: 10,
  onStoreFailure: 'local',
  reservation: 'bounded',
  mode: 'enforce',
  ...changes,
})

const CALL: Facts = {
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  apiKeyId: 'key-1',
  metadata: { team: 'red', _user: 'anna' },
  endpointType: 'chatComplete',
  model: 'gpt-4o',
}
const AT_OPENAI: Facts = { ...CALL, target: { provider: 'openai', virtualKey: 'main', model: 'gpt-4o' } }

const compile = (policies: readonly LimitPolicy[], options: Partial<CompileOptions> = {}) =>
  compilePolicies(policies, { target: 'llm', now: () => NOW_MS, ...options })

const when = (id: string, ...conditions: Condition[]): LimitPolicy => policyOf(id, { conditions })

describe('the policies that match', () => {
  const namesOf = (policies: readonly LimitPolicy[], facts: Facts = AT_OPENAI): string[] =>
    compile(policies)
      .match(facts)
      .map(({ policy }) => policy.id)

  test('are those of which all conditions hold', () => {
    const team: Condition = { key: 'metadata.team', value: 'red' }
    const key: Condition = { key: 'api_key', value: ['key-1', 'key-2'] }
    const other: Condition = { key: 'provider', value: 'azure' }
    expect(namesOf([when('a', team, key), when('b', team, other), when('c', key), when('d')])).toEqual(['a', 'c', 'd'])
  })

  test('come in the order in which they were given, wherever they are filed', () => {
    const policies = [
      when('a', { key: 'model', value: '@main/*' }),
      when('b'),
      when('c', { key: 'metadata.team', value: '*' }),
      when('d', { key: 'api_key', value: 'key-1' }),
      when('e', { key: 'model', value: 'gpt-*' }),
      when('f', { key: 'provider', value: 'openai' }),
    ]
    expect(namesOf(policies)).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    expect(namesOf(policies.toReversed())).toEqual(['f', 'e', 'd', 'c', 'b', 'a'])
  })

  test('come once, also when several of their values lead to them', () => {
    const policies = [
      when('id and slug', { key: 'model', value: ['@openai/*', '@main/*'] }),
      when('both beginnings', { key: 'model', value: ['gpt-*', 'gpt-4*', 'gpt-4o'] }),
      when('twice', { key: 'metadata.team', value: ['red', 'red'] }),
    ]
    expect(namesOf(policies)).toEqual(['id and slug', 'both beginnings', 'twice'])
  })

  test('are none of another kind of call', () => {
    const policies = [policyOf('llm'), policyOf('tools', { target: 'mcp_tools' })]
    expect(namesOf(policies)).toEqual(['llm'])
    const tools = compile(policies, { target: 'mcp_tools' })
    expect(tools.size).toBe(1)
    expect(tools.match(CALL).map(({ policy }) => policy.id)).toEqual(['tools'])
  })

  test('look at MCP servers and tools', () => {
    const policies = [
      policyOf('a', {
        target: 'mcp_tools',
        conditions: [{ key: 'mcp_tool', value: 'create' }],
        groupBy: ['mcp_server'],
      }),
      policyOf('b', { target: 'mcp_tools', conditions: [{ key: 'mcp_server', value: 'wiki' }] }),
    ]
    const tools = compile(policies, { target: 'mcp_tools' })
    const matched = tools.match({ ...CALL, mcpServer: 'tickets', mcpTool: 'create' })
    expect(matched.map(({ policy, group }) => [policy.id, group.values])).toEqual([['a', { mcp_server: 'tickets' }]])
  })

  test('are found among many metadata keys, by those that the call has', () => {
    const names = Array.from({ length: 40 }, (_, number) => `label-${number}`)
    const policies = names.map((name) => when(name, { key: `metadata.${name}`, value: ['on', 'yes'] }))
    const metadata = { 'label-3': 'on', 'label-7': 'off', 'label-30': 'yes', other: 'on' }
    expect(namesOf(policies, { ...CALL, metadata })).toEqual(['label-3', 'label-30'])
  })

  test('are not mistaken for what every object has', () => {
    const names = ['__proto__', 'constructor', 'toString', 'valueOf']
    const few = names.map((name) => when(name, { key: `metadata.${name}`, value: '*' }))
    const many = [...few, ...Array.from({ length: 20 }, (_, n) => when(`${n}`, { key: `metadata.${n}`, value: '*' }))]
    const metadata = JSON.parse('{"__proto__":"x","toString":"y"}')
    for (const policies of [few, many]) {
      expect(namesOf(policies, CALL)).toEqual([])
      expect(namesOf(policies, { ...CALL, metadata })).toEqual(['__proto__', 'toString'])
    }
  })

  test('none is one and the same answer', () => {
    const compiled = compile([when('a', { key: 'api_key', value: 'other' })])
    expect(compiled.match(CALL)).toEqual([])
    expect(compiled.match(CALL)).toBe(compiled.match(AT_OPENAI))
    expect(compile([])).toMatchObject({ size: 0 })
  })
})

test('policies that look at the target, in any way, wait for it', () => {
  const policies = [
    when('provider', { key: 'provider', value: 'openai' }),
    when('key', { key: 'api_key', value: 'key-1' }),
    policyOf('by model', { groupBy: ['model'] }),
    when('model', { key: 'model', value: 'gpt-4o' }),
    when('model there', { key: 'model', value: '@openai/gpt-4o' }),
  ]
  expect(policies.filter(needsTarget).map(({ id }) => id)).toEqual(['provider', 'by model', 'model', 'model there'])
})

describe('the group of a call', () => {
  const groupsOf = (groupBy: readonly string[], facts: Facts) =>
    compile([policyOf('a', { groupBy })])
      .match(facts)
      .map(({ group }) => group.values)

  test('has the values of the call, in the order of the keys', () => {
    expect(groupsOf(['model', 'virtual_key', 'metadata._user'], AT_OPENAI)).toEqual([
      { model: 'openai.gpt-4o', virtual_key: 'main', 'metadata._user': 'anna' },
    ])
  })

  test('without a value is a group too: leaving it out avoids no policy', () => {
    expect(groupsOf(['metadata._user'], { ...CALL, metadata: {} })).toEqual([{ 'metadata._user': null }])
    expect(groupsOf(['metadata._user', 'api_key'], { ...CALL, metadata: { _user: '' } })).toEqual([
      { 'metadata._user': null, api_key: 'key-1' },
    ])
  })

  test('is made once for the same values, and is that of the operator', () => {
    const policy = policyOf('a', { groupBy: ['api_key', 'metadata.team'] })
    const compiled = compile([policy])
    const [first] = compiled.match(CALL)
    expect(compiled.match({ ...CALL, metadata: { team: 'red' } })[0]).toBe(first)
    expect(compiled.match({ ...CALL, metadata: { team: 'blue' } })[0]).not.toBe(first)
    expect(first?.group).toEqual(groupOf(policy, { api_key: 'key-1', 'metadata.team': 'red' }))
  })

  test('is told apart for each policy', () => {
    const groups = compile([policyOf('a', { groupBy: ['api_key'] }), policyOf('b', { groupBy: ['api_key'] })])
      .match(CALL)
      .map(({ group }) => group.hash)
    expect(new Set(groups).size).toBe(2)
  })

  test('is right for values too long to be kept', () => {
    const policy = policyOf('a', { groupBy: ['model'] })
    const compiled = compile([policy])
    const facts: Facts = { ...CALL, target: { provider: 'openai', model: 'm'.repeat(10_000) } }
    const group = groupOf(policy, { model: `openai.${'m'.repeat(10_000)}` })
    expect([1, 2].map(() => compiled.match(facts)[0]?.group)).toEqual([group, group])
  })
})

describe('more groups than are told apart', () => {
  const policy = policyOf('a', { groupBy: ['metadata._user'] })
  const byUser = (name: string): Facts => ({ ...CALL, metadata: { _user: name } })

  test('share one, and it is reported once for each window', () => {
    let nowMs = 60_000
    const reported: string[] = []
    const compiled = compile([policy], {
      maximumGroups: 2,
      now: () => nowMs,
      onOverflow: ({ id }) => reported.push(id),
    })
    const valuesOf = (names: readonly string[]) =>
      names.map((name) => compiled.match(byUser(name))[0]?.group.values['metadata._user'])
    expect(valuesOf(['anna', 'bert', 'anna'])).toEqual(['anna', 'bert', 'anna'])
    expect(reported).toEqual([])
    expect(valuesOf(['carl', 'dora', 'anna', 'bert'])).toEqual([undefined, undefined, 'anna', 'bert'])
    expect(compiled.match(byUser('emil'))).toEqual([{ policy, group: overflowGroup(policy) }])
    expect(reported).toEqual(['a'])
    nowMs = 119_999
    expect(valuesOf(['carl'])).toEqual([undefined])
    nowMs = 120_000
    expect(valuesOf(['carl', 'anna', 'bert', 'carl'])).toEqual(['carl', 'anna', undefined, 'carl'])
    expect(reported).toEqual(['a', 'a'])
  })

  test('windows are those of the unit', () => {
    let nowMs = 0
    const hourly = { ...policy, unit: 'rph' } as const
    const compiled = compile([hourly], { maximumGroups: 1, now: () => nowMs })
    const isOwn = (name: string): boolean => compiled.match(byUser(name))[0]?.group.values.overflow === undefined
    expect([isOwn('anna'), isOwn('bert')]).toEqual([true, false])
    nowMs = 3_599_999
    expect(isOwn('bert')).toBe(false)
    nowMs = 3_600_000
    expect([isOwn('bert'), isOwn('anna')]).toEqual([true, false])
  })

  test('do not concern other policies', () => {
    const compiled = compile([policy, { ...policy, id: 'b' }, policyOf('c', { groupBy: ['api_key'] })], {
      maximumGroups: 1,
    })
    compiled.match({ ...byUser('anna'), apiKeyId: 'key-1' })
    const matched = compiled.match({ ...byUser('bert'), apiKeyId: 'key-2' })
    expect(matched.map(({ group }) => Object.keys(group.values))).toEqual([['overflow'], ['overflow'], ['api_key']])
    expect(new Set(matched.map(({ group }) => group.hash)).size).toBe(3)
  })

  test('need no one to listen', () => {
    const compiled = compile([policy], { maximumGroups: 0 })
    expect(compiled.match(byUser('anna'))[0]?.group).toEqual(overflowGroup(policy))
  })
})

describe('the explanation of a policy', () => {
  const policy = policyOf('a', {
    conditions: [
      { key: 'metadata.team', value: 'red' },
      { key: 'model', value: '@azure/*' },
    ],
    groupBy: ['model', 'metadata.none'],
  })

  test('has a verdict for each condition, also behind one that does not hold', () => {
    const { matches, conditions, group } = judgePolicy(
      { ...policy, conditions: policy.conditions.toReversed() },
      AT_OPENAI,
    )
    expect(matches).toBe(false)
    expect(conditions.map(({ key, holds }) => [key, holds])).toEqual([
      ['model', false],
      ['metadata.team', true],
    ])
    expect(group.values).toEqual({ model: 'openai.gpt-4o', 'metadata.none': null })
  })

  test('is a match when all of them hold, and when there are none', () => {
    expect(judgePolicy(policy, { ...CALL, target: { provider: 'azure' } }).matches).toBe(true)
    expect(judgePolicy(policyOf('b'), CALL)).toMatchObject({ matches: true, conditions: [], group: { label: '[]' } })
  })
})
