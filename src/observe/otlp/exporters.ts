import type { MeterProvider } from '@opentelemetry/api'
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base'
import { createOtlpHttpExportDelegate, httpAgentFactoryFromOptions } from '@opentelemetry/otlp-exporter-base/node-http'
import {
  JsonLogsSerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
  LogsExporterMetricsHelper,
  MetricsExporterMetricsHelper,
  ProtobufLogsSerializer,
  ProtobufMetricsSerializer,
  ProtobufTraceSerializer,
  TraceExporterMetricsHelper,
} from '@opentelemetry/otlp-transformer'
import type { LogRecordExporter } from '@opentelemetry/sdk-logs'
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { SignalTarget } from './settings.ts'

/** Requests that are under way at once; more fail, and what they carried is counted as lost. */
const CONCURRENT = 4

type DelegateOptions = Parameters<typeof createOtlpHttpExportDelegate>[0]

const optionsOf = ({ url, headers, encoding, compression, timeoutMs }: SignalTarget): DelegateOptions => ({
  url,
  headers: async () => ({ ...headers, 'content-type': `application/${encoding === 'json' ? 'json' : 'x-protobuf'}` }),
  compression,
  timeoutMillis: timeoutMs,
  concurrencyLimit: CONCURRENT,
  agentFactory: httpAgentFactoryFromOptions({ keepAlive: true }),
})

const kindOf = ({ encoding }: SignalTarget, signal: string): string =>
  `otlp_http_${encoding === 'json' ? 'json_' : ''}${signal}_exporter`

export const spanExporter = (target: SignalTarget, meters?: MeterProvider): SpanExporter =>
  new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      optionsOf(target),
      target.encoding === 'json' ? JsonTraceSerializer : ProtobufTraceSerializer,
      kindOf(target, 'span'),
      TraceExporterMetricsHelper,
      meters,
    ),
  )

export const logExporter = (target: SignalTarget, meters?: MeterProvider): LogRecordExporter =>
  new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      optionsOf(target),
      target.encoding === 'json' ? JsonLogsSerializer : ProtobufLogsSerializer,
      kindOf(target, 'log'),
      LogsExporterMetricsHelper,
      meters,
    ),
  )

export const metricExporter = (target: SignalTarget): PushMetricExporter =>
  new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      optionsOf(target),
      target.encoding === 'json' ? JsonMetricsSerializer : ProtobufMetricsSerializer,
      kindOf(target, 'metric'),
      MetricsExporterMetricsHelper,
      undefined,
    ),
  )
