import type { HistogramSeries, MetricInfo, MetricLabels, Metrics, Reading, Series } from '../../core/metrics.ts'

/** Sets of labels that one metric tells apart; those of more share one, whose labels all say `other`. */
const MAX_SERIES = 2_000

/** What was counted, for whoever collects it. */
export type Family =
  | { readonly kind: 'counter' | 'gauge'; readonly info: MetricInfo; readonly points: readonly Point<number>[] }
  | { readonly kind: 'histogram'; readonly info: MetricInfo; readonly points: readonly Point<Distribution>[] }

export interface Point<Value> {
  readonly labels: MetricLabels
  readonly value: Value
}

/** Values in the buckets of a histogram: those up to each bound, and in the end all that are larger. */
export interface Distribution {
  readonly bounds: readonly number[]
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
}

/** The numbers of this process. They outlive a change of the config. */
export interface MetricRegistry extends Metrics {
  collect(): readonly Family[]
}

class CounterSeries implements Series {
  value = 0
  readonly labels: MetricLabels

  constructor(labels: MetricLabels) {
    this.labels = labels
  }

  add(count: number): void {
    this.value += count
  }
}

class Buckets implements HistogramSeries {
  readonly labels: MetricLabels
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0
  #count = 0

  constructor(labels: MetricLabels, bounds: readonly number[]) {
    this.labels = labels
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    let at = 0
    while (at < this.#bounds.length && value > (this.#bounds[at] ?? 0)) at++
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
    this.#count++
  }

  get value(): Distribution {
    return { bounds: this.#bounds, counts: [...this.#counts], sum: this.#sum, count: this.#count }
  }
}

/** The series of one metric, by their labels. */
class SeriesMap<Of extends { readonly labels: MetricLabels }> {
  readonly #make: (labels: MetricLabels) => Of
  readonly #series = new Map<string, Of>()
  #other: Of | undefined

  constructor(make: (labels: MetricLabels) => Of) {
    this.#make = make
  }

  of(labels: MetricLabels): Of {
    const key = Object.values(labels).join('\u0000')
    const known = this.#series.get(key)
    if (known !== undefined) return known
    if (this.#series.size >= MAX_SERIES) {
      this.#other ??= this.#make(Object.fromEntries(Object.keys(labels).map((name) => [name, 'other'])))
      return this.#other
    }
    const made = this.#make(labels)
    this.#series.set(key, made)
    return made
  }

  all(): readonly Of[] {
    return this.#other === undefined ? [...this.#series.values()] : [...this.#series.values(), this.#other]
  }
}

export const createMetricRegistry = (): MetricRegistry => {
  const counters = new Map<string, { readonly info: MetricInfo; readonly series: SeriesMap<CounterSeries> }>()
  const histograms = new Map<string, { readonly info: MetricInfo; readonly series: SeriesMap<Buckets> }>()
  const gauges = new Map<string, { readonly info: MetricInfo; readonly read: () => Iterable<Reading> }>()
  const readings = new Map<string, { readonly info: MetricInfo; readonly read: () => Iterable<Reading> }>()
  return {
    counter(info) {
      const known = counters.get(info.name) ?? { info, series: new SeriesMap((labels) => new CounterSeries(labels)) }
      counters.set(info.name, known)
      return (labels) => known.series.of(labels)
    },
    histogram(info, bounds) {
      const known = histograms.get(info.name) ?? {
        info,
        series: new SeriesMap((labels) => new Buckets(labels, bounds)),
      }
      histograms.set(info.name, known)
      return (labels) => known.series.of(labels)
    },
    gauge: (info, read) => void gauges.set(info.name, { info, read }),
    reading: (info, read) => void readings.set(info.name, { info, read }),
    collect: () => [
      ...[...counters.values()].map(({ info, series }) => ({ kind: 'counter' as const, info, points: series.all() })),
      ...[...readings.values()].map(({ info, read }) => ({ kind: 'counter' as const, info, points: pointsOf(read) })),
      ...[...gauges.values()].map(({ info, read }) => ({ kind: 'gauge' as const, info, points: pointsOf(read) })),
      ...[...histograms.values()].map(({ info, series }) => ({
        kind: 'histogram' as const,
        info,
        points: series.all().map(({ labels, value }) => ({ labels, value })),
      })),
    ],
  }
}

/** What is read of others may fail, and has too many labels no more than what is counted here. */
const pointsOf = (read: () => Iterable<Reading>): readonly Point<number>[] => {
  const points: Point<number>[] = []
  try {
    for (const [value, labels = {}] of read()) {
      points.push({ labels, value })
      if (points.length === MAX_SERIES) break
    }
  } catch {
    // One that cannot be read now is absent from this collection, as Prometheus has it.
  }
  return points
}
