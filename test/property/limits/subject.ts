import type * as memoryStore from '../../../src/limits/ring/memory-store.ts'
import type * as ring from '../../../src/limits/ring/ring.ts'

/** The functions of the ring: the real ones, or those of a mutant. */
export type RingFunctions = typeof ring
export type MemoryStoreFunctions = typeof memoryStore

/** An invariant does not hold. */
export class Broken extends Error {}

/** @throws Broken */
export function hold(condition: boolean, invariant: string, facts: () => unknown): void {
  if (!condition) throw new Broken(`${invariant}\n${JSON.stringify(facts(), undefined, 2)}`)
}
