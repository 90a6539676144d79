import type { Experiment } from './experiments/experiment.ts'
import type { Lane } from './lanes.ts'
import { REFERENCES } from './summary/measurement.ts'

/** Of `bench:quick`: what fits into a minute, most telling first. */
const QUICK: Readonly<Record<string, readonly string[]>> = {
  chat: ['upstream', 'floor', 'bare', 'governed', 'peer-node', 'peer-bun', 'litellm'],
  latency: ['upstream', 'governed'],
  streams: ['floor', 'bare', 'transformed'],
}

export interface Choice {
  readonly isQuick: boolean
  readonly experiments: readonly string[]
  readonly lanes: readonly string[]
}

/** Experiments that were asked for: by name, or because they measure a lane that was. */
export const chooseExperiments = (all: readonly Experiment[], choice: Choice): Experiment[] => {
  if (choice.experiments.length > 0) return all.filter(({ name }) => choice.experiments.includes(name))
  return all.filter(({ name, lanes }) => {
    if (choice.isQuick && QUICK[name] === undefined) return false
    return choice.lanes.length === 0 || lanes.some((lane) => choice.lanes.includes(lane))
  })
}

/** Lanes of an experiment that were asked for. What the others are compared with is always one of them. */
export const chooseLanes = (experiment: string, lanes: readonly Lane[], choice: Choice): Lane[] => {
  const quick = choice.isQuick && choice.experiments.length === 0 ? QUICK[experiment] : undefined
  return lanes.filter(({ name }) => {
    if (quick !== undefined && !quick.includes(name)) return false
    return choice.lanes.length === 0 || choice.lanes.includes(name) || REFERENCES.includes(name)
  })
}
