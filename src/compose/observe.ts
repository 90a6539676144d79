import type { Clock, Logger, Tracing } from '../core/ports.ts'
import type { CallSink } from '../core/records.ts'
import { createCallMetrics } from '../observe/metrics/call-metrics.ts'
import { createOtelData } from '../observe/metrics/otel-data.ts'
import { createProcessMetrics } from '../observe/metrics/process-metrics.ts'
import { PROMETHEUS_TYPE, toPrometheus } from '../observe/metrics/prometheus.ts'
import { createMetricRegistry, type Family, type MetricRegistry } from '../observe/metrics/registry.ts'
import { readOtlpSettings } from '../observe/otlp/settings.ts'
import { createTracing } from '../observe/trace.ts'
import { VERSION } from '../version.ts'

export interface ObserveOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly log: Logger
  /** `gen_ai.operation.name` of an endpoint. */
  readonly operationOf: (endpoint: string) => string
  /** The numbers of all workers, this one's included. Absent: there is this process alone. */
  readonly numbersOfAll?: (() => Promise<readonly Family[]>) | undefined
}

/** What this process tells about itself. */
export interface OwnObserve {
  readonly registry: MetricRegistry
  readonly tracing: Tracing
  /** Sends its lines to a collector as well, where there is one. */
  readonly log: Logger
  /** Count and send what the records of calls say. */
  readonly sinks: readonly CallSink[]
  /** The numbers, as Prometheus reads them. */
  metrics(): Promise<{ readonly type: string; readonly text: string }>
  close(): Promise<void>
}

/** Starts metrics and, where the environment names a collector, what is sent to it. @throws ConfigError naming a variable */
export const openObserve = async (options: ObserveOptions): Promise<OwnObserve> => {
  const { env, clock, log, operationOf, numbersOfAll } = options
  const registry = createMetricRegistry()
  const endProcess = createProcessMetrics({ metrics: registry, version: VERSION, monotonicMs: clock.monotonicMs })
  const counted = createCallMetrics(registry, operationOf)
  const settings = readOtlpSettings(env)
  const { collect } = createOtelData({
    registry,
    version: VERSION,
    resource: { 'service.name': 'weir' },
    now: clock.now,
  })
  const read = numbersOfAll === undefined ? async () => collect() : async () => collect(await numbersOfAll())
  if (settings === undefined) {
    return {
      registry,
      tracing: createTracing(VERSION),
      log,
      sinks: [counted],
      metrics: async () => ({ type: PROMETHEUS_TYPE, text: toPrometheus(await read()) }),
      close: async () => endProcess(),
    }
  }
  // Loaded where it is used alone.
  const { openOtlp } = await import('../observe/otlp/open.ts')
  const otlp = openOtlp({ settings, registry, version: VERSION, now: clock.now, operationOf })
  return {
    registry,
    tracing: createTracing(VERSION, otlp.tracers),
    log: otlp.logger(log),
    sinks: otlp.sink === undefined ? [counted] : [counted, otlp.sink],
    // What the exporters count of themselves is in those of one process alone: with workers it goes to the collector.
    metrics: async () => ({
      type: PROMETHEUS_TYPE,
      text: toPrometheus(await (numbersOfAll === undefined ? otlp.collect() : read())),
    }),
    async close() {
      endProcess()
      await otlp.close()
    },
  }
}
