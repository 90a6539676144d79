/**
 * `bun run bench:cost`: what one call costs in promises, objects, writes and commands, as a table in Markdown, beside what the speed
 * gate of the tests allows. Compiled code leaves many of the objects out: they are counted without it, so that each run says the same.
 */
import { costOfLane, LANES } from '../../e2e/cost/support/lanes.ts'
import { openScene } from '../../e2e/management/support/scene.ts'
import { startOwnRedis } from '../../property/limits-redis/support/own-redis.ts'
import { startUpstream } from '../gateway/upstream/start.ts'

const digits = (value: number): string => value.toFixed(value < 10 ? 1 : 0)

const scene = await openScene({ store: 'pglite' })
const upstream = await startUpstream()
const redis = await startOwnRedis()
try {
  console.log('| Call | Promises | Objects | Writes to the provider | Commands of Redis |\n|---|---|---|---|---|')
  for (const lane of LANES) {
    const cost = await costOfLane(lane, { scene, upstream, redisUrl: redis.url })
    const of = (name: keyof typeof cost): string => `${digits(cost[name])} (≤ ${lane.bounds[name]})`
    console.log(
      `| ${lane.title} | ${of('promises')} | ${of('objects')} | ${of('providerWrites')} | ${of('redisCommands')} |`,
    )
  }
} finally {
  await redis.close()
  await upstream.close()
  await scene.close()
}
