import { expect, test } from 'bun:test'
import { lastingFamilies, mergeFamilies } from './merge-families.ts'
import { createMetricRegistry, type Family } from './registry.ts'

const info = (name: string) => ({ name, description: name, unit: '1' })

/** A process that has counted these calls, by provider, and took so many seconds for each. */
const counted = (calls: Readonly<Record<string, number>>, running: number, seconds: readonly number[] = []) => {
  const registry = createMetricRegistry()
  for (const [provider, count] of Object.entries(calls)) registry.counter(info('calls'))({ provider }).add(count)
  const histogram = registry.histogram(info('seconds'), [1, 2])({})
  for (const value of seconds) histogram.observe(value)
  registry.gauge(info('running'), () => [[running]])
  registry.gauge({ ...info('age'), across: 'max' }, () => [[running]])
  registry.gauge({ ...info('durable'), across: 'min' }, () => [[running]])
  return registry.collect()
}

const valuesOf = (families: readonly Family[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(families.map(({ info: { name }, points }) => [name, points.map(({ value }) => value)]))

test('counts of several processes are added up by their labels, gauges as each says', () => {
  const merged = mergeFamilies([counted({ a: 1, b: 2 }, 3), counted({ b: 4, c: 5 }, 1)])
  expect(valuesOf(merged)).toMatchObject({ calls: [1, 6, 5], running: [4], age: [3], durable: [1] })
  expect(merged[0]?.points.map(({ labels }) => labels)).toEqual([
    { provider: 'a' },
    { provider: 'b' },
    { provider: 'c' },
  ])
})

test('histograms are added bucket by bucket', () => {
  const merged = mergeFamilies([counted({}, 0, [0.5, 1.5]), counted({}, 0, [0.5, 9])])
  expect(valuesOf(merged).seconds).toEqual([{ bounds: [1, 2], counts: [2, 1, 1], sum: 11.5, count: 4 }])
})

test('the numbers of one process alone stay as they are', () => {
  const own = counted({ a: 1 }, 3, [1])
  expect(mergeFamilies([own])).toEqual([...own])
})

test('what only grows outlives its process; what goes up and down does not', () => {
  expect(Object.keys(valuesOf(lastingFamilies(counted({ a: 1 }, 3, [1]))))).toEqual(['calls', 'seconds'])
})
