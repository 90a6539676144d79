import { expect, test } from 'bun:test'
import type { Finding } from './measurement.ts'
import { compare } from './regressions.ts'

const spread = (median: number, width = 0.01) => ({
  median,
  min: median * (1 - width),
  max: median * (1 + width),
  rounds: 5,
})

const finding = (more: Partial<Finding>): Finding => ({
  experiment: 'chat',
  setting: '',
  lane: 'bare',
  metric: 'cpu',
  value: spread(100),
  ...more,
})

test('more CPU is worse, more requests a second are better', () => {
  const before = [finding({}), finding({ metric: 'rps' })]
  const now = [finding({ value: spread(150) }), finding({ metric: 'rps', value: spread(150) })]
  expect(compare(now, before).map(({ finding: { metric }, isWorse }) => [metric, isWorse])).toEqual([
    ['cpu', true],
    ['rps', false],
  ])
})

test('ratios are compared where both runs have them: a slower machine is no regression', () => {
  const before = [finding({ value: spread(100), ratio: spread(2) })]
  expect(compare([finding({ value: spread(300), ratio: spread(2) })], before)).toEqual([])
  expect(compare([finding({ value: spread(100), ratio: spread(3) })], before)).toMatchObject([
    { before: 2, now: 3, factor: 1.5, isWorse: true },
  ])
})

test('rounds that overlap with those of before are no change, nor is one of a few percent', () => {
  expect(compare([finding({ value: spread(150, 0.4) })], [finding({ value: spread(100, 0.4) })])).toEqual([])
  expect(compare([finding({ value: spread(103, 0.001) })], [finding({ value: spread(100, 0.001) })])).toEqual([])
})

test('what the references themselves do is no change of the gateway', () => {
  for (const lane of ['floor', 'upstream']) {
    expect(compare([finding({ lane, value: spread(300) })], [finding({ lane })])).toEqual([])
  }
})

test('what only one of the runs measured is left out', () => {
  expect(compare([finding({ value: spread(500) })], [finding({ lane: 'governed' })])).toEqual([])
})
