import { expect, test } from 'bun:test'
import type { Measurement } from './measurement.ts'
import { judge } from './targets.ts'

const atOneRate = (lane: string, values: number[]): Measurement => ({
  experiment: 'pace',
  setting: '',
  lane,
  metric: 'cpu',
  values,
})

const verdictOf = (bare: number[]) => judge([atOneRate('floor', [10, 10, 10]), atOneRate('bare', bare)])[0]

test('a target is met up to its limit, by the middle round', () => {
  expect(verdictOf([12.5, 12, 30])).toMatchObject({ target: '≤ 1.25 ×', measured: '1.25 ×', met: true })
  expect(verdictOf([12.6, 14, 12])).toMatchObject({ measured: '1.26 ×', met: false })
})

test('what was not measured is neither met nor missed', () => {
  const verdicts = judge([])
  expect(verdicts.length).toBeGreaterThan(10)
  expect(verdicts.every(({ met, measured }) => met === undefined && measured === '')).toBe(true)
})
