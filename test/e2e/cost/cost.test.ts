/**
 * The speed gate: what a call costs in things that can be counted, so that no busy machine trips it. `bun run bench:cost` prints
 * them; times are measured by `bun run bench`. Who makes a call cheaper lowers the numbers; who must raise one says why in the commit.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { startUpstream, type Upstream } from '../../bench/gateway/upstream/start.ts'
import { testServices } from '../../support/services.ts'
import { openScene, type Scene, SLOW_MS } from '../management/support/scene.ts'
import { costOfLane, LANES } from './support/lanes.ts'

setDefaultTimeout(SLOW_MS)

let scene: Scene
let upstream: Upstream
beforeAll(async () => {
  scene = await openScene({ store: 'pglite' })
  upstream = await startUpstream()
})
afterAll(async () => {
  await upstream.close()
  await scene.close()
})

const NAMES = ['promises', 'objects', 'providerWrites', 'redisCommands'] as const
/** What runs beside calls is counted to them, the more the fewer there are a second: only the least of some looks tells of calls. */
const LOOKS = 3

for (const lane of LANES) {
  test(lane.title, async () => {
    const { bounds } = lane
    for (let look = 1; ; look++) {
      const cost = await costOfLane(lane, { scene, upstream, redisUrl: testServices().redisUrl })
      if (look < LOOKS && NAMES.some((name) => cost[name] > bounds[name])) continue
      for (const name of NAMES)
        expect(cost[name], `${name} of ${JSON.stringify(cost)}`).toBeLessThanOrEqual(bounds[name])
      return
    }
  })
}
