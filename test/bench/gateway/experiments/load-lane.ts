import type { Lane, Scene, Target } from '../lanes.ts'
import { type Load, type LoadShape, prepareLoad } from '../load/wrk.ts'
import { usageOf } from '../process/usage.ts'
import type { Subject } from '../subjects/subject.ts'
import type { Reading } from '../summary/measurement.ts'
import type { World } from '../world.ts'

/** A lane that is open, with its load. */
export interface Loaded {
  readonly lane: Lane
  readonly scene: Scene
  readonly target: Target
  readonly load: Load
}

const WARM_UP_CONNECTIONS = 64
/** Names of the lanes that each program was warmed up by. */
const warmed = new WeakMap<Subject, Set<string>>()

/** Until the machine code of the hot path is there: once for each lane of a program. */
const warmUp = async ({ effort }: World, { lane, target, load }: Loaded): Promise<void> => {
  if (target.subject === undefined) return
  const lanes = warmed.get(target.subject) ?? new Set()
  warmed.set(target.subject, lanes)
  if (lanes.has(lane.name)) return
  lanes.add(lane.name)
  await load({ connections: WARM_UP_CONNECTIONS, seconds: effort.warmUpSeconds })
}

/** Makes a load for a target that is open, and warms it up. */
export const loadTarget = async (world: World, open: Omit<Loaded, 'load'>): Promise<Loaded> => {
  const loaded = { ...open, load: await prepareLoad(world.folder, open.target.request) }
  await warmUp(world, loaded)
  return loaded
}

export const loadLane = async (world: World, lane: Lane, scene: Scene): Promise<Loaded> =>
  loadTarget(world, { lane, scene, target: await lane.open(world, scene) })

/** The process that is measured: the upstream too, where it is asked directly. */
const pidOf = (world: World, { subject }: Target): number => subject?.pid ?? world.upstream.pid

/** Puts load on a lane, and takes down what it cost. */
export const readLoad = async (world: World, { target, scene, load }: Loaded, shape: LoadShape): Promise<Reading> => {
  const pid = pidOf(world, target)
  const openedBefore = await world.upstream.opened(target.wire, scene.answer)
  const before = usageOf(pid)
  const { requests, perSecond, p50Ms, p99Ms } = await load(shape)
  const cpuUs = usageOf(pid).cpuUs - before.cpuUs
  const opened = (await world.upstream.opened(target.wire, scene.answer)) - openedBefore
  return {
    cpu: cpuUs / requests,
    rps: perSecond,
    p50: p50Ms,
    p99: p99Ms,
    connections: (opened / requests) * 1_000,
  }
}
