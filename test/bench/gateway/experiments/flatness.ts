import { CHAT } from '../lanes.ts'
import type { Experiment } from './experiment.ts'
import { loadLane, readLoad } from './load-lane.ts'

const CONNECTIONS = [1, 4, 16, 64]
/** Requests per second of all connections together: well below what any lane can do. */
const PER_SECOND = 250

export const flatness: Experiment = {
  name: 'flatness',
  title: 'Latency at one rate, by numbers of connections',
  about: `About ${PER_SECOND} requests per second however many connections they come over, with pauses left to chance. A gateway that is kept busy by more and more connections is slower by arithmetic; this asks whether connections themselves cost anything.`,
  lanes: ['upstream', 'floor', 'bare', 'governed'],
  async run(bench) {
    const { world, notebook } = bench
    const loaded = await bench.openEach(this.lanes, (lane) => loadLane(world, lane, CHAT))
    const places = loaded.flatMap((one) => CONNECTIONS.map((connections) => ({ one, lane: one.lane, connections })))
    await bench.inRounds(places, async ({ one, connections }) => {
      const pauseMs = Math.max(1, Math.round((connections * 1_000) / PER_SECOND))
      const { p50 = 0, p99 = 0 } = await readLoad(world, one, { connections, seconds: world.effort.seconds, pauseMs })
      notebook.note(one.lane.name, String(connections), { p50, pacedP99: p99 })
    })
  },
}
