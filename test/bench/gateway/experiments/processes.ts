import { cpus } from 'node:os'
import { CHAT, type Lane, type Target } from '../lanes.ts'
import { type Load, prepareLoad } from '../load/wrk.ts'
import { usageOf } from '../process/usage.ts'
import type { Reading } from '../summary/measurement.ts'
import type { World } from '../world.ts'
import type { Experiment } from './experiment.ts'

/** Of each process. */
const CONNECTIONS = 32

interface Pair {
  readonly target: Target
  readonly load: Load
}

const readTogether = async (world: World, pairs: readonly Pair[], seconds: number): Promise<Reading> => {
  const pids = pairs.map(({ target }) => target.subject?.pid ?? world.upstream.pid)
  const used = (): number => pids.reduce((sum, pid) => sum + usageOf(pid).cpuUs, 0)
  const [before, machineBefore] = [used(), machineTimes()]
  const results = await Promise.all(pairs.map(({ load }) => load({ connections: CONNECTIONS, seconds })))
  const cpuUs = used() - before
  const machine = machineTimes()
  const busyUs = machine.busyUs - machineBefore.busyUs
  const requests = results.reduce((sum, result) => sum + result.requests, 0)
  return {
    rps: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    cpu: cpuUs / requests,
    otherCpu: (busyUs - cpuUs) / requests,
    busy: (busyUs / (machine.allUs - machineBefore.allUs)) * 100,
  }
}

const US_PER_MS = 1_000

/** Of all cores together, since the machine started. */
const machineTimes = (): { readonly busyUs: number; readonly allUs: number } => {
  const times = cpus().map((core) => core.times)
  const allMs = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0)
  const idleMs = times.reduce((sum, { idle }) => sum + idle, 0)
  return { busyUs: (allMs - idleMs) * US_PER_MS, allUs: allMs * US_PER_MS }
}

export const processes: Experiment = {
  name: 'processes',
  title: 'Two processes against one',
  about:
    'Each with its own port and its own wrk. The load and the upstream run on the same cores: what they take is not there for the second process. Where the machine is busy with one process already, there is no room for two.',
  settings: 'processes',
  lanes: ['bare'],
  async run(bench) {
    const { world, notebook } = bench
    const { seconds, warmUpSeconds } = world.effort
    const open = async (lane: Lane): Promise<Pair> => {
      const target = await lane.open(world, CHAT, true)
      return { target, load: await prepareLoad(world.folder, target.request) }
    }
    const opened = await bench.openEach(this.lanes, async (lane) => {
      const pairs = [await open(lane), await open(lane)]
      for (const { load } of pairs) await load({ connections: CONNECTIONS, seconds: warmUpSeconds })
      return [1, 2].map((count) => ({ lane, count, pairs: pairs.slice(0, count) }))
    })
    await bench.inRounds(opened.flat(), async ({ lane, count, pairs }) => {
      notebook.note(lane.name, String(count), await readTogether(world, pairs, seconds))
    })
  },
}
