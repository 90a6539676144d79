import type { MetricName } from './metrics.ts'
import { median, ratiosOf, type Spread, spreadOf } from './statistics.ts'

/** One thing that was measured, once each round. */
export interface Measurement {
  readonly experiment: string
  /** What varies within an experiment: `64 connections`. Empty where nothing does. */
  readonly setting: string
  readonly lane: string
  readonly metric: MetricName
  /** In the order of the rounds. */
  readonly values: readonly number[]
}

/** A measurement in short, and beside the one it is compared with. */
export interface Finding extends Omit<Measurement, 'values'> {
  readonly value: Spread
  /** To the reference lane in the same rounds. */
  readonly ratio?: Spread
  readonly reference?: string
}

/** What one lane gave in one round. */
export type Reading = Partial<Readonly<Record<MetricName, number>>>

/** Gathers readings into measurements: the rounds of one lane, setting and metric are one of them. */
export const createNotebook = (experiment: string) => {
  const pages = new Map<string, { readonly measurement: Measurement; readonly values: number[] }>()
  return {
    note(lane: string, setting: string, reading: Reading): void {
      for (const [name, value] of Object.entries(reading)) {
        const metric = name as MetricName
        const place = `${lane}|${setting}|${metric}`
        const page = pages.get(place)
        if (page !== undefined) {
          page.values.push(value)
          continue
        }
        const values = [value]
        pages.set(place, { measurement: { experiment, setting, lane, metric, values }, values })
      }
    },
    measurements: (): Measurement[] => [...pages.values()].map(({ measurement }) => measurement),
  }
}

export type Notebook = ReturnType<typeof createNotebook>

/** The first of these lanes that was measured is what the others are compared with. */
export const REFERENCES: readonly string[] = ['floor', 'upstream']

/** Shares and differences: how many times larger one is says nothing. */
const UNCOMPARED: readonly MetricName[] = ['addedP50', 'addedP99', 'growth', 'busy', 'connections']

export const toFindings = (measurements: readonly Measurement[]): Finding[] =>
  measurements.map(({ values, ...about }) => {
    const reference = UNCOMPARED.includes(about.metric) ? undefined : referenceOf(about, measurements)
    const found = { ...about, value: spreadOf(values) }
    if (reference === undefined) return found
    const ratios = ratiosOf(values, reference.values)
    return ratios.length === 0 ? found : { ...found, ratio: spreadOf(ratios), reference: reference.lane }
  })

/** Of the same experiment, setting and metric. A lane is not compared with itself. */
const referenceOf = (
  about: Omit<Measurement, 'values'>,
  measurements: readonly Measurement[],
): Measurement | undefined => {
  for (const lane of REFERENCES) {
    if (lane === about.lane) return undefined
    const found = measurements.find(
      (other) =>
        other.lane === lane &&
        other.experiment === about.experiment &&
        other.setting === about.setting &&
        other.metric === about.metric,
    )
    if (found !== undefined) return found
  }
  return undefined
}

export interface Wanted {
  readonly experiment: string
  readonly lane: string
  readonly metric: MetricName
  readonly setting?: string
}

export const findMeasurement = (
  measurements: readonly Measurement[],
  { experiment, lane, metric, setting }: Wanted,
): Measurement | undefined =>
  measurements.find(
    (one) =>
      one.experiment === experiment &&
      one.lane === lane &&
      one.metric === metric &&
      (setting === undefined || one.setting === setting),
  )

/** The median of the ratios of two measurements, round by round. Undefined where one of them is missing. */
export const ratioBetween = (measurements: readonly Measurement[], one: Wanted, other: Wanted): number | undefined => {
  const found = findMeasurement(measurements, one)
  const reference = findMeasurement(measurements, other)
  return found && reference && median(ratiosOf(found.values, reference.values))
}
