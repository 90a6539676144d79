import { CHAT } from '../lanes.ts'
import type { Experiment } from './experiment.ts'
import { loadLane, readLoad } from './load-lane.ts'

const CONNECTIONS = 64
/** Requests per second of all connections together: about half of what the slowest lane can do. */
const PER_SECOND = 2_000
const MS_PER_S = 1_000

export const pace: Experiment = {
  name: 'pace',
  title: 'The same chat request at one rate',
  about: `About ${PER_SECOND.toLocaleString('en')} requests per second in every lane, over ${CONNECTIONS} connections. Whoever writes to a process that sleeps pays for waking it. At full speed a fast proxy finds everybody awake, and a slower one pays for that too: here all pay alike.`,
  sharesPrograms: true,
  lanes: ['floor', 'bare', 'governed', 'transformed'],
  async run(bench) {
    const { world, notebook } = bench
    const { seconds } = world.effort
    const pauseMs = (CONNECTIONS * MS_PER_S) / PER_SECOND
    const loaded = await bench.openEach(this.lanes, (lane) => loadLane(world, lane, CHAT))
    await bench.inRounds(loaded, async (one) => {
      const reading = await readLoad(world, one, { connections: CONNECTIONS, seconds, pauseMs })
      const { cpu = 0, rps = 0, p50 = 0, p99 = 0 } = reading
      notebook.note(one.lane.name, '', { cpu, rps, p50, p99 })
    })
  },
}
