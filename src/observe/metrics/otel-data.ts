import { type HrTime, ValueType } from '@opentelemetry/api'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
  type MetricProducer,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics'
import type { Family, MetricRegistry } from './registry.ts'

/** Who the numbers are about, in the words of OpenTelemetry. */
export type ResourceAttributes = Readonly<Record<string, string>>

export interface OtelDataOptions {
  readonly registry: MetricRegistry
  readonly version: string
  readonly resource: ResourceAttributes
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The numbers of a registry as OpenTelemetry's packages take them: sums since the start, which they export or write as text. */
export const createOtelData = ({ registry, version, resource, now }: OtelDataOptions) => {
  const startTime = hrTime(now())
  const about = resourceFromAttributes({ ...resource })
  const collect = (families: readonly Family[] = registry.collect()): ResourceMetrics => {
    const endTime = hrTime(now())
    const metrics = families.map((family) => toMetricData(family, startTime, endTime))
    return { resource: about, scopeMetrics: [{ scope: { name: 'weir', version }, metrics }] }
  }
  const producer: MetricProducer = {
    collect: async (): Promise<CollectionResult> => ({ resourceMetrics: collect(), errors: [] }),
  }
  return { collect, producer, resource: about }
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

const toMetricData = (family: Family, startTime: HrTime, endTime: HrTime): MetricData => {
  const { info } = family
  const base = {
    descriptor: { ...info, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (family.kind === 'histogram') {
    return {
      ...base,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: family.points.map(({ labels, value: { bounds, counts, sum, count } }) => ({
        startTime,
        endTime,
        attributes: labels,
        value: { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count },
      })),
    }
  }
  const dataPoints = family.points.map(({ labels, value }) => ({ startTime, endTime, attributes: labels, value }))
  return family.kind === 'gauge'
    ? { ...base, dataPointType: DataPointType.GAUGE, dataPoints }
    : { ...base, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
}
