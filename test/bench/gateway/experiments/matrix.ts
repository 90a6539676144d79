import { CHAT, type Lane, type Scene } from '../lanes.ts'
import { BODY_SIZES, type BodySize } from '../load/bodies.ts'
import type { LoadShape } from '../load/wrk.ts'
import { POLICY_COUNTS } from '../subjects/seed-plan.ts'
import { digits } from '../summary/metrics.ts'
import type { Bench, Experiment } from './experiment.ts'
import { type Loaded, loadLane, readLoad } from './load-lane.ts'

interface Cell {
  readonly setting: string
  readonly scene: Scene
  readonly connections: number
}

interface Place {
  readonly lane: Lane
  readonly cell: Cell
  readonly loaded: Loaded
}

/** Every lane in every cell, all of them in each round. */
const runCells = async (bench: Bench, names: readonly string[], cells: readonly Cell[]): Promise<void> => {
  const { world, notebook } = bench
  const { seconds } = world.effort
  const opened = await bench.openEach(names, async (lane) => {
    const places: Place[] = []
    for (const cell of cells) places.push({ lane, cell, loaded: await loadLane(world, lane, cell.scene) })
    return places
  })
  const places = opened.flat()
  await bench.inRounds(places, async ({ cell, loaded }) => {
    const shape: LoadShape = { connections: cell.connections, seconds }
    const { cpu = 0, rps = 0, p50 = 0, p99 = 0 } = await readLoad(world, loaded, shape)
    notebook.note(loaded.lane.name, cell.setting, { cpu, rps, p50, p99 })
  })
}

const CONNECTIONS = [1, 64, 256]
const MATRIX_CONNECTIONS = 64
/** A megabyte each: more at once would measure the memory of the machine. */
const LARGE_CONNECTIONS = 8

export const connections: Experiment = {
  name: 'connections',
  title: 'Numbers of connections, chat requests of 4 KB',
  about: 'As fast as the connections ask, so latency grows with their number once a core is busy.',
  settings: 'connections',
  sharesPrograms: true,
  lanes: ['floor', 'bare', 'governed'],
  run(bench) {
    const cells = CONNECTIONS.map((count) => ({ setting: String(count), scene: CHAT, connections: count }))
    return runCells(bench, this.lanes, cells)
  },
}

export const bodies: Experiment = {
  name: 'bodies',
  title: 'Sizes of the request',
  about: 'The largest is a picture in base64, over 8 connections; the others are text, over 64.',
  settings: 'size',
  sharesPrograms: true,
  lanes: ['floor', 'floor-json', 'bare', 'governed'],
  run(bench) {
    const cells = (Object.keys(BODY_SIZES) as BodySize[]).map((size) => ({
      setting: size,
      scene: { ...CHAT, size },
      connections: size === '1 MB' ? LARGE_CONNECTIONS : MATRIX_CONNECTIONS,
    }))
    return runCells(bench, this.lanes, cells)
  },
}

export const policies: Experiment = {
  name: 'policies',
  title: 'Numbers of policies',
  about: 'Policies of the workspace that calls. Two of them apply to each call (the only one, where there is one).',
  settings: 'policies',
  sharesPrograms: true,
  lanes: ['governed'],
  run(bench) {
    const cells = POLICY_COUNTS.map((count) => ({
      setting: digits(count).replace(/\.0+$/, ''),
      scene: { ...CHAT, policies: count },
      connections: MATRIX_CONNECTIONS,
    }))
    return runCells(bench, this.lanes, cells)
  },
}
