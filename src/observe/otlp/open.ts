import type { TracerProvider as TracerSource } from '@opentelemetry/api'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import {
  MeterProvider,
  MetricReader,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from '../../core/ports.ts'
import type { CallSink } from '../../core/records.ts'
import { within } from '../../timing/within.ts'
import { createOtelData } from '../metrics/otel-data.ts'
import type { MetricRegistry } from '../metrics/registry.ts'
import { createCallEvents } from './call-events.ts'
import { withExport } from './export-log.ts'
import { logExporter, metricExporter, spanExporter } from './exporters.ts'
import type { OtlpSettings } from './settings.ts'

/** Milliseconds that what waits gets at the end. */
const CLOSE_MS = 5_000

export interface OtlpOptions {
  readonly settings: OtlpSettings
  readonly registry: MetricRegistry
  readonly version: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** `gen_ai.operation.name` of an endpoint. */
  readonly operationOf: (endpoint: string) => string
}

/** Traces, metrics and logs on their way to a collector. */
export interface Otlp {
  /** Makes the spans. Absent: traces are not sent. */
  readonly tracers: TracerSource | undefined
  /** Sends an event for each call. Absent: logs are not sent. */
  readonly sink: CallSink | undefined
  /** Sends the lines of a log as well. */
  logger(log: Logger): Logger
  /** The numbers, with those of the exporters themselves: what they sent, and what was dropped. */
  collect(): Promise<ResourceMetrics>
  /** Sends what waits, for some seconds at most. */
  close(): Promise<void>
}

/** Asked for what there is, now. */
class AskedReader extends MetricReader {
  protected onForceFlush(): Promise<void> {
    return Promise.resolve()
  }

  protected onShutdown(): Promise<void> {
    return Promise.resolve()
  }
}

/** Starts what the settings ask for, with OpenTelemetry's own packages. */
export const openOtlp = ({ settings, registry, version, now, operationOf }: OtlpOptions): Otlp => {
  const { targets, maxQueue: maxQueueSize, metricIntervalMs } = settings
  const { producer, resource } = createOtelData({ registry, version, resource: settings.resource, now })
  const asked = new AskedReader({ metricProducers: [producer] })
  const pushed =
    targets.metrics &&
    new PeriodicExportingMetricReader({
      exporter: metricExporter(targets.metrics),
      exportIntervalMillis: metricIntervalMs,
      exportTimeoutMillis: Math.min(targets.metrics.timeoutMs, metricIntervalMs),
      metricProducers: [producer],
    })
  const meters = new MeterProvider({ resource, readers: pushed === undefined ? [asked] : [asked, pushed] })
  const spans =
    targets.traces &&
    new TracerProvider({
      resource,
      sampler: samplerOf(settings),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: spanExporter(targets.traces, meters),
          maxQueueSize,
          exportTimeoutMillis: targets.traces.timeoutMs,
          selfObsMeterProvider: meters,
        }),
      ],
    })
  const logs =
    targets.logs &&
    new LoggerProvider({
      resource,
      processors: [
        new BatchLogRecordProcessor({
          exporter: logExporter(targets.logs, meters),
          maxQueueSize,
          exportTimeoutMillis: targets.logs.timeoutMs,
          selfObsMeterProvider: meters,
        }),
      ],
    })
  const events = logs?.getLogger('weir', version)
  return {
    tracers: spans,
    sink: events && createCallEvents(events, settings.capturesContent, operationOf),
    logger: (log) => (events === undefined ? log : withExport(log, events, now)),
    collect: async () => (await asked.collect()).resourceMetrics,
    async close() {
      await within(Promise.allSettled([spans?.shutdown(), logs?.shutdown()]), CLOSE_MS)
      await within(
        meters.shutdown().catch(() => undefined),
        CLOSE_MS,
      )
    },
  }
}

const samplerOf = ({ ratio, isParentBased }: OtlpSettings): Sampler => {
  const root =
    ratio === 1 ? new AlwaysOnSampler() : ratio === 0 ? new AlwaysOffSampler() : new TraceIdRatioBasedSampler(ratio)
  return isParentBased ? new ParentBasedSampler({ root }) : root
}
