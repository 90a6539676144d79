import { expect, test } from 'bun:test'
import * as ring from '../../../src/limits/ring/ring.ts'
import { enumerateAll } from './enumerate.ts'
import { COARSE_WORLDS } from './worlds.ts'

test('everything that eight operations can do to a ring that writes two buckets as one', () => {
  const { checked, walked } = enumerateAll(ring, COARSE_WORLDS)
  expect(walked).toBeGreaterThanOrEqual(1_000_000)
  expect(checked).toBeGreaterThanOrEqual(13_000_000)
}, 600_000)
