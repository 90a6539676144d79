import { CHAT, type Lane } from '../lanes.ts'
import { type Load, prepareLoad } from '../load/wrk.ts'
import type { Subject } from '../subjects/subject.ts'
import type { Reading } from '../summary/measurement.ts'
import type { World } from '../world.ts'
import type { Experiment } from './experiment.ts'

const CONNECTIONS = 64
const LOOK_MS = 100
const BYTES_PER_MB = 1_048_576
/** Seconds of one load: the number of requests is looked at in between. */
const STEP_SECONDS = 1
const LONG_STEP_SECONDS = 5

const megabytes = ({ usage }: Subject): number => usage().rssBytes / BYTES_PER_MB

/** Loads until that many requests were made since the start, and returns how many were. */
const loadUntil = async (load: Load, made: number, wanted: number): Promise<number> => {
  let total = made
  let perSecond = 0
  while (total < wanted) {
    const seconds = (wanted - total) / Math.max(perSecond, 1) > LONG_STEP_SECONDS ? LONG_STEP_SECONDS : STEP_SECONDS
    const result = await load({ connections: CONNECTIONS, seconds })
    total += result.requests
    perSecond = result.perSecond
  }
  return total
}

const readMemory = async (world: World, lane: Lane): Promise<Reading> => {
  const { subject, request } = await lane.open(world, CHAT, true)
  if (subject === undefined) throw new Error('The upstream has no memory of interest')
  const { settleMs, memoryRequests } = world.effort
  const [first, all] = memoryRequests
  const load = await prepareLoad(world.folder, request)
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, megabytes(subject))
  }, LOOK_MS)
  try {
    await Bun.sleep(settleMs)
    const rssIdle = megabytes(subject)
    const made = await loadUntil(load, 0, first)
    await Bun.sleep(settleMs)
    const rssFirst = megabytes(subject)
    await loadUntil(load, made, all)
    await Bun.sleep(settleMs)
    const rssAfter = megabytes(subject)
    return { rssIdle, rssFirst, rssPeak: peak, rssAfter, growth: rssAfter / rssFirst }
  } finally {
    clearInterval(watch)
    await subject.stop()
  }
}

export const memory: Experiment = {
  name: 'memory',
  title: 'Memory over many requests',
  about:
    'Resident memory of a fresh process: before any load, after the first of the requests (100,000 of 1,000,000 in a full run), at its peak, and after all of them. One round, both at the same time.',
  lanes: ['bare', 'governed'],
  async run(bench) {
    const { world, notebook } = bench
    const chosen = await bench.openEach(this.lanes, async (lane) => ({ lane }))
    const found = await bench.atOnce(chosen, async ({ lane }) => ({ lane, reading: await readMemory(world, lane) }))
    for (const { lane, reading } of found) notebook.note(lane.name, '', reading)
  },
}
