import { CHAT } from '../lanes.ts'
import type { Experiment } from './experiment.ts'
import { loadLane, readLoad } from './load-lane.ts'

const CONNECTIONS = 64

export const chat: Experiment = {
  name: 'chat',
  title: 'A chat request of 4 KB, 64 connections',
  about:
    'As fast as the connections ask. CPU is user and system time of the process and its children. Ratios are to the bare proxy in the same round. A stored prompt is run with twenty variables, and becomes a request of about that size.',
  sharesPrograms: true,
  lanes: [
    'upstream',
    'floor',
    'floor-json',
    'bare',
    'governed',
    'cached',
    'transformed',
    'responses',
    'messages',
    'prompt',
    'peer-node',
    'peer-bun',
    'litellm',
  ],
  async run(bench) {
    const { world, notebook } = bench
    const loaded = await bench.openEach(this.lanes, (lane) => loadLane(world, lane, CHAT))
    await bench.inRounds(loaded, async (one) => {
      const reading = await readLoad(world, one, { connections: CONNECTIONS, seconds: world.effort.seconds })
      // One always asks the upstream over as many connections as it has itself: of the others the number says something.
      const { connections: _, ...ofUpstream } = reading
      notebook.note(one.lane.name, '', one.target.subject === undefined ? ofUpstream : reading)
    })
  },
}
