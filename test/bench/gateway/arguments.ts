import { parseArgs } from 'node:util'
import { EFFORTS, type Effort, type EffortName } from './effort.ts'

export interface BenchArguments {
  readonly effortName: EffortName
  readonly effort: Effort
  /** Names of experiments to run; empty: all that have a lane that was asked for. */
  readonly experiments: readonly string[]
  /** Names of lanes to measure; empty: all. */
  readonly lanes: readonly string[]
  /** File of an earlier run to compare with. */
  readonly against?: string
  /** Folder for the results. */
  readonly out: string
  /** The table and the plot are written to `docs` too. */
  readonly publish: boolean
}

export interface Known {
  readonly experiments: readonly string[]
  readonly lanes: readonly string[]
}

export const USAGE = `bun run bench [options]

  --only NAMES     experiments or lanes, with commas between them; without it everything
  --quick          the one table that matters, in less than a minute
  --tiny           whether the benchmark works; its figures mean nothing
  --rounds N       rounds instead of those of the chosen effort
  --seconds N      seconds of each load in a round; where a p99 is taken, at least those of the effort
  --against FILE   compares with the JSON of an earlier run, and ends with 1 when something is worse
  --out DIR        folder of the results (default .weir/bench)
  --publish        writes the table and the plot to docs, too`

/** @throws Error with one line that says what is wrong */
export const readArguments = (given: readonly string[], known: Known): BenchArguments => {
  const { values } = parseArgs({
    args: [...given],
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      tiny: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      against: { type: 'string' },
      out: { type: 'string', default: '.weir/bench' },
      publish: { type: 'boolean', default: false },
    },
  })
  const effortName = values.tiny ? 'tiny' : values.quick ? 'quick' : 'full'
  const names = values.only?.split(',').map((name) => name.trim()) ?? []
  const unknown = names.filter((name) => !known.experiments.includes(name) && !known.lanes.includes(name))
  if (unknown.length > 0) {
    throw new Error(
      `--only: unknown ${unknown.join(', ')}. Experiments: ${known.experiments.join(', ')}. Lanes: ${known.lanes.join(', ')}.`,
    )
  }
  const { rounds, seconds } = EFFORTS[effortName]
  return {
    effortName,
    effort: {
      ...EFFORTS[effortName],
      rounds: wholeNumber('--rounds', values.rounds) ?? rounds,
      seconds: wholeNumber('--seconds', values.seconds) ?? seconds,
    },
    experiments: names.filter((name) => known.experiments.includes(name)),
    lanes: names.filter((name) => known.lanes.includes(name)),
    ...(values.against === undefined ? {} : { against: values.against }),
    out: values.out,
    publish: values.publish,
  }
}

const wholeNumber = (option: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${option} takes a whole number from 1, not '${text}'`)
  return Number(text)
}
