import { CHAT } from '../lanes.ts'
import type { Experiment } from './experiment.ts'
import { loadLane, readLoad } from './load-lane.ts'

const CONNECTIONS = [1, 64]
/** Requests per second of all connections together: well below what any lane can do, and enough for a p99. */
const PER_SECOND = 600
/** Milliseconds that an answer takes, about: a connection pauses for the rest of its turn. */
const ANSWER_MS = 0.5

export const flatness: Experiment = {
  name: 'flatness',
  title: 'Latency at one rate, by numbers of connections',
  about: `About ${PER_SECOND} requests per second however many connections they come over, with pauses left to chance. A gateway that is kept busy by more and more connections is slower by arithmetic; this asks whether connections themselves cost anything.`,
  settings: 'connections',
  sharesPrograms: true,
  lanes: ['floor', 'governed'],
  async run(bench) {
    const { world, notebook } = bench
    const seconds = Math.max(world.effort.seconds, world.effort.tailSeconds)
    const loaded = await bench.openEach(this.lanes, (lane) => loadLane(world, lane, CHAT))
    const places = loaded.flatMap((one) => CONNECTIONS.map((connections) => ({ one, lane: one.lane, connections })))
    await bench.inRounds(places, async ({ one, connections }) => {
      const pauseMs = (connections * 1_000) / PER_SECOND - ANSWER_MS
      const { p50 = 0, p99 = 0 } = await readLoad(world, one, { connections, seconds, pauseMs })
      notebook.note(one.lane.name, String(connections), { p50, pacedP99: p99 })
    })
  },
}
