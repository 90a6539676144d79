import { expect, test } from 'bun:test'
import { EXPERIMENTS } from '../experiments/all.ts'
import { type Measurement, toFindings } from '../summary/measurement.ts'
import { compare } from '../summary/regressions.ts'
import { judge } from '../summary/targets.ts'
import { changesToMarkdown, toMarkdown } from './markdown.ts'
import { toPlot } from './plot.ts'
import type { Result } from './result.ts'

const chat = (lane: string, cpu: number[], rps: number[]): Measurement[] => [
  { experiment: 'chat', setting: '', lane, metric: 'cpu', values: cpu },
  { experiment: 'chat', setting: '', lane, metric: 'rps', values: rps },
]

const MEASUREMENTS = [
  ...chat('upstream', [8, 8, 8], [100_000, 100_000, 100_000]),
  ...chat('floor', [25, 26, 24], [40_000, 39_000, 41_000]),
  ...chat('bare', [50, 52, 48], [20_000, 19_000, 21_000]),
]

const resultOf = (measurements: readonly Measurement[]): Result => ({
  version: 1,
  command: 'bun run bench --only chat',
  effort: 'full',
  machine: {
    date: '2026-11-21',
    commit: 'abc1234',
    cpu: 'Some CPU',
    cores: 2,
    memoryGb: 8,
    system: 'linux 6.1',
    bun: '1.4.5',
    node: 'v20.0.0',
    wrk: '4.1.0',
    loadBefore: 0.1,
  },
  verdicts: judge(measurements),
  findings: toFindings(measurements),
  gaps: [{ experiment: 'chat', lane: 'peer-node', reason: 'could not be fetched from the registry' }],
})

test('the page has the verdict, the strength of the upstream, the figures with their spread, and what is missing', () => {
  const page = toMarkdown(resultOf(MEASUREMENTS), EXPERIMENTS)
  expect(page).toContain('| bare lane at full speed, CPU per request, to the bare proxy | ≤ 1.8 × | 2.00 × | **no** |')
  expect(page).toContain('100,000 requests a second: 5.00 × the fastest gateway')
  expect(page).toContain('| Weir, key alone | 50.0 (48.0 to 52.0), 2.00 × | 20,000 (19,000 to 21,000), 0.500 × |')
  expect(page).toContain('Not measured: peer on Node: could not be fetched from the registry.')
  expect(page).not.toContain('undefined')
})

test('every row of a table has the cells of its head', () => {
  const lines = toMarkdown(resultOf(MEASUREMENTS), EXPERIMENTS).split('\n')
  const widths = lines.map((line) => (line.startsWith('|') ? line.split('|').length : 0))
  for (const [place, width] of widths.entries()) {
    const above = widths[place - 1] ?? 0
    if (width > 0 && above > 0) expect(width, lines[place]).toBe(above)
  }
})

test('the plot has a bar for each lane but the upstream, inside its frame', () => {
  const plot = toPlot(toFindings(MEASUREMENTS)) ?? ''
  const widths = [...plot.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))
  expect(widths).toHaveLength(2)
  expect(widths[1]).toBeGreaterThan((widths[0] ?? 0) * 1.9)
  expect(Math.max(...widths)).toBeLessThan(800)
})

test('a bar many times longer than the others is cut, and the plot says so', () => {
  const findings = toFindings([...MEASUREMENTS, ...chat('peer-node', [1_000, 1_000, 1_000], [1, 1, 1])])
  const plot = toPlot(findings) ?? ''
  const widths = [...plot.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))
  expect(widths[1]).toBeGreaterThan(100)
  expect(widths[2]).toBeLessThanOrEqual(800 - 340 - 130)
  expect(plot).toContain('The longest bar is cut.')
  expect(toPlot(toFindings(MEASUREMENTS))).not.toContain('cut')
})

test('without the figures there is no plot', () => expect(toPlot([])).toBeUndefined())

test('a regression is told in words', () => {
  const before = toFindings(MEASUREMENTS)
  const now = toFindings([
    ...chat('floor', [25, 26, 24], [40_000, 39_000, 41_000]),
    ...chat('bare', [100, 104, 96], [20_000, 19_000, 21_000]),
  ])
  expect(changesToMarkdown(compare(now, before), 'old.json')).toContain('worse by 100 %')
  expect(changesToMarkdown([], 'old.json')).toContain('Nothing changed')
})
