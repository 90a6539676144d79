import { LANES, type Lane } from '../lanes.ts'
import type { Gap } from '../report/result.ts'
import { createNotebook, type Measurement } from '../summary/measurement.ts'
import type { World } from '../world.ts'
import type { Bench, Experiment } from './experiment.ts'

export interface BenchOptions {
  readonly world: World
  /** Which of the lanes of an experiment were asked for. */
  readonly choose: (experiment: string, lanes: readonly Lane[]) => readonly Lane[]
  readonly tell: (line: string) => void
  /** The programs stay for the next experiment: time is short. */
  readonly keepsSubjects: boolean
}

export interface Outcome {
  readonly measurements: readonly Measurement[]
  readonly gaps: readonly Gap[]
}

/** Characters of a failure that are told; the end of it is mostly a stack. */
const TOLD = 2_000

/** Runs one experiment. What fails leaves a gap, and the rest goes on: a long run must not be lost to its last part. */
export const runExperiment = async (
  experiment: Experiment,
  { world, choose, tell, keepsSubjects }: BenchOptions,
): Promise<Outcome> => {
  const { name } = experiment
  const notebook = createNotebook(name)
  const gaps: Gap[] = []
  const fail = (thrown: unknown, lane?: Lane): void => {
    const text = thrown instanceof Error ? thrown.message : String(thrown)
    tell(`${name}${lane === undefined ? '' : `, ${lane.name}`}: ${text.slice(0, TOLD)}`)
    const reason = text.split('\n')[0] ?? ''
    gaps.push({ experiment: name, ...(lane === undefined ? {} : { lane: lane.name }), reason })
  }
  const bench: Bench = {
    world,
    notebook,
    async openEach(names, open) {
      const opened = []
      for (const lane of choose(name, knownLanes(names))) {
        const reason = await lane.missing?.(world)
        if (reason !== undefined) {
          gaps.push({ experiment: name, lane: lane.name, reason })
          continue
        }
        try {
          opened.push(await open(lane))
        } catch (thrown) {
          fail(thrown, lane)
        }
      }
      return opened
    },
    async inRounds(contestants, measure) {
      const out = new Set<Lane>()
      for (let round = 0; round < world.effort.rounds; round += 1) {
        const start = round % Math.max(contestants.length, 1)
        for (const contestant of [...contestants.slice(start), ...contestants.slice(0, start)]) {
          if (out.has(contestant.lane)) continue
          try {
            await measure(contestant, round)
          } catch (thrown) {
            out.add(contestant.lane)
            fail(thrown, contestant.lane)
          }
        }
      }
    },
    async atOnce(contestants, measure) {
      const results = await Promise.allSettled(contestants.map(measure))
      return results.flatMap((result, place) => {
        if (result.status === 'fulfilled') return [result.value]
        fail(result.reason, contestants[place]?.lane)
        return []
      })
    },
  }
  try {
    await experiment.run(bench)
  } catch (thrown) {
    fail(thrown)
  } finally {
    if (!keepsSubjects) await world.stopSubjects()
  }
  return { measurements: notebook.measurements(), gaps }
}

const knownLanes = (names: readonly string[]): readonly Lane[] => LANES.filter((lane) => names.includes(lane.name))
