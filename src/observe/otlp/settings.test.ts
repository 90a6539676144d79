import { describe, expect, test } from 'bun:test'
import { ConfigError } from '../../config/config-error.ts'
import { readOtlpSettings } from './settings.ts'

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/base/' }

describe('what is sent where', () => {
  test('without an endpoint, or switched off: nothing', () => {
    expect(readOtlpSettings({})).toBeUndefined()
    expect(readOtlpSettings({ ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined()
    const none = { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' }
    expect(readOtlpSettings({ ...ENDPOINT, ...none })).toBeUndefined()
  })

  test('an endpoint stands for all three, below its path', () => {
    const settings = readOtlpSettings(ENDPOINT)
    const target = { headers: {}, encoding: 'protobuf', compression: 'none', timeoutMs: 10_000 }
    expect(settings?.targets).toEqual({
      traces: { url: 'http://collector:4318/base/v1/traces', ...target },
      metrics: { url: 'http://collector:4318/base/v1/metrics', ...target },
      logs: { url: 'http://collector:4318/base/v1/logs', ...target },
    } as never)
    expect(settings).toMatchObject({ ratio: 1, isParentBased: true, capturesContent: false, maxQueue: 2_048 })
    expect(settings?.resource).toEqual({ 'service.name': 'weir' })
  })

  test('what is said of one kind of data wins, and its endpoint is whole', () => {
    const settings = readOtlpSettings({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a,x=1',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces/here',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x=2',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '500',
      OTEL_METRICS_EXPORTER: 'none',
    })
    expect(settings?.targets).toEqual({
      traces: {
        url: 'https://traces/here',
        headers: { authorization: 'Bearer a', x: '2' },
        encoding: 'json',
        compression: 'gzip',
        timeoutMs: 500,
      },
      logs: {
        url: 'http://collector:4318/base/v1/logs',
        headers: { authorization: 'Bearer a', x: '1' },
        encoding: 'protobuf',
        compression: 'gzip',
        timeoutMs: 10_000,
      },
    })
  })

  test('attributes, sampling and content as asked', () => {
    expect(
      readOtlpSettings({
        ...ENDPOINT,
        OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=prod',
        OTEL_SERVICE_NAME: 'gateway',
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0.25',
        OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true',
      }),
    ).toMatchObject({
      resource: { 'service.name': 'gateway', 'deployment.environment.name': 'prod' },
      ratio: 0.25,
      isParentBased: false,
      capturesContent: true,
    })
  })
})

test.each([
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector'],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_LOGS_PROTOCOL', 'grpc'],
  ['OTEL_EXPORTER_OTLP_COMPRESSION', 'brotli'],
  ['OTEL_EXPORTER_OTLP_TIMEOUT', '-1'],
  ['OTEL_EXPORTER_OTLP_HEADERS', 'no-pair'],
  ['OTEL_TRACES_EXPORTER', 'zipkin'],
  ['OTEL_TRACES_SAMPLER', 'sometimes'],
  ['OTEL_METRIC_EXPORT_INTERVAL', '1.5'],
])('%s: %s is refused by name', (variable, value) => {
  expect(() => readOtlpSettings({ ...ENDPOINT, [variable]: value })).toThrow(ConfigError)
  expect(() => readOtlpSettings({ ...ENDPOINT, [variable]: value })).toThrow(variable)
})

test('OTEL_TRACES_SAMPLER_ARG is a share', () => {
  const env = { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }
  expect(() => readOtlpSettings(env)).toThrow('OTEL_TRACES_SAMPLER_ARG')
})
