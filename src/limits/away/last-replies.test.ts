import { expect, test } from 'bun:test'
import { chargeOf } from '../test-support/limit-world.ts'
import { createLastReplies } from './last-replies.ts'

const NOW_MS = Date.UTC(2026, 0, 1)
const BUCKET = NOW_MS / 100
const { key } = chargeOf()

test('remembers the last reply of a ring', () => {
  const replies = createLastReplies(10, () => NOW_MS)
  replies.note(key, { used: 1, index: BUCKET })
  replies.note({ ...key }, { used: 2, index: BUCKET + 1 })
  expect(replies.get(key)).toEqual({ used: 2, index: BUCKET + 1 })
  replies.forget(key)
  expect(replies.get(key)).toBeUndefined()
})

test('holds no more than its maximum, and those used last', () => {
  const replies = createLastReplies(10, () => NOW_MS)
  const keys = Array.from({ length: 100 }, (_, ring) => chargeOf({ group: `ring-${ring}` }).key)
  for (const [used, each] of keys.entries()) replies.note(each, { used, index: BUCKET })
  const known = keys.map(replies.get).filter((reply) => reply !== undefined)
  expect(known).toHaveLength(10)
  expect(known.at(-1)).toEqual({ used: 99, index: BUCKET })
})

test('what was added since is counted, in the newer bucket', () => {
  const replies = createLastReplies(10, () => NOW_MS)
  replies.add(key, BUCKET - 3, 4)
  replies.add(key, BUCKET, 2)
  expect(replies.get(key)).toEqual({ used: 6, index: BUCKET })
  replies.add(key, BUCKET - 9, 1)
  expect(replies.get(key)).toEqual({ used: 7, index: BUCKET })
})

test('a reply that has left its window is not carried into a later one', () => {
  let nowMs = NOW_MS
  const replies = createLastReplies(10, () => nowMs)
  replies.note(key, { used: 1_000, index: BUCKET })
  nowMs += 60_099
  replies.add(key, BUCKET + 600, 1)
  expect(replies.get(key)?.used).toBe(1_001)
  replies.note(key, { used: 1_000, index: BUCKET })
  nowMs += 1
  expect(replies.get(key)).toBeUndefined()
  replies.add(key, BUCKET + 601, 1)
  expect(replies.get(key)?.used).toBe(1)
})
