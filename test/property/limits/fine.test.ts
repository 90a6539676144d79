import { expect, test } from 'bun:test'
import * as ring from '../../../src/limits/ring/ring.ts'
import { enumerateAll } from './enumerate.ts'
import { CHANGING_WORLDS, FINE_WORLDS } from './worlds.ts'

test('everything that eight operations can do to a ring', () => {
  const { checked, walked } = enumerateAll(ring, FINE_WORLDS)
  expect(walked).toBeGreaterThanOrEqual(1_000_000)
  expect(checked).toBeGreaterThanOrEqual(12_000_000)
}, 600_000)

test('everything that six operations can do to a ring whose limit and grain change', () => {
  const { checked, walked } = enumerateAll(ring, CHANGING_WORLDS)
  expect(walked).toBeGreaterThanOrEqual(50_000)
  expect(checked).toBeGreaterThanOrEqual(1_000_000)
}, 120_000)
