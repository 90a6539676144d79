import { expect, test } from 'bun:test'
import { chargeOf } from '../test-support/limit-world.ts'
import { createLastReplies, ringIdOf } from './last-replies.ts'

const NOW_MS = Date.UTC(2026, 0, 1)
const BUCKET = NOW_MS / 100

test('remembers the last reply of a ring', () => {
  const replies = createLastReplies({ maximum: 10, now: () => NOW_MS })
  replies.note('ring', { used: 1, index: 5 })
  replies.note('ring', { used: 2, index: 6 })
  expect(replies.get('ring')).toEqual({ used: 2, index: 6 })
  replies.forget('ring')
  expect(replies.get('ring')).toBeUndefined()
})

test('holds no more than its maximum, and those used last', () => {
  const replies = createLastReplies({ maximum: 10, now: () => NOW_MS })
  for (let ring = 0; ring < 100; ring += 1) replies.note(`ring ${ring}`, { used: ring, index: 0 })
  const known = Array.from({ length: 100 }, (_, ring) => replies.get(`ring ${ring}`)).filter(
    (reply) => reply !== undefined,
  )
  expect(known.length).toBeGreaterThanOrEqual(5)
  expect(known.length).toBeLessThanOrEqual(10)
  expect(known.at(-1)).toEqual({ used: 99, index: 0 })
})

test('what was added since is counted, in the newer bucket, as another reply', () => {
  const replies = createLastReplies({ maximum: 10, now: () => NOW_MS })
  const { key } = chargeOf()
  const ring = ringIdOf(key)
  replies.add(key, BUCKET - 3, 4)
  const first = replies.get(ring)
  replies.add(key, BUCKET, 2)
  expect(replies.get(ring)).toEqual({ used: 6, index: BUCKET })
  replies.add(key, BUCKET - 9, 1)
  expect(replies.get(ring)).toEqual({ used: 7, index: BUCKET })
  expect(first).toEqual({ used: 4, index: BUCKET - 3 })
})

test('a reply that has left its window is not carried into a later one', () => {
  let nowMs = NOW_MS
  const replies = createLastReplies({ maximum: 10, now: () => nowMs })
  const { key } = chargeOf()
  replies.note(ringIdOf(key), { used: 1_000, index: BUCKET })
  nowMs += 60_099
  replies.add(key, BUCKET + 600, 1)
  expect(replies.get(ringIdOf(key))?.used).toBe(1_001)
  replies.note(ringIdOf(key), { used: 1_000, index: BUCKET })
  nowMs += 1
  replies.add(key, BUCKET + 601, 1)
  expect(replies.get(ringIdOf(key))?.used).toBe(1)
})
