import { expect, test } from 'bun:test'
import * as memoryStore from '../../../src/limits/ring/memory-store.ts'
import * as ring from '../../../src/limits/ring/ring.ts'
import { runQuickSuite } from './quick.ts'

test('a little of every proof', () => {
  expect(() => runQuickSuite(ring, memoryStore)).not.toThrow()
}, 60_000)
