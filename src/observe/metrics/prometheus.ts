import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import type { ResourceMetrics } from '@opentelemetry/sdk-metrics'

/** Content type of the text (Prometheus exposition formats, 0.0.4). */
export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const serializer = new PrometheusSerializer('', false, undefined, false, true)

/** The numbers as text that Prometheus reads. */
export const toPrometheus = (metrics: ResourceMetrics): string => serializer.serialize(metrics)
