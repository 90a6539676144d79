import { expect, test } from 'bun:test'
import { chooseExperiments, chooseLanes } from './choose.ts'
import { EXPERIMENTS } from './experiments/all.ts'
import { LANES } from './lanes.ts'

const everything = { isQuick: false, experiments: [], lanes: [] }
const names = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name)

test('without a choice everything runs, with all of its lanes', () => {
  expect(chooseExperiments(EXPERIMENTS, everything)).toEqual([...EXPERIMENTS])
  expect(chooseLanes('chat', LANES, everything)).toEqual([...LANES])
})

test('a lane brings what it is compared with, and the experiments that measure it', () => {
  const choice = { ...everything, lanes: ['cached'] }
  expect(names(chooseExperiments(EXPERIMENTS, choice))).toEqual(['chat', 'latency'])
  expect(names(chooseLanes('chat', LANES, choice))).toEqual(['upstream', 'floor', 'cached'])
})

test('an experiment that is named runs alone', () => {
  expect(names(chooseExperiments(EXPERIMENTS, { ...everything, experiments: ['memory'] }))).toEqual(['memory'])
})

test('quick is a part of it', () => {
  const quick = { ...everything, isQuick: true }
  expect(names(chooseExperiments(EXPERIMENTS, quick))).toEqual(['chat', 'latency', 'streams'])
  expect(names(chooseLanes('latency', LANES, quick))).toEqual(['upstream', 'governed'])
})

test('every lane that an experiment names exists, and every name is one of a kind', () => {
  const lanes = names(LANES)
  for (const experiment of EXPERIMENTS)
    expect(
      experiment.lanes.filter((lane) => !lanes.includes(lane)),
      experiment.name,
    ).toEqual([])
  const all = [...lanes, ...names(EXPERIMENTS)]
  expect(new Set(all).size).toBe(all.length)
})
