import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { compileQuery } from '../../../src/calls/config/conditions.ts'
import { StepBudget } from '../../../src/core/step-budget.ts'
import type { ConditionSubject } from '../../../src/kit/plan.ts'

/** A second reading of the rules, as plain as can be: what the compiled queries are compared with. */
const naive = (query: Record<string, unknown>, subject: ConditionSubject): boolean => {
  for (const [key, value] of Object.entries(query)) {
    if (key === '$and') {
      for (const part of value as Record<string, unknown>[]) if (!naive(part, subject)) return false
      continue
    }
    if (key === '$or') {
      let holds = false
      for (const part of value as Record<string, unknown>[]) holds = naive(part, subject) || holds
      if (!holds) return false
      continue
    }
    const actual = lookUp(key, subject)
    if (actual === undefined) return false
    const operators = typeof value === 'object' && value !== null ? Object.entries(value) : [['$eq', value]]
    for (const [operator, operand] of operators) if (!compare(operator as string, actual, operand)) return false
  }
  return true
}

const lookUp = (key: string, { metadata, params, pathname }: ConditionSubject): unknown => {
  if (key === 'url.pathname') return pathname
  const [source, name = ''] = key.split('.')
  const fields: Readonly<Record<string, unknown>> = source === 'metadata' ? metadata : params
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

const same = (left: unknown, right: unknown): boolean => {
  if (typeof left === typeof right) return left === right
  if (left === null || right === null || typeof left === 'object' || typeof right === 'object') return false
  const oneIsText = typeof left === 'string' || typeof right === 'string'
  return oneIsText && `${left}` === `${right}`
}

const number = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN

const compare = (operator: string, actual: unknown, operand: unknown): boolean => {
  switch (operator) {
    case '$eq':
      return same(actual, operand)
    case '$ne':
      return !same(actual, operand)
    case '$in':
      return (operand as unknown[]).some((each) => same(actual, each))
    case '$nin':
      return !(operand as unknown[]).some((each) => same(actual, each))
    case '$gt':
      return number(actual) > number(operand)
    case '$gte':
      return number(actual) >= number(operand)
    case '$lt':
      return number(actual) < number(operand)
    case '$lte':
      return number(actual) <= number(operand)
    case '$regex':
      return !(typeof actual === 'object') && new RegExp(operand as string).test(String(actual))
    default:
      throw new Error(operator)
  }
}

const scalar = fc.constantFrom<unknown>(
  'a',
  'b',
  '1',
  '2',
  '10',
  '',
  ' 2 ',
  'true',
  1,
  2,
  10,
  -1,
  1.5,
  true,
  false,
  null,
)
const bound = fc.constantFrom<unknown>('1', '2', 10, -1, 1.5, 2)
const path = fc.constantFrom(
  'metadata.a',
  'metadata.b',
  'metadata.none',
  'params.a',
  'params.b',
  'params.none',
  'url.pathname',
)

const list = fc.array(scalar, { maxLength: 3 })
const operator = fc.oneof(
  fc.tuple(fc.constantFrom('$eq', '$ne'), scalar),
  fc.tuple(fc.constantFrom('$in', '$nin'), list),
  fc.tuple(fc.constantFrom('$gt', '$gte', '$lt', '$lte'), bound),
  fc.tuple(fc.constant('$regex'), fc.constantFrom('a', '^1', '^.$', '0$', '[a-b]|1', '^$', '^/v1/')),
) as fc.Arbitrary<[string, unknown]>
const operators = fc.array(operator, { minLength: 1, maxLength: 2 }).map((entries) => Object.fromEntries(entries))

const { query } = fc.letrec<{ query: Record<string, unknown>; entry: [string, unknown] }>((tie) => ({
  entry: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(path, fc.oneof(scalar, operators)) as fc.Arbitrary<[string, unknown]>,
    fc.tuple(fc.constantFrom('$and', '$or'), fc.array(tie('query'), { maxLength: 3 })) as fc.Arbitrary<
      [string, unknown]
    >,
  ),
  query: fc.array(tie('entry'), { minLength: 1, maxLength: 2 }).map((entries) => Object.fromEntries(entries)),
}))

const text = fc.constantFrom('a', 'b', '1', '2', '10', '', 'true')
const subject: fc.Arbitrary<ConditionSubject> = fc.record({
  metadata: fc.record({ a: text, b: text }, { requiredKeys: [] }),
  params: fc.record({ a: scalar, b: fc.oneof(scalar, fc.constant([1])) }, { requiredKeys: [] }),
  pathname: fc.constantFrom('/v1/chat/completions', '/v1/embeddings', 'a'),
  searchBudget: fc.constant(new StepBudget(Number.POSITIVE_INFINITY)),
})

test('compiled queries agree with a naive evaluator', () => {
  let held = 0
  fc.assert(
    fc.property(query, subject, (source, facts) => {
      const compiled = compileQuery(source, (at, message) => {
        throw new Error(`${at} ${message}`)
      })
      const expected = naive(source, facts)
      if (expected) held++
      expect(compiled.holds(facts)).toBe(expected)
      // Nothing stays behind from the call before.
      expect(compiled.holds(facts)).toBe(expected)
    }),
    { numRuns: 6_000 },
  )
  expect(held).toBeGreaterThan(200)
})
