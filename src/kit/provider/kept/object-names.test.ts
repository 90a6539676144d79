import { expect, test } from 'bun:test'
import { nameObject, readObjectName } from './object-names.ts'

const of = { id: '0a1b-2c', createdAt: 1_764_110_000 }

test.each([
  { purpose: 'fine-tune', filename: 'Trainings daten (ä/€) %2F.jsonl' },
  { purpose: 'vision', filename: '..' },
  {
    purpose: 'batch',
    filename: 'in.jsonl',
    lines: {
      url: '/v1/chat/completions',
      model: 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-v1:0',
    },
  },
  { purpose: 'batch', filename: 'in.jsonl', lines: { url: '/v1/embeddings', model: 'm!2f' } },
])('what stands in a name comes out of it: %j', (tag) => {
  const name = nameObject(tag, of)
  expect(name).toMatch(/^[-!_a-zA-Z0-9./]+$/)
  expect(name).not.toMatch(/\/\.\.?\//)
  expect(readObjectName(name)).toEqual(tag)
})

test('the newest come first', () => {
  const tag = { purpose: 'batch', filename: 'a' }
  const names = [1, 2, 1_764_110_000, 1_764_110_001].map((createdAt) => nameObject(tag, { ...of, createdAt }))
  expect(names.toSorted()).toEqual(names.toReversed())
})

test.each(['', 'secrets.env', 'weir-files/x/batch/a', 'weir-files/8235889999-0a/batch/no.such/m/a', '../weir-files/a'])(
  'an object of others is none: %s',
  (name) => {
    expect(readObjectName(name)).toBeUndefined()
  },
)
