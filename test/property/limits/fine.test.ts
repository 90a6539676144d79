import { expect, test } from 'bun:test'
import * as ring from '../../../src/limits/ring/ring.ts'
import { enumerateAll } from './enumerate.ts'
import { CHANGING_WORLDS, FINE_WORLDS } from './worlds.ts'

test('everything that eight operations can do to a ring', () => {
  const { checked, distinct } = enumerateAll(ring, FINE_WORLDS)
  expect(distinct).toBeGreaterThanOrEqual(5_000_000)
  expect(checked).toBeGreaterThan(distinct)
}, 600_000)

test('everything that six operations can do to a ring whose limit and grain change', () => {
  const { distinct } = enumerateAll(ring, CHANGING_WORLDS)
  expect(distinct).toBeGreaterThanOrEqual(300_000)
}, 120_000)
