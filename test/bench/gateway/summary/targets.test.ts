import { expect, test } from 'bun:test'
import type { Measurement } from './measurement.ts'
import { judge } from './targets.ts'

const chat = (lane: string, values: number[]): Measurement => ({
  experiment: 'chat',
  setting: '',
  lane,
  metric: 'cpu',
  values,
})

const verdictOf = (bare: number[]) => judge([chat('floor', [10, 10, 10]), chat('bare', bare)])[0]

test('a target is met up to its limit, by the middle round', () => {
  expect(verdictOf([13, 12, 30])).toMatchObject({ target: '≤ 1.3 ×', measured: '1.30 ×', met: true })
  expect(verdictOf([13.1, 14, 12])).toMatchObject({ measured: '1.31 ×', met: false })
})

test('what was not measured is neither met nor missed', () => {
  const verdicts = judge([])
  expect(verdicts.length).toBeGreaterThan(10)
  expect(verdicts.every(({ met, measured }) => met === undefined && measured === '')).toBe(true)
})
