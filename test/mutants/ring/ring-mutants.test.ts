import { expect, test } from 'bun:test'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as memoryStore from '../../../src/limits/ring/memory-store.ts'
import * as ring from '../../../src/limits/ring/ring.ts'
import { runQuickSuite } from '../../property/limits/quick.ts'
import { type Mutant, mutate } from '../mutant.ts'
import { RING_MUTANTS } from '../mutants/ring.ts'

const ROOT = join(import.meta.dir, '..', '..', '..')
const FOLDER = join('src', 'limits', 'ring')

/** Runs the quick suite on a copy of the code with the fault in it. @returns what the suite found */
const findFault = async (mutant: Mutant): Promise<unknown> => {
  const root = await mkdtemp(join(tmpdir(), 'weir-mutant-'))
  try {
    await cp(join(ROOT, FOLDER), join(root, FOLDER), { recursive: true })
    const path = join(root, mutant.file)
    await Bun.write(path, mutate(await Bun.file(path).text(), mutant))
    const mutated: typeof ring = await import(join(root, FOLDER, 'ring.ts'))
    const store: typeof memoryStore = await import(join(root, FOLDER, 'memory-store.ts'))
    return await Promise.try(runQuickSuite, mutated, store).then(
      () => undefined,
      (error: unknown) => error,
    )
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

/** fast-check puts what it caught underneath its own error. */
const kindOf = (fault: unknown): string => {
  if (!(fault instanceof Error)) return 'none'
  const cause = fault.cause instanceof Error ? fault.cause : fault
  return cause.constructor.name
}

test('the quick suite finds nothing in the code as it is', () => {
  runQuickSuite(ring, memoryStore)
}, 60_000)

test('there are at least twenty faults, by different names', () => {
  expect(new Set(RING_MUTANTS.map(({ name }) => name)).size).toBe(RING_MUTANTS.length)
  expect(RING_MUTANTS.length).toBeGreaterThanOrEqual(20)
})

test.each([...RING_MUTANTS])(
  'is caught: $name',
  async (mutant) => {
    const fault = await findFault(mutant)
    // A slip in the mutant itself would be a TypeError or the like.
    expect(['Broken', 'Error']).toContain(kindOf(fault))
  },
  60_000,
)
