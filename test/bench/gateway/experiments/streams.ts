import type { Effort } from '../effort.ts'
import { CHAT, type Scene, type Target } from '../lanes.ts'
import { startStreams } from '../load/streams.ts'
import { usageOf } from '../process/usage.ts'
import type { Reading } from '../summary/measurement.ts'
import { quantile } from '../summary/statistics.ts'
import type { World } from '../world.ts'
import type { Experiment } from './experiment.ts'

/** Streams at a time that a model's pace is measured with: enough to keep the clock of the system busy. */
const PACED_STREAMS = 100

/** Of a stream at a time, whose first byte is of interest: among a hundred that begin together it waits for the others. */
const ALONE = 1

interface Course {
  readonly setting: string
  readonly scene: Scene
  readonly streams: number
  readonly seconds: (effort: Effort) => number
}

const COURSES: readonly Course[] = [
  {
    setting: 'paced',
    scene: { ...CHAT, answer: 'paced' },
    streams: PACED_STREAMS,
    seconds: ({ seconds, streamSeconds }) => Math.max(seconds, streamSeconds),
  },
  { setting: 'burst', scene: { ...CHAT, answer: 'burst' }, streams: ALONE, seconds: ({ seconds }) => seconds },
]

const MS_PER_S = 1_000

/** From the moment when all streams have begun, so that what it takes to open them is not counted. */
const readStreams = async (world: World, target: Target, streams: number, seconds: number): Promise<Reading> => {
  const pid = target.subject?.pid ?? world.upstream.pid
  const running = startStreams({ ...target.request, mode: 'repeat', streams, durationMs: seconds * MS_PER_S })
  try {
    await running.begun
    const before = usageOf(pid)
    const { events, durationMs, firstByteMs } = await running.report()
    const cpuUs = usageOf(pid).cpuUs - before.cpuUs
    if (events === 0) throw new Error('No event came')
    const reading = { eventCpu: cpuUs / events, eventRate: events / (durationMs / MS_PER_S) }
    if (streams > ALONE) return reading
    return { ...reading, firstByteP50: quantile(firstByteMs, 0.5), firstByteP99: quantile(firstByteMs, 0.99) }
  } finally {
    await running.end()
  }
}

export const streams: Experiment = {
  name: 'streams',
  title: 'Streams',
  about: `Paced: ${PACED_STREAMS} streams at a time of about 200 events each, one event of each every 10 ms, as a quick model sends them. Burst: one stream at a time, all of its events in one go.`,
  settings: 'pace',
  lanes: ['floor', 'bare', 'transformed', 'responses', 'messages', 'governed', 'peer-node', 'peer-bun', 'litellm'],
  async run(bench) {
    const { world, notebook } = bench
    const { effort } = world
    for (const { setting, scene, streams: count, ...course } of COURSES.slice(0, effort.streamCourses)) {
      const seconds = course.seconds(effort)
      const open = await bench.openEach(this.lanes, async (lane) => {
        const target = await lane.open(world, scene)
        await readStreams(world, target, count, seconds)
        return { lane, target }
      })
      await bench.inRounds(open, async ({ lane, target }) => {
        notebook.note(lane.name, setting, await readStreams(world, target, count, seconds))
      })
      await world.stopSubjects()
    }
  },
}
