import { describe, expect, test } from 'bun:test'
import { check } from '#kit'
import { checks, inputOf, powersOf, prepare } from './test-support.ts'

type Fields = Readonly<Record<string, unknown>>

/** A moderation in the form that the gateway answers. */
const result = (flagged: readonly string[], others: readonly string[] = ['sexual']): Fields => ({
  flagged: flagged.length > 0,
  categories: Object.fromEntries([...others.map((name) => [name, false]), ...flagged.map((name) => [name, true])]),
  category_scores: Object.fromEntries([...others.map((name) => [name, 0.01]), ...flagged.map((name) => [name, 0.9])]),
})

const run = async (id: string, parameters: Fields, texts: readonly string[], answer: Fields) => {
  const asked: unknown[] = []
  const powers = powersOf({ slug: 'judge' }, () => ({ text: '' }))
  const ask = async (...given: unknown[]): Promise<Fields> => {
    asked.push(given)
    return answer
  }
  const verdict = await prepare(id, parameters).run(inputOf({ stage: 'output', texts }), { ...powers, ask })
  return { verdict, asked, accounts: powers.accounts }
}

test('a model of the account is asked, through the gateway', async () => {
  const texts = ['one', ' ', 'two']
  const answer = { results: [result([]), result(['hate'])] }
  const { verdict, asked, accounts } = await run('openai.moderateContent', { credentials: 'judge' }, texts, answer)
  expect(accounts).toEqual([[['openai'], 'judge']])
  expect(asked).toEqual([['/moderations', '@judge', { model: 'omni-moderation-latest', input: ['one', 'two'] }]])
  expect(verdict).toEqual({
    verdict: false,
    data: {
      results: [
        { flagged: [], category_scores: { sexual: 0.01 } },
        { flagged: ['hate'], category_scores: { hate: 0.9, sexual: 0.01 } },
      ],
    },
  })
})

test('only the categories that are chosen refuse', async () => {
  const answer = { results: [result(['violence'], [])] }
  const at = async (categories: readonly string[]) =>
    (await run('openai.moderateContent', { categories, model: 'm' }, ['x'], answer)).verdict.verdict
  expect([await at(['hate', 'sexual']), await at(['violence', 'hate'])]).toEqual([true, false])
})

test.each([
  ['sexual', 'sexual'],
  ['hate_and_discrimination', 'hate'],
  ['violence_and_threats', 'violence'],
  ['dangerous_and_criminal_content', 'illicit'],
  ['dangerous_and_criminal_content', 'dangerous'],
  ['selfharm', 'self-harm'],
  ['health', 'health'],
  ['financial', 'financial'],
  ['law', 'law'],
  ['pii', 'pii'],
])('%s of Mistral is %s of the gateway', async (category, flagged) => {
  const answer = { results: [result([flagged], [])] }
  const { verdict, asked, accounts } = await run('mistral.moderateContent', { categories: [category] }, ['x'], answer)
  expect(verdict.verdict).toBe(false)
  expect(asked).toEqual([['/moderations', '@judge', { model: 'mistral-moderation-latest', input: ['x'] }]])
  expect(accounts).toEqual([[['mistral-ai'], undefined]])
  const other = { categories: [category === 'law' ? 'pii' : 'law'] }
  expect((await run('mistral.moderateContent', other, ['x'], answer)).verdict.verdict).toBe(true)
})

describe.each(['openai.moderateContent', 'mistral.moderateContent'])('%s', (id) => {
  const parameters = { categories: ['sexual'] }

  test.each([{}, { results: [] }, { results: [{}] }, { results: [result([]), result([])] }, { results: 7 }])(
    'has not judged where the answer is %j',
    async (answer) => {
      await expect(run(id, parameters, ['x'], answer)).rejects.toThrow('in a form that is not known')
    },
  )

  test('asks nothing about texts that say nothing', async () => {
    expect(await run(id, parameters, ['', ' '], {})).toEqual({ verdict: { verdict: true }, asked: [], accounts: [] })
  })

  test('takes as long as it may', () => {
    expect(prepare(id, parameters).deadlineMs).toBe(5000)
    expect(prepare(id, { ...parameters, timeout: 9 }).deadlineMs).toBe(9)
  })

  test('names what is no category', () => {
    const kind = checks.find((known) => known.id === id)
    if (kind === undefined) throw new Error(id)
    for (const [categories, path] of [
      [['sexual', 'rude'], 'categories[1]'],
      [[], 'categories'],
    ] as const) {
      expect(check(kind.parameters, { categories })).toMatchObject({ violations: [{ path }] })
    }
  })
})
