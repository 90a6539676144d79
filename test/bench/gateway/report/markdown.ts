import type { Experiment } from '../experiments/experiment.ts'
import { laneTitle } from '../lanes.ts'
import type { Finding } from '../summary/measurement.ts'
import { digits, METRICS, type MetricName } from '../summary/metrics.ts'
import type { Change } from '../summary/regressions.ts'
import type { Spread } from '../summary/statistics.ts'
import type { Machine } from './machine.ts'
import { toPlot } from './plot.ts'
import type { Gap, Result } from './result.ts'

/** A run of more than this was not alone. */
const BUSY_LOAD = 0.5

export const toMarkdown = (result: Result, experiments: readonly Experiment[]): string => {
  const sections = experiments.map((experiment) => experimentSection(experiment, result))
  return `${[
    header(result),
    verdictTable(result),
    plotLine(result.findings),
    upstreamLine(result.findings),
    ...sections,
  ]
    .filter((part) => part !== '')
    .join('\n\n')}\n`
}

const header = ({ machine, command, effort }: Result): string => {
  const quiet = machine.loadBefore > BUSY_LOAD ? ` The machine was not quiet: load ${digits(machine.loadBefore)}.` : ''
  const meaning = effort === 'tiny' ? ' The figures of this effort mean nothing.' : ''
  return `# Benchmark

\`${command}\` at commit ${machine.commit}, ${machine.date}. ${describe(machine)}${quiet}${meaning}

Each figure is the median of the rounds, with the smallest and the largest. The rounds of all lanes take turns. A ratio (×) is
to the bare proxy in the same round. Latencies are as wrk reports them: a request that holds its connection up counts also for
those that would have come meanwhile.`
}

const describe = ({ cpu, cores, memoryGb, system, bun, node, wrk }: Machine): string =>
  `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}; Bun ${bun}, Node ${node}, wrk ${wrk}. Load, upstream and gateway share the machine.`

const verdictTable = ({ verdicts }: Result): string => {
  const measured = verdicts.filter((verdict) => verdict.met !== undefined)
  if (measured.length === 0) return ''
  const rows = verdicts.map(({ what, target, measured: value, met }) => [
    what,
    target,
    value === '' ? 'not measured' : value,
    met === undefined ? '' : met ? 'yes' : '**no**',
  ])
  return `## Targets\n\n${table(['What', 'Target', 'Measured', 'Met'], rows)}`
}

/** The file beside the page. */
const plotLine = (findings: readonly Finding[]): string =>
  toPlot(findings) === undefined ? '' : '![CPU per chat request of each lane](benchmark.svg)'

/** Whether the upstream was ever in the way. */
const upstreamLine = (findings: readonly Finding[]): string => {
  const rates = findings.filter(({ experiment, metric }) => experiment === 'chat' && metric === 'rps')
  const upstream = rates.find(({ lane }) => lane === 'upstream')
  const gateways = rates.filter(({ lane }) => !['upstream', 'floor', 'floor-json', 'cached'].includes(lane))
  const fastest = gateways.toSorted((left, right) => right.value.median - left.value.median)[0]
  if (upstream === undefined || fastest === undefined) return ''
  const times = upstream.value.median / fastest.value.median
  const floor = rates.find(({ lane }) => lane === 'floor')
  const toFloor =
    floor === undefined ? '' : `, ${digits(upstream.value.median / floor.value.median)} × that of the bare proxy`
  return `The upstream alone answered ${digits(upstream.value.median)} requests a second: ${digits(times)} × the fastest gateway that asks it (${laneTitle(fastest.lane)})${toFloor}.`
}

const experimentSection = ({ name, title, about, settings = '' }: Experiment, { findings, gaps }: Result): string => {
  const own = findings.filter(({ experiment }) => experiment === name)
  const missing = gaps.filter(({ experiment }) => experiment === name)
  if (own.length === 0 && missing.length === 0) return ''
  return `## ${title}\n\n${about}\n\n${own.length === 0 ? '' : findingTable(own, settings)}${missing.map(gapLine).join('')}`
}

const gapLine = ({ lane, reason }: Gap): string =>
  `\n\nNot measured: ${lane === undefined ? '' : `${laneTitle(lane)}: `}${reason}.`

const findingTable = (findings: readonly Finding[], settingsTitle: string): string => {
  const metrics = [...new Set(findings.map(({ metric }) => metric))]
  const settings = [...new Set(findings.map(({ setting }) => setting))]
  const hasSettings = settings.some((setting) => setting !== '')
  const places = [...new Set(findings.map(({ lane }) => lane))].flatMap((lane) =>
    settings
      .filter((setting) => findings.some((one) => one.lane === lane && one.setting === setting))
      .map((setting) => ({ lane, setting })),
  )
  const rows = places.map(({ lane, setting }) => [
    laneTitle(lane),
    ...(hasSettings ? [setting] : []),
    ...metrics.map((metric) =>
      cell(findings.find((one) => one.lane === lane && one.setting === setting && one.metric === metric)),
    ),
  ])
  return table(['', ...(hasSettings ? [settingsTitle] : []), ...metrics.map(columnTitle)], rows)
}

const columnTitle = (metric: MetricName): string => {
  const { title, unit } = METRICS[metric]
  return unit === '' ? title : `${title}, ${unit}`
}

const cell = (finding: Finding | undefined): string => {
  if (finding === undefined) return ''
  const { value, ratio, reference } = finding
  const compared = ratio !== undefined && reference === 'floor' ? `, ${digits(ratio.median)} ×` : ''
  return `${spread(value)}${compared}`
}

const spread = ({ median, min, max, rounds }: Spread): string =>
  rounds === 1 ? digits(median) : `${digits(median)} (${digits(min)} to ${digits(max)})`

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export const changesToMarkdown = (changes: readonly Change[], file: string): string => {
  if (changes.length === 0) return `\nNothing changed beyond its spread against ${file}.\n`
  const rows = changes.map(({ finding, before, now, factor, isWorse }) => [
    finding.experiment,
    laneTitle(finding.lane),
    finding.setting,
    METRICS[finding.metric].title,
    digits(before),
    digits(now),
    `${isWorse ? 'worse' : 'better'} by ${digits(Math.abs(isWorse ? factor - 1 : 1 / factor - 1) * 100)} %`,
  ])
  return `\n## Against ${file}\n\n${table(['experiment', 'lane', '', '', 'then', 'now', ''], rows)}\n`
}
