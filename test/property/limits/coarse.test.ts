import { expect, test } from 'bun:test'
import * as ring from '../../../src/limits/ring/ring.ts'
import { enumerateAll } from './enumerate.ts'
import { COARSE_WORLDS } from './worlds.ts'

test('everything that eight operations can do to a ring that writes two buckets as one', () => {
  const { checked, distinct } = enumerateAll(ring, COARSE_WORLDS)
  expect(distinct).toBeGreaterThanOrEqual(5_000_000)
  expect(checked).toBeGreaterThan(distinct)
}, 600_000)
