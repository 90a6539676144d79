import { expect, test } from 'bun:test'
import { UsageMeter } from './usage-meter.ts'

test('what was used counts for a whole span, and then less and less', () => {
  const meter = new UsageMeter(1_000)
  for (let call = 0; call < 10; call += 1) meter.add(4, 5_000 + call)
  expect([meter.weight(5_999), meter.calls(5_999)]).toEqual([40, 10])
  expect([meter.weight(6_000), meter.calls(6_000)]).toEqual([40, 10])
  expect([meter.weight(6_750), meter.calls(6_999)]).toEqual([10, 10])
  meter.add(7, 6_750)
  expect([meter.weight(6_750), meter.calls(6_750)]).toEqual([17, 11])
  expect([meter.weight(7_000), meter.calls(7_000)]).toEqual([7, 1])
})

test('of longer ago nothing is left', () => {
  const meter = new UsageMeter(10)
  meter.add(4, 100)
  expect([meter.weight(120), meter.calls(120)]).toEqual([0, 0])
})
