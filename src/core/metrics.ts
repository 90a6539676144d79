/** Numbers about this process, as stages and stores give them. Who collects them is `src/observe/metrics`. */

/** Names as OpenTelemetry writes them: `weir.calls`; Prometheus sees `weir_calls_total`. */
export interface MetricInfo {
  readonly name: string
  readonly description: string
  /** UCUM: `s`, `By`, `{call}`. */
  readonly unit: string
  /** Of a gauge: how the values of several workers become one. Absent: they are added up. */
  readonly across?: 'max' | 'min'
}

/** Few values each, none of a caller's choice: every combination is kept for as long as the process runs. */
export type MetricLabels = Readonly<Record<string, string>>

/** A number, and what it is about. */
export type Reading = readonly [value: number, labels?: MetricLabels]

export interface Series {
  add(count: number): void
}

export interface HistogramSeries {
  observe(value: number): void
}

/** Asked for a metric that is known by its name, it gives that one: plugins are set up anew with each config. */
export interface Metrics {
  /** What only grows. The series of a set of labels is to be kept by who counts often. */
  counter(info: MetricInfo): (labels: MetricLabels) => Series
  /** @param bounds upper ends of its buckets, increasing */
  histogram(info: MetricInfo, bounds: readonly number[]): (labels: MetricLabels) => HistogramSeries
  /** What goes up and down, read when somebody collects. The last one of a name counts. */
  gauge(info: MetricInfo, read: () => Iterable<Reading>): void
  /** Like a gauge, of what only grows. */
  reading(info: MetricInfo, read: () => Iterable<Reading>): void
}

const nothing = { add: () => undefined, observe: () => undefined }

/** Counts nothing. */
export const NO_METRICS: Metrics = {
  counter: () => () => nothing,
  histogram: () => () => nothing,
  gauge: () => undefined,
  reading: () => undefined,
}
