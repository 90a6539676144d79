import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startWorld, WAYS, type World } from '../../bench/bodies/measure.ts'

const BYTES = 200_000_000
/** The system reads half a megabyte at once, and the collector needs room. */
const MAX_MB_ABOVE_IDLE = 64
/** What the system holds for two connections, some 20 MB, and a piece or two of ours. */
const MAX_BYTES_ON_THE_WAY = 50_000_000

let world: World
beforeAll(async () => {
  world = await startWorld()
  for (const way of WAYS) await world.pass(way, BYTES / 10)
}, 60_000)
afterAll(() => world.close())

describe('a body of 200 MB costs no memory', () => {
  test.each(WAYS)(
    '%s',
    async (way) => {
      const { idleMb, peakMb } = await world.pass(way, BYTES)
      expect(peakMb - idleMb).toBeLessThan(MAX_MB_ABOVE_IDLE)
      if (way !== 'download') expect(world.provider.taken).toBeGreaterThanOrEqual(BYTES)
    },
    60_000,
  )
})

test('a client that does not read holds the provider back', async () => {
  expect(await world.stalledDownload(BYTES, 500)).toBeLessThan(MAX_BYTES_ON_THE_WAY)
})
