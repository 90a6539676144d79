import fc from 'fast-check'
import type { Facts } from '../../../src/limits/match/compile.ts'
import { CONDITION_KEYS } from '../../../src/limits/match/condition-keys.ts'
import type { Condition, LimitPolicy } from '../../../src/limits/match/policy.ts'

/** Few texts, so that calls and policies meet: those with a meaning somewhere, and those that look as if they had one. */
const WORDS = ['a', 'b', 'ab', 'a*', '*', '@a', 'a/b', 'null', '(absent)', '__proto__', ''] as const
const MODELS = ['m', 'mm', 'mn', 'a/m', '@a/m', '*', ''] as const
const PATTERNS = [
  'm',
  'm*',
  'mm*',
  '*',
  '**',
  '@a/m',
  '@a/*',
  '@a/m*',
  '@b/*',
  '@b/a/m',
  '@a',
  '@a*',
  '@/m',
  '@a/@a/m',
  '',
] as const
const NAMES = [
  'a',
  'b',
  'team',
  '__proto__',
  'constructor',
  'toString',
  'x',
  'y',
  'z',
  '0',
  '1',
  'hasOwnProperty',
] as const

const words = fc.constantFrom(...WORDS)
const models = fc.constantFrom(...MODELS)

/** Two that stream under a word of their own, and one that stands for the second. */
const endpointTypes = fc.constantFrom('chatComplete', 'stream-chatComplete', 'messages', 'stream-messages', 'proxy')

const keys = (target: LimitPolicy['target']): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...CONDITION_KEYS[target]) },
    { weight: 2, arbitrary: fc.constantFrom(...NAMES).map((name) => `metadata.${name}`) },
    { weight: 1, arbitrary: fc.constant('model') },
  )

const texts = (key: string): fc.Arbitrary<string | readonly string[]> => {
  const text = key === 'model' ? fc.constantFrom(...PATTERNS) : key === 'endpoint_type' ? endpointTypes : words
  return fc.oneof(text, fc.constant('*'), fc.array(text, { maxLength: 4 }))
}

const conditions = (target: LimitPolicy['target']): fc.Arbitrary<Condition> =>
  keys(target).chain((key) =>
    fc.record({ key: fc.constant(key), value: texts(key), excludes: texts(key) }, { requiredKeys: ['key', 'value'] }),
  )

const policies = (target: LimitPolicy['target']): fc.Arbitrary<LimitPolicy> =>
  fc
    .record({
      conditions: fc.array(conditions(target), { maxLength: 3 }),
      groupBy: fc.uniqueArray(keys(target), { maxLength: 3 }),
    })
    .map(({ conditions, groupBy }) => ({
      id: '',
      organisationId: 'a',
      workspaceId: 'a',
      name: null,
      target,
      conditions,
      groupBy,
      type: 'requests',
      unit: 'rpm',
      value: 1,
      onStoreFailure: 'local',
      reservation: 'bounded',
      mode: 'enforce',
    }))

/** Up to 24 policies, each with an id of its own. */
export const policyLists = (target: LimitPolicy['target']): fc.Arbitrary<readonly LimitPolicy[]> =>
  fc
    .array(policies(target), { maxLength: 24, size: 'max' })
    .map((list) => list.map((policy, index) => ({ ...policy, id: `policy-${index}` })))

export const calls: fc.Arbitrary<Facts> = fc.record(
  {
    organisationId: words,
    workspaceId: words,
    apiKeyId: words,
    // From JSON, a name of `__proto__` is a name like others.
    metadata: fc
      .array(fc.tuple(fc.constantFrom(...NAMES), words), { maxLength: 8 })
      .map((entries) => JSON.parse(`{${entries.map((pair) => pair.map((text) => JSON.stringify(text)).join(':'))}}`)),
    config: words,
    prompt: words,
    endpointType: fc.oneof(endpointTypes, words),
    widerEndpointType: fc.constantFrom('chatComplete', 'proxy'),
    model: models,
    target: fc.record(
      { provider: fc.constantFrom('a', 'b', 'c'), virtualKey: words, model: models },
      { requiredKeys: ['provider'] },
    ),
    mcpServer: words,
    mcpTool: words,
  },
  { requiredKeys: ['organisationId', 'workspaceId', 'metadata', 'endpointType'] },
)
