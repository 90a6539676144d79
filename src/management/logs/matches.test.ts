import { expect, test } from 'bun:test'
import { fits } from '../../../test/support/records/answer.ts'
import { sampleRecords } from '../../../test/support/records/samples.ts'
import type { Condition } from '../../records/question.ts'
import { matches } from './matches.ts'

const CONDITIONS: readonly Condition[] = [
  { column: 'status', in: [200, 429] },
  { column: 'storedProvider', in: ['openai-team'] },
  { column: 'storedProvider', in: [null] },
  { column: 'storedProvider', notIn: ['openai-team'] },
  { column: 'unpriced', in: [true] },
  { column: 'unpriced', notIn: [true] },
  { column: 'success', in: [false] },
  { column: 'cost', min: 1, max: 1_000_000_000_000 },
  { column: 'outputTokens', min: 0 },
  { column: 'totalUs', max: 900_000 },
  { metadata: '_user', in: ['user-1', 'user-2'] },
  { metadata: 'constructor', in: ['x'] },
  { hasMetadata: 'team' },
  { hasMetadata: 'toString' },
  {
    models: [
      ['openai', 'gpt-5.2'],
      ['acme', 'house-model "7"'],
    ],
  },
  {
    any: [
      { column: 'configSlug', in: ['pc-main'] },
      { column: 'configId', in: ['d0000000-0000-7000-8000-000000000001'] },
    ],
  },
  { weightedFeedback: { min: -10 } },
]

test.each(CONDITIONS)('%j holds of a record that arrives just when it holds in a store', (condition) => {
  for (const call of sampleRecords(2_000)) {
    expect([call.id, matches(call, condition)]).toEqual([call.id, fits({ call }, condition)])
  }
})
