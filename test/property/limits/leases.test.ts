import { expect, test } from 'bun:test'
import * as ring from '../../../src/limits/ring/ring.ts'
import { enumerateLeases, LEASE_WORLDS } from './lease-worlds.ts'

test('everything that processes can do to a ring with leases, eight operations in a row', () => {
  let checked = 0
  for (const world of LEASE_WORLDS) {
    checked += enumerateLeases(ring, world)
    // Each leaves many short texts behind.
    Bun.gc(true)
  }
  expect(checked).toBeGreaterThanOrEqual(5_000_000)
}, 600_000)
