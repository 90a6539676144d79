import { CHAT } from '../lanes.ts'
import type { Reading } from '../summary/measurement.ts'
import type { Experiment } from './experiment.ts'
import { loadLane, readLoad } from './load-lane.ts'

export const latency: Experiment = {
  name: 'latency',
  title: 'Latency of a chat request of 4 KB, one connection',
  about: 'Added is what the upstream alone did not take, in the same round.',
  sharesPrograms: true,
  lanes: ['upstream', 'floor', 'bare', 'governed', 'cached', 'prompt', 'peer-node', 'peer-bun', 'litellm'],
  async run(bench) {
    const { world, notebook } = bench
    const seconds = Math.max(world.effort.seconds, world.effort.tailSeconds)
    const loaded = await bench.openEach(this.lanes, (lane) => loadLane(world, lane, CHAT))
    const alone: Reading[] = []
    const others: { readonly lane: string; readonly round: number; readonly reading: Reading }[] = []
    await bench.inRounds(loaded, async (one, round) => {
      const reading = await readLoad(world, one, { connections: 1, seconds })
      if (one.target.subject === undefined) alone[round] = reading
      else others.push({ lane: one.lane.name, round, reading })
    })
    for (const { p50 = 0, p99 = 0 } of alone) notebook.note('upstream', '', { p50, p99 })
    for (const { lane, round, reading } of others) {
      const { p50 = 0, p99 = 0 } = reading
      const { p50: ownP50 = 0, p99: ownP99 = 0 } = alone[round] ?? {}
      notebook.note(lane, '', { p50, p99, addedP50: p50 - ownP50, addedP99: p99 - ownP99 })
    }
  },
}
