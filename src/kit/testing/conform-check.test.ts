import { expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { type Check, defineCheck, type PreparedCheck } from '../check.ts'
import { checkReach } from './check-reach.ts'

const checkWith = (prepared: PreparedCheck): Check =>
  defineCheck({
    id: 'test.reach',
    summary: 'Passes unless a word stands in a text.',
    parameters: t.Object({}),
    stages: ['output'],
    prepare: () => prepared,
  })

const SECRET = 'a-secret-of-forty-characters-and-some-more'
const sample = { fails: [SECRET] }
const hasSecret = ([text = '']: readonly string[]): boolean => text.includes(SECRET)

test('an honest reach holds', async () => {
  await checkReach(checkWith({ reach: SECRET.length, run: ({ texts }) => ({ verdict: !hasSecret(texts) }) }), sample)
  const redacts = checkWith({
    reach: SECRET.length,
    run: ({ texts }) => ({ verdict: true, texts: texts.map((text) => text.replaceAll(SECRET, '******')) }),
  })
  await checkReach(redacts, sample)
})

test.each<[string, PreparedCheck]>([
  ['that is too short', { reach: 3, run: ({ texts }) => ({ verdict: !hasSecret(texts) }) }],
  [
    'of a check that looks at the whole',
    { reach: SECRET.length, run: ({ texts: [text = ''] }) => ({ verdict: text.length < 80 }) },
  ],
  [
    'of a check that a later word changes',
    { reach: SECRET.length, run: ({ texts: [text = ''] }) => ({ verdict: !text.endsWith(SECRET) }) },
  ],
  ['of nothing', { reach: 0, run: () => ({ verdict: true }) }],
])('a reach %s is found out', async (_what, prepared) => {
  const found = await checkReach(checkWith(prepared), sample).then(
    () => 'it was not',
    () => 'found out',
  )
  expect(found).toBe('found out')
})
