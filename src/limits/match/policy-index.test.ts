import { describe, expect, test } from 'bun:test'
import type { Facts } from './condition-keys.ts'
import { compileCondition } from './conditions.ts'
import type { Condition } from './policy.ts'
import { type Indexed, PolicyIndex } from './policy-index.ts'

const CALL: Facts = {
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  apiKeyId: 'key-1',
  metadata: { team: 'team-1', _user: 'user-1' },
  endpointType: 'chatComplete',
  model: 'model-1',
  target: { provider: 'provider-1', virtualKey: 'main' },
}

/** How many policies of a hundred a call has to try, and how many it finds. */
const tryHundred = (conditionsOf: (number: number) => readonly Condition[], facts: Facts = CALL) => {
  const tried = new Set<Indexed>()
  const index = new PolicyIndex(
    Array.from({ length: 100 }, (_, number): Indexed => {
      const policy: Indexed = {
        conditions: conditionsOf(number).map((condition) => {
          const compiled = compileCondition(condition)
          return {
            ...compiled,
            holds(call) {
              tried.add(policy)
              return compiled.holds(call)
            },
          }
        }),
      }
      return policy
    }),
  )
  const found = index.collect(facts)?.length ?? 0
  return { tried: tried.size, found }
}

describe('a call tries only the policies that ask for what it has', () => {
  test.each<[string, (number: number) => Condition]>([
    ['one key each', (number) => ({ key: 'api_key', value: `key-${number}` })],
    ['some keys each', (number) => ({ key: 'api_key', value: [`key-${number}`, `other-${number}`] })],
    ['one value of a metadata key each', (number) => ({ key: 'metadata.team', value: `team-${number}` })],
    ['one model each', (number) => ({ key: 'model', value: `model-${number}` })],
    ['one model of a provider each', (number) => ({ key: 'model', value: `@main/model-${number}` })],
    ['all models of one provider each', (number) => ({ key: 'model', value: `@provider-${number}/*` })],
    ['one beginning each', (number) => ({ key: 'model', value: `${String.fromCodePoint(0x6d + number - 1)}odel*` })],
  ])('%s', (_, conditionOf) => {
    expect(tryHundred((number) => [conditionOf(number)])).toEqual({ tried: 1, found: 1 })
  })

  test('one metadata key each', () => {
    const facts: Facts = { ...CALL, metadata: { 'label-7': 'on', 'label-8': 'on', other: 'on' } }
    const { tried, found } = tryHundred((number) => [{ key: `metadata.label-${number}`, value: '*' }], facts)
    expect({ tried, found }).toEqual({ tried: 2, found: 2 })
  })

  test('none that asks for what it does not have', () => {
    const { target: _, model: __, ...rest } = CALL
    expect(tryHundred(() => [{ key: 'model', value: 'model-*' }], rest)).toEqual({ tried: 0, found: 0 })
    expect(tryHundred(() => [{ key: 'provider', value: '*' }], rest)).toEqual({ tried: 0, found: 0 })
  })
})

describe('of several conditions a policy is filed under', () => {
  const own = (number: number): Condition => ({
    key: 'endpoint_type',
    value: number === 1 ? 'chatComplete' : `${number}`,
  })

  test.each<[string, Condition]>([
    ['a value that all ask for', { key: 'api_key', value: 'key-1' }],
    ['any value', { key: 'api_key', value: '*' }],
    ['a beginning that all ask for', { key: 'model', value: 'model-*' }],
    ['any model', { key: 'model', value: ['**', '@provider-1/*'] }],
  ])('the one that the fewest ask for, not %s', (_, shared) => {
    expect(tryHundred((number) => [shared, own(number)])).toEqual({ tried: 1, found: 1 })
    expect(tryHundred((number) => [own(number), shared])).toEqual({ tried: 1, found: 1 })
  })

  test('a value rather than that there is one, also when more ask for it', () => {
    // Each name is asked for once, but a call has them all.
    const metadata = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`label-${number}`, 'on']))
    const conditionsOf = (number: number): readonly Condition[] => [
      { key: `metadata.label-${number}`, value: '*' },
      { key: 'api_key', value: number % 2 === 0 ? 'key-1' : 'key-2' },
    ]
    expect(tryHundred(conditionsOf, { ...CALL, metadata })).toEqual({ tried: 50, found: 50 })
  })

  test('the key that fewer calls share, when as many ask for either', () => {
    const conditionsOf = (number: number): readonly Condition[] => [
      { key: 'workspace_id', value: number === 0 ? 'workspace-1' : `workspace-${number + 1}` },
      { key: 'api_key', value: `key-${number + 1}` },
    ]
    const facts: Facts = { ...CALL, apiKeyId: 'key-1000' }
    expect(tryHundred(conditionsOf, facts)).toEqual({ tried: 0, found: 0 })
    expect(tryHundred((number) => conditionsOf(number).toReversed(), facts)).toEqual({ tried: 0, found: 0 })
  })
})
