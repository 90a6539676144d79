import { expect, test } from 'bun:test'
import { createNotebook, type Measurement, ratioBetween, toFindings } from './measurement.ts'

const cpu = (lane: string, values: number[], more: Partial<Measurement> = {}): Measurement => ({
  experiment: 'chat',
  setting: '',
  lane,
  metric: 'cpu',
  values,
  ...more,
})

test('a notebook keeps the rounds of a lane, setting and metric together, in their order', () => {
  const notebook = createNotebook('chat')
  notebook.note('bare', '1', { cpu: 10, rps: 5 })
  notebook.note('bare', '2', { cpu: 30 })
  notebook.note('bare', '1', { cpu: 20 })
  expect(notebook.measurements()).toEqual([
    cpu('bare', [10, 20], { setting: '1' }),
    cpu('bare', [5], { setting: '1', metric: 'rps' }),
    cpu('bare', [30], { setting: '2' }),
  ])
})

test('a finding is compared with the floor of its own experiment, setting and metric', () => {
  const findings = toFindings([
    cpu('upstream', [1, 1, 1]),
    cpu('floor', [10, 20, 10]),
    cpu('floor', [99, 99, 99], { setting: 'other' }),
    cpu('bare', [15, 30, 16]),
  ])
  const bare = findings.find(({ lane }) => lane === 'bare')
  expect(bare).toMatchObject({ reference: 'floor', value: { median: 16 }, ratio: { median: 1.5, min: 1.5, max: 1.6 } })
})

test('the floor is compared with nothing, and a difference neither', () => {
  const findings = toFindings([
    cpu('floor', [10]),
    cpu('floor', [1], { metric: 'addedP50' }),
    cpu('bare', [2], { metric: 'addedP50' }),
  ])
  expect(findings.map(({ ratio }) => ratio)).toEqual([undefined, undefined, undefined])
})

test('a ratio between two measurements is that of the rounds', () => {
  const all = [cpu('bare', [10, 40, 30]), cpu('peer', [20, 40, 15])]
  const wanted = { experiment: 'chat', lane: 'bare', metric: 'cpu' } as const
  expect(ratioBetween(all, wanted, { ...wanted, lane: 'peer' })).toBe(1)
  expect(ratioBetween(all, wanted, { ...wanted, lane: 'nobody' })).toBeUndefined()
})
