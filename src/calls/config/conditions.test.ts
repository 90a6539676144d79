import { describe, expect, test } from 'bun:test'
import { StepBudget } from '../../core/step-budget.ts'
import type { ConditionSubject } from '../../kit/plan.ts'
import { compileQuery, SEARCH_STEPS } from './conditions.ts'

const SUBJECT: ConditionSubject = {
  metadata: { plan: 'gold', seats: '12', trial: 'true', empty: '' },
  params: { model: 'gpt-4o', temperature: 0.5, stream: true, stop: null, messages: [{ role: 'user' }] },
  pathname: '/v1/chat/completions',
  searchBudget: new StepBudget(SEARCH_STEPS),
}

const holds = (query: Record<string, unknown>, subject = SUBJECT): boolean =>
  compileQuery(query, (path, message) => {
    throw new Error(`${path} ${message}`)
  }).holds(subject)

const problems = (query: Record<string, unknown>): readonly string[] => {
  const found: string[] = []
  const { holds: never } = compileQuery(query, (path, message) => found.push(`${path}: ${message}`))
  expect(never(SUBJECT)).toBe(false)
  return found
}

describe('a query', () => {
  const table: readonly (readonly [Record<string, unknown>, boolean])[] = [
    [{}, true],
    [{ 'metadata.plan': 'gold' }, true],
    [{ 'metadata.plan': 'silver' }, false],
    [{ 'metadata.plan': { $eq: 'gold' } }, true],
    [{ 'metadata.plan': { $ne: 'silver' } }, true],
    [{ 'metadata.plan': { $ne: 'gold' } }, false],
    [{ 'metadata.plan': { $in: ['silver', 'gold'] } }, true],
    [{ 'metadata.plan': { $in: [] } }, false],
    [{ 'metadata.plan': { $nin: ['silver'] } }, true],
    [{ 'metadata.plan': { $nin: ['gold'] } }, false],
    [{ 'metadata.plan': { $regex: '^go' } }, true],
    [{ 'metadata.plan': { $regex: 'GO' } }, false],
    [{ 'metadata.plan': { $regex: '(' } }, false],
    // Metadata are texts: a number in the query means the same number.
    [{ 'metadata.seats': 12 }, true],
    [{ 'metadata.trial': true }, true],
    [{ 'metadata.trial': { $in: [true] } }, true],
    [{ 'metadata.seats': { $gt: 11 } }, true],
    [{ 'metadata.seats': { $gt: 12 } }, false],
    [{ 'metadata.seats': { $gte: '12' } }, true],
    [{ 'metadata.seats': { $lt: 100 } }, true],
    [{ 'metadata.seats': { $lte: 12, $gt: 9 } }, true],
    [{ 'metadata.seats': { $lte: 12, $gt: 12 } }, false],
    [{ 'metadata.plan': { $gt: 0 } }, false],
    [{ 'metadata.empty': { $lt: 1 } }, false],
    [{ 'params.model': { $regex: 'gpt-[0-9]' } }, true],
    [{ 'params.temperature': { $regex: '^0\\.5$' } }, true],
    [{ 'params.temperature': 0.5 }, true],
    [{ 'params.temperature': '0.5' }, true],
    [{ 'params.stream': true }, true],
    [{ 'params.stop': null }, true],
    [{ 'params.stop': 'null' }, false],
    [{ 'params.messages': { $ne: 'x' } }, true],
    [{ 'params.messages': { $regex: '.' } }, false],
    [{ 'url.pathname': { $regex: '/chat/' } }, true],
    // What is missing fails whatever is asked of it.
    [{ 'metadata.none': { $ne: 'x' } }, false],
    [{ 'metadata.none': { $nin: ['x'] } }, false],
    [{ 'params.none': null }, false],
    [{ 'metadata.constructor': { $ne: 'x' } }, false],
    [{ 'params.__proto__': { $ne: 'x' } }, false],
    [{ 'metadata.plan': 'gold', 'params.stream': false }, false],
    [{ $and: [{ 'metadata.plan': 'gold' }, { 'params.stream': true }] }, true],
    [{ $and: [{ 'metadata.plan': 'gold' }, { 'params.stream': false }] }, false],
    [{ $and: [] }, true],
    [{ $or: [{ 'metadata.plan': 'silver' }, { 'params.stream': true }] }, true],
    [{ $or: [] }, false],
    [{ $or: [{ $and: [{ 'metadata.plan': 'gold' }, { $or: [{ 'params.stream': true }] }] }] }, true],
    [{ $or: [{ 'metadata.plan': 'gold' }], 'params.stream': false }, false],
  ]
  for (const [query, expected] of table) {
    test(`${JSON.stringify(query)} is ${expected}`, () => expect(holds(query)).toBe(expected))
  }

  test('keeps what was written, and leaves the body alone unless it is asked for', () => {
    const query = { 'metadata.plan': 'gold' }
    expect(compileQuery(query).source).toBe(query)
    const subject: ConditionSubject = {
      ...SUBJECT,
      get params(): never {
        throw new Error('the body was read')
      },
    }
    expect(holds(query, subject)).toBe(true)
    expect(() => holds({ 'params.model': 'm' }, subject)).toThrow('the body was read')
  })
})

