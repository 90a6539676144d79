import { expect, test } from 'bun:test'
import { suffix, toShortSlug, toSlug } from './slug.ts'

/** As the gateway makes them: they begin with the time. */
const randomId = (): string => Bun.randomUUIDv7()

test('slugs of one name that are made at the same time differ', () => {
  for (const make of [
    () => toSlug('Team blue', randomId, 'x'),
    () => toShortSlug('pc', 'Team blue', randomId, 'x'),
    () => suffix(randomId),
  ]) {
    expect(new Set(Array.from({ length: 20 }, make)).size).toBe(20)
  }
})
