import { CHAT, type Lane } from '../lanes.ts'
import type { StreamMode } from '../load/stream-plan.ts'
import { startStreams } from '../load/streams.ts'
import type { AnswerKind } from '../upstream/behaviours.ts'
import type { World } from '../world.ts'
import type { Experiment } from './experiment.ts'

interface Held {
  readonly count: number
  readonly mode: Exclude<StreamMode, 'repeat'>
  readonly answer: AnswerKind
}

const BYTES_PER_KB = 1_024
/** Streams that come and go first: what a program needs once is not counted for each. */
const WARM_STREAMS = 50
/** Milliseconds that stalled readers are left alone: whoever buffers without a bound shows it in less. */
const STALL_MS = 3_000

/** How much more memory a program of its own has with that many streams. KB for each. */
const memoryPerStream = async (world: World, lane: Lane, { count, mode, answer }: Held): Promise<number> => {
  const { subject, request } = await lane.open(world, { ...CHAT, answer, size: '256 B' }, true)
  if (subject === undefined) throw new Error('The upstream has no memory of interest')
  try {
    const hold = async (streams: number, ms: number): Promise<number> => {
      const running = startStreams({ ...request, mode, streams, durationMs: ms })
      try {
        await running.begun
        await running.report()
        return subject.usage().rssBytes
      } finally {
        await running.end()
      }
    }
    const { settleMs } = world.effort
    await hold(Math.min(WARM_STREAMS, count), settleMs)
    await Bun.sleep(settleMs)
    const before = subject.usage().rssBytes
    const during = await hold(count, mode === 'stall' ? STALL_MS : settleMs)
    return (during - before) / count / BYTES_PER_KB
  } finally {
    await subject.stop()
  }
}

const heldExperiment = (
  about: Pick<Experiment, 'name' | 'title' | 'about' | 'lanes'>,
  held: (world: World) => Held,
): Experiment => ({
  ...about,
  async run(bench) {
    const { world, notebook } = bench
    const chosen = await bench.openEach(this.lanes, async (lane) => ({ lane }))
    await bench.inRounds(chosen, async ({ lane }) => {
      notebook.note(lane.name, '', { streamKb: await memoryPerStream(world, lane, held(world)) })
    })
  },
})

export const openStreams = heldExperiment(
  {
    name: 'open-streams',
    title: 'Memory of open streams',
    about:
      'Resident memory with all of them open, one event a second each, less that before, by their number. A fresh process each round. Memory that the system keeps for sockets is not in it.',
    lanes: ['floor', 'bare', 'governed'],
  },
  ({ effort }) => ({ count: effort.openStreams, mode: 'hold', answer: 'slow' }),
)

export const stalledReaders = heldExperiment(
  {
    name: 'stalled-readers',
    title: 'Memory of clients that stop reading',
    about: 'The upstream sends as fast as it can, and each client reads the first piece and no more.',
    lanes: ['floor', 'bare', 'transformed'],
  },
  ({ effort }) => ({ count: effort.stalledReaders, mode: 'stall', answer: 'endless' }),
)