describe('what is wrong is named by its place, and never holds', () => {
  const table: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ 'metadata.plan': { $regx: 'x' } }, "metadata.plan.$regx: unknown operator; did you mean '$regex'?"],
    [{ 'metadata.plan': {} }, 'metadata.plan: must hold a value or an operator'],
    [
      { 'metadata.plan': { $in: 'gold' } },
      'metadata.plan.$in: must be an array of strings, numbers, booleans or nulls',
    ],
    [
      { 'metadata.plan': { $nin: [{}] } },
      'metadata.plan.$nin: must be an array of strings, numbers, booleans or nulls',
    ],
    [{ 'metadata.plan': { $ne: [] } }, 'metadata.plan.$ne: must be a string, a number, a boolean or null'],
    [{ 'metadata.plan': ['gold'] }, 'metadata.plan: must be a string, a number, a boolean or null'],
    [{ 'metadata.seats': { $gt: 'many' } }, 'metadata.seats.$gt: must be a number'],
    [{ 'metadata.plan': { $regex: 5 } }, 'metadata.plan.$regex: must be a string'],
    [{ $or: { 'metadata.plan': 'gold' } }, '$or: must be an array of queries'],
    [{ $or: ['gold'] }, '$or[0]: must be an object'],
    [{ $and: [{ $or: [{ 'params.a': { $foo: 1 } }] }] }, '$and[0].$or[0].params.a.$foo: unknown operator; known are:'],
    [{ $nor: [] }, "$nor: unknown operator; did you mean '$or'?"],
  ]
  for (const [query, expected] of table) {
    test(expected, () => expect(problems(query)[0]).toStartWith(expected))
  }

  test.each(['plan', 'metadata', 'metadata.', 'params.a.b', 'url.host', 'headers.x', 'metadata.a.b', ''])(
    'the subject %p is not known',
    (subject) => {
      expect(problems({ [subject]: 'x' })).toEqual([
        `${subject}: unknown subject; known are: metadata.<key>, params.<key> (one level each), url.pathname`,
      ])
    },
  )

  test('look-around in a pattern, and queries without end', () => {
    expect(problems({ 'metadata.plan': { $regex: '(?=x)' } })[0]).toContain('look-around')
    let query: Record<string, unknown> = { 'metadata.plan': 'gold' }
    for (let level = 0; level < 30; level++) query = { $and: [query] }
    expect(problems(query)[0]).toContain('is nested more than 20 levels deep')
  })
})

describe('takes bounded time', () => {
  const subject = (metadata: Record<string, string>): ConditionSubject => ({
    ...SUBJECT,
    metadata,
    searchBudget: new StepBudget(SEARCH_STEPS),
  })

  test('a number is not looked for in a long text', () => {
    const query = compileQuery({ 'metadata.seats': { $gte: 12 } })
    expect(query.holds(subject({ seats: `${' '.repeat(398)}12` }))).toBe(true)
    expect(query.holds(subject({ seats: `${' '.repeat(399)}12` }))).toBe(false)
  })

  test('all searches of a call share its steps, and none finds anything once they are spent', () => {
    const large = compileQuery({ 'metadata.text': { $regex: '(?:a?){90}a$' } })
    const small = compileQuery({ 'metadata.plan': { $regex: '^gold$' } })
    const facts = subject({ text: 'a'.repeat(1_000), plan: 'gold' })
    const found = Array.from({ length: 10 }, () => large.holds(facts)).filter((holds) => holds).length
    expect(found).toBeGreaterThan(0)
    expect(found).toBeLessThan(10)
    // What is left is enough for a small one; a text that is too long takes nothing.
    expect(large.holds(facts)).toBe(false)
    expect(large.holds({ ...facts, metadata: { text: 'a'.repeat(20_000) } })).toBe(false)
    expect(small.holds(facts)).toBe(true)
    const spent = { ...facts, searchBudget: new StepBudget(5) }
    expect(small.holds(spent)).toBe(false)
  })
})
