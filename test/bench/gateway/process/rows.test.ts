import { expect, test } from 'bun:test'
import { parsePsLines, parseStat, treeOf } from './rows.ts'

const stat = (name: string): string =>
  `4711 (${name}) S 17 4711 4711 0 -1 4194304 90 0 0 0 250 50 7 9 20 0 5 0 1000 73728000 1234 18446744073709551615 1 1`

test('a line of /proc is read whatever the program is called', () => {
  const expected = { pid: 4711, parent: 17, cpuUs: 3_000_000, rssBytes: 1234 * 4096 }
  expect(parseStat(stat('bun'), 4096)).toEqual(expected)
  expect(parseStat(stat('a (strange) name) R 1 2'), 4096)).toEqual(expected)
  expect(parseStat('', 4096)).toBeUndefined()
})

test('lines of ps are read, with days and with hundredths', () => {
  expect(parsePsLines(' 10 1 2048 01:02:03\n 11 10 4 1-00:00:01\n 12 10 8 0:01.50\n')).toEqual([
    { pid: 10, parent: 1, cpuUs: 3_723_000_000, rssBytes: 2_097_152 },
    { pid: 11, parent: 10, cpuUs: 86_401_000_000, rssBytes: 4_096 },
    { pid: 12, parent: 10, cpuUs: 1_500_000, rssBytes: 8_192 },
  ])
})

test('a tree is a process with all that came from it', () => {
  const rows = [
    [1, 0],
    [10, 1],
    [11, 10],
    [12, 11],
    [20, 1],
  ].map(([pid = 0, parent = 0]) => ({ pid, parent, cpuUs: 1, rssBytes: 1 }))
  expect(treeOf(10, rows).map(({ pid }) => pid)).toEqual([10, 11, 12])
  expect(treeOf(99, rows)).toEqual([])
})
