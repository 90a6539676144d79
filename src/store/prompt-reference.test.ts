import { expect, test } from 'bun:test'
import { readPromptReference } from './prompt-reference.ts'

const ID = '0198C5D2-0000-7000-8000-00000000000A'

test.each([
  ['pp-a', 'pp-a', { kind: 'published' }],
  [ID, ID.toLowerCase(), { kind: 'published' }],
  [`${ID}@latest`, ID.toLowerCase(), { kind: 'latest' }],
  ['pp-a@1', 'pp-a', { kind: 'number', number: 1 }],
  ['pp-a@120', 'pp-a', { kind: 'number', number: 120 }],
  ['pp-a@production', 'pp-a', { kind: 'label', label: 'production' }],
  ['pp-a@1st', 'pp-a', { kind: 'label', label: '1st' }],
  ['pp-a@Latest', 'pp-a', { kind: 'label', label: 'Latest' }],
  ['pp-a@b@c', 'pp-a', { kind: 'label', label: 'b@c' }],
] as const)('%s', (reference, name, selector) => {
  expect(readPromptReference(reference)).toEqual({ name, selector })
})

test.each(['', '@', '@latest', 'pp-a@', 'pp-a@0', 'pp-a@01', 'pp-a@9999999999'])(
  "'%s' can name nothing",
  (reference) => {
    expect(readPromptReference(reference)).toBeUndefined()
  },
)
