/**
 * `bun run bench`: measures Weir beside a bare proxy and a peer, and writes what it found as Markdown and JSON. Starts all it
 * needs on the loopback address; `bun run bench --help` says what it takes.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type BenchArguments, readArguments, USAGE } from './arguments.ts'
import { chooseExperiments, chooseLanes } from './choose.ts'
import { EFFORTS } from './effort.ts'
import { EXPERIMENTS } from './experiments/all.ts'
import { type Outcome, runExperiment } from './experiments/bench.ts'
import type { Experiment } from './experiments/experiment.ts'
import { LANES } from './lanes.ts'
import { requireWrk } from './load/wrk.ts'
import { describeMachine } from './report/machine.ts'
import { changesToMarkdown, toMarkdown } from './report/markdown.ts'
import { toPlot } from './report/plot.ts'
import { type Gap, type Result, readResult } from './report/result.ts'
import { type Measurement, toFindings } from './summary/measurement.ts'
import { compare } from './summary/regressions.ts'
import { judge } from './summary/targets.ts'
import { openWorld } from './world.ts'

const ROOT = join(import.meta.dir, '../../..')
const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const tell = (line: string): void => console.error(line)

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

const measure = async (given: BenchArguments, experiments: readonly Experiment[]): Promise<Outcome> => {
  const isQuick = given.effortName === 'quick'
  const world = await openWorld({
    effort: given.effort,
    cache: join(ROOT, '.weir', 'bench'),
    // A download does not fit into the minute.
    mayFetch: !isQuick,
  })
  const leave = (): void => void world.close().finally(() => process.exit(1))
  for (const signal of STOP_SIGNALS) process.on(signal, leave)
  const found: { measurements: Measurement[]; gaps: Gap[] } = { measurements: [], gaps: [] }
  try {
    for (const [place, experiment] of experiments.entries()) {
      tell(`${experiment.name} …`)
      const startedMs = performance.now()
      const { measurements, gaps } = await runExperiment(experiment, {
        world,
        choose: (name, lanes) => chooseLanes(name, lanes, { ...given, isQuick }),
        tell,
        keepsSubjects:
          isQuick || (experiment.sharesPrograms === true && experiments[place + 1]?.sharesPrograms === true),
      })
      tell(`${experiment.name}: ${Math.round((performance.now() - startedMs) / 1_000)} s`)
      found.measurements.push(...measurements)
      found.gaps.push(...gaps)
    }
  } finally {
    await world.close()
  }
  return found
}

/** As it would be typed to measure the same again: where the results went is of no interest, and names somebody's folders. */
const commandOf = ({ effortName, effort, experiments, lanes }: BenchArguments): string => {
  const names = [...experiments, ...lanes].join(',')
  const usual = EFFORTS[effortName]
  return [
    'bun run bench',
    ...(effortName === 'full' ? [] : [`--${effortName}`]),
    ...(names === '' ? [] : [`--only ${names}`]),
    ...(effort.rounds === usual.rounds ? [] : [`--rounds ${effort.rounds}`]),
    ...(effort.seconds === usual.seconds ? [] : [`--seconds ${effort.seconds}`]),
  ].join(' ')
}

const publish = async (folder: string, markdown: string, findings: Result['findings']): Promise<void> => {
  const plot = toPlot(findings)
  if (plot !== undefined) await Bun.write(join(folder, 'benchmark.svg'), plot)
  await Bun.write(join(folder, 'benchmark.md'), markdown)
}

/** @returns the exit code: 1 when something is worse than in the run it was compared with, or could not be measured */
const main = async (): Promise<number> => {
  if (process.argv.includes('--help')) {
    console.log(USAGE)
    return 0
  }
  const given = readArguments(process.argv.slice(2), {
    experiments: EXPERIMENTS.map(({ name }) => name),
    lanes: LANES.map(({ name }) => name),
  })
  requireWrk()
  const earlier = given.against === undefined ? undefined : await readResult(given.against)
  if (earlier !== undefined && earlier.effort !== given.effortName) {
    throw new Error(
      `--against: ${given.against} is of the effort ${earlier.effort}, this one would be ${given.effortName}`,
    )
  }
  const experiments = chooseExperiments(EXPERIMENTS, { ...given, isQuick: given.effortName === 'quick' })
  const machine = describeMachine()
  const { measurements, gaps } = await measure(given, experiments)
  const findings = toFindings(measurements)
  const result: Result = {
    version: 1,
    command: commandOf(given),
    effort: given.effortName,
    machine,
    verdicts: judge(measurements),
    findings,
    gaps,
  }
  const markdown = toMarkdown(result, experiments)
  await mkdir(given.out, { recursive: true })
  await Bun.write(join(given.out, 'result.json'), `${JSON.stringify(result, null, 2)}\n`)
  await publish(given.out, markdown, findings)
  if (given.publish) await publish(join(ROOT, 'docs'), markdown, findings)
  console.log(markdown)
  tell(`Written to ${given.out}: result.json, benchmark.md, benchmark.svg`)
  const changes = earlier === undefined ? [] : compare(findings, earlier.findings)
  if (given.against !== undefined) console.log(changesToMarkdown(changes, given.against))
  return changes.some(({ isWorse }) => isWorse) || gaps.some(({ lane }) => lane === undefined) ? 1 : 0
}

try {
  process.exit(await main())
} catch (thrown) {
  console.error(messageOf(thrown))
  process.exit(2)
}
