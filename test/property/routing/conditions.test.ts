import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ask, condition, good } from '../../support/routing.ts'

interface Asked {
  readonly key: string
  readonly operator: '$eq' | '$ne' | '$in' | '$nin'
  readonly values: readonly string[]
}

const keys = fc.constantFrom('team', 'plan', 'region')
const values = fc.constantFrom('a', 'b', 'c', '')

const asked: fc.Arbitrary<Asked> = fc.record({
  key: keys,
  operator: fc.constantFrom('$eq', '$ne', '$in', '$nin'),
  values: fc.array(values, { minLength: 1, maxLength: 3 }),
})

/** What the interface says of one query. */
const naive = ({ key, operator, values: wanted }: Asked, metadata: Readonly<Record<string, string>>): boolean => {
  const actual = metadata[key]
  if (actual === undefined) return false
  switch (operator) {
    case '$eq':
      return actual === wanted[0]
    case '$ne':
      return actual !== wanted[0]
    case '$in':
      return wanted.includes(actual)
    case '$nin':
      return !wanted.includes(actual)
  }
}

const queryOf = ({ key, operator, values: wanted }: Asked) => ({
  [`metadata.${key}`]: { [operator]: operator === '$eq' || operator === '$ne' ? wanted[0] : wanted },
})

test('the first condition that fits decides, else the default', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(asked, { minLength: 1, maxLength: 5 }),
      fc.dictionary(keys, values, { noNullPrototype: true }),
      async (list, metadata) => {
        const names = [...list.map((_, index) => `t${index}`), 'other']
        const config = {
          strategy: {
            mode: 'conditional',
            conditions: list.map((query, index) => condition(queryOf(query), `t${index}`)),
            default: 'other',
          },
          targets: names.toReversed().map((name) => ({ name, provider: name })),
        }
        const behaviours = Object.fromEntries(names.map((name) => [name, () => good()]))
        const fitting = list.findIndex((query) => naive(query, metadata))
        const call = await ask(config, behaviours, { config: { metadata } })
        expect(call.asked).toEqual([fitting === -1 ? 'other' : `t${fitting}`])
      },
    ),
    { numRuns: 300 },
  )
})
