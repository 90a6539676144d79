import { expect, test } from 'bun:test'
import { createAttempts, networkOf } from './attempts.ts'

test('an address may try so often in a minute, and then once for each share of it; others are not held up', () => {
  let nowMs = 0
  const attempts = createAttempts({ now: () => nowMs, perMinute: 3 })
  const take = (address = '192.0.2.1') => attempts.take(address)
  expect([take(), take(), take(), take()]).toEqual([undefined, undefined, undefined, 20_000])
  expect(take('192.0.2.2')).toBeUndefined()
  nowMs += 19_000
  expect(take()).toBe(1_000)
  nowMs += 1_000
  expect([take(), take()]).toEqual([undefined, 20_000])
  attempts.giveBack('192.0.2.1')
  expect([take(), take()]).toEqual([undefined, 20_000])
  nowMs += 3_600_000
  expect([take(), take(), take(), take()]).toEqual([undefined, undefined, undefined, 20_000])
})

test('only so many addresses are remembered', () => {
  const attempts = createAttempts({ now: () => 0, perMinute: 1, maximumAddresses: 2 })
  expect(['a', 'b', 'a', 'b'].map((each) => attempts.take(each) === undefined)).toEqual([true, true, false, false])
  attempts.take('c')
  expect(attempts.take('a')).toBeUndefined()
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['', ''],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
