import { expect, test } from 'bun:test'
import { createMetricRegistry } from './registry.ts'

const info = (name: string) => ({ name, description: name, unit: '1' })

test('a series is found again by its labels, and a metric by its name', () => {
  const registry = createMetricRegistry()
  registry.counter(info('calls'))({ provider: 'a' }).add(1)
  registry.counter(info('calls'))({ provider: 'a' }).add(2)
  registry.counter(info('calls'))({ provider: 'b' }).add(4)
  expect(
    registry.collect().map(({ info: { name }, points }) => [name, points.map(({ labels, value }) => [labels, value])]),
  ).toEqual([
    [
      'calls',
      [
        [{ provider: 'a' }, 3],
        [{ provider: 'b' }, 4],
      ],
    ],
  ])
})

test('no more series than there is room for: the others share one', () => {
  const registry = createMetricRegistry()
  const series = registry.counter(info('calls'))
  for (let index = 0; index < 2_100; index++) series({ model: `m${index}`, provider: 'p' }).add(1)
  series({ model: 'm0', provider: 'p' }).add(1)
  const points = registry.collect()[0]?.points ?? []
  expect(points).toHaveLength(2_001)
  expect(points[0]).toMatchObject({ labels: { model: 'm0' }, value: 2 })
  expect(points.at(-1)).toMatchObject({ labels: { model: 'other', provider: 'other' }, value: 100 })
})

test('a value belongs to the first bucket whose bound it does not pass', () => {
  const registry = createMetricRegistry()
  const histogram = registry.histogram(info('seconds'), [1, 2])({})
  for (const value of [0, 1, 1.5, 2, 3]) histogram.observe(value)
  expect(registry.collect()[0]?.points[0]?.value).toEqual({ bounds: [1, 2], counts: [2, 2, 1], sum: 7.5, count: 5 })
})

test('a gauge is read when it is collected, the last one of its name counts, and one that fails hides no other', () => {
  const registry = createMetricRegistry()
  let value = 1
  registry.gauge(info('rows'), () => [[99]])
  registry.gauge(info('rows'), () => [[value, { kind: 'a' }]])
  registry.gauge(info('broken'), () => {
    throw new Error('the store is away')
  })
  value = 2
  expect(registry.collect().map(({ info: { name }, points }) => [name, points])).toEqual([
    ['rows', [{ labels: { kind: 'a' }, value: 2 }]],
    ['broken', []],
  ])
})
