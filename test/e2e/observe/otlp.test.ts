import { afterEach, describe, expect, test } from 'bun:test'
import { openObserve } from '../../../src/compose/observe.ts'
import type { Logger } from '../../../src/core/ports.ts'
import type { CallRecord, RecordedMessage } from '../../../src/core/records.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { API_KEY, startTestGateway } from '../../support/gateway.ts'
import { sampleRecords } from '../../support/records/samples.ts'
import { startCollector, type TestCollector } from './collector.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const silent: Logger = { info: () => undefined, warn: () => undefined, error: () => undefined }

const start = async (env: Record<string, string> = {}, status?: () => number) => {
  const collector: TestCollector = startCollector(status)
  closing.push(() => collector.close())
  const observe = await openObserve({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', ...env },
    clock: systemClock,
    log: silent,
    operationOf: (endpoint) => endpoint,
  })
  let closed: Promise<void> | undefined
  const close = (): Promise<void> => {
    closed ??= observe.close()
    return closed
  }
  closing.push(close)
  return { collector, observe, close }
}

/** A call over a gateway whose spans go to the collector. */
const call = async (observe: Awaited<ReturnType<typeof start>>['observe'], headers: Record<string, string> = {}) => {
  const gateway = await startTestGateway({ deps: { tracing: observe.tracing, metrics: observe.registry } })
  try {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'mock', ...headers },
      body: JSON.stringify({
        model: 'mock',
        messages: [{ role: 'user', content: 'a private question' }],
        temperature: 0.5,
        max_tokens: 100,
      }),
    })
    expect(response.status).toBe(200)
    await response.text()
  } finally {
    await gateway.close()
  }
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

const attributesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: readonly Attribute[]
}

const spansOf = (collector: TestCollector): readonly Span[] =>
  (collector.json('/v1/traces') as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }[]).flatMap(
    ({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  )

interface Metric {
  readonly name: string
  readonly unit: string
  readonly histogram?: { readonly dataPoints: readonly { readonly attributes: readonly Attribute[] }[] }
  readonly sum?: {
    readonly dataPoints: readonly { readonly attributes: readonly Attribute[]; readonly asDouble: number }[]
  }
}

const metricsOf = (collector: TestCollector): readonly Metric[] =>
  (collector.json('/v1/metrics') as { resourceMetrics: { scopeMetrics: { metrics: Metric[] }[] }[] }[]).flatMap(
    ({ resourceMetrics }) =>
      resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)),
  )

interface Event {
  readonly eventName?: string
  readonly severityText?: string
  readonly body?: { readonly stringValue?: string }
  readonly attributes: readonly Attribute[]
}

const eventsOf = (collector: TestCollector): readonly Event[] =>
  (collector.json('/v1/logs') as { resourceLogs: { scopeLogs: { logRecords: Event[] }[] }[] }[]).flatMap(
    ({ resourceLogs }) => resourceLogs.flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords)),
  )

const [sample] = sampleRecords(1)
if (sample === undefined) throw new Error('there is no sample')
const record: CallRecord = {
  ...sample,
  kind: 'call',
  attempt: 0,
  attempts: 1,
  endpoint: 'chat',
  provider: 'vertex-ai',
  model: 'gemini-3',
  success: true,
  status: 200,
  stream: true,
  inputTokens: 10,
  outputTokens: 20,
  upstreamUs: 500_000,
  firstByteUs: 100_000,
}

describe('traces', () => {
  test('a server span and inside it that of the provider, with the attributes of the conventions', async () => {
    const { collector, observe, close } = await start()
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    await call(observe, { traceparent: `00-${traceId}-b7ad6b7169203331-01` })
    await close()
    const [client, server] = spansOf(collector).toSorted((one, other) => (one.name < other.name ? 1 : -1))
    expect([server?.name, client?.name]).toEqual(['POST /v1/chat/completions', 'chat mock'])
    expect([server?.traceId, client?.traceId, server?.parentSpanId, client?.parentSpanId]).toEqual([
      traceId,
      traceId,
      'b7ad6b7169203331',
      server?.spanId,
    ])
    expect(attributesOf(client?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'mock',
      'gen_ai.request.model': 'mock',
      'gen_ai.response.model': 'mock',
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 100,
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'server.address': '127.0.0.1',
    })
    expect(JSON.stringify(collector.json('/v1/traces'))).not.toContain('a private question')
  })

  test('a parent that is not sampled is not sent, nor is anything by a ratio of 0', async () => {
    const { collector, observe, close } = await start()
    await call(observe, { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' })
    await close()
    expect(spansOf(collector)).toEqual([])
    const never = await start({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' })
    await call(never.observe)
    await never.close()
    expect(spansOf(never.collector)).toEqual([])
  })
})

describe('metrics', () => {
  test('token and duration metrics of the conventions, and our own', async () => {
    const { collector, observe, close } = await start()
    for (const sink of observe.sinks) await sink.write([record])
    await close()
    const metrics = metricsOf(collector)
    const pointsOf = (name: string) =>
      metrics
        .find((metric) => metric.name === name)
        ?.histogram?.dataPoints.map(({ attributes }) => attributesOf(attributes))
    const labels = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.vertex_ai',
      'gen_ai.request.model': 'gemini-3',
    }
    expect(pointsOf('gen_ai.client.operation.duration')).toEqual([{ ...labels, 'error.type': '' }])
    expect(pointsOf('gen_ai.client.operation.time_to_first_chunk')).toEqual([labels])
    expect(pointsOf('gen_ai.client.token.usage')).toEqual([
      { ...labels, 'gen_ai.token.type': 'input' },
      { ...labels, 'gen_ai.token.type': 'output' },
    ])
    expect(metrics.find(({ name }) => name === 'weir.calls')?.sum?.dataPoints).toHaveLength(1)
    expect(metrics.find(({ name }) => name === 'gen_ai.client.token.usage')?.unit).toBe('{token}')
  })
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('logs', () => {
  const messages = new Map<string, readonly RecordedMessage[]>([
    [
      record.id,
      [
        { side: 'request', headers: {}, body: bytes('{"messages":[{"role":"user","content":"a private question"}]}') },
        {
          side: 'answer',
          headers: {},
          body: bytes('{"choices":[{"message":{"role":"assistant","content":"an answer"},"finish_reason":"stop"}]}'),
        },
      ],
    ],
  ])

  test('an event for each call, without what was said', async () => {
    const { collector, observe, close } = await start()
    observe.log.warn('the disk is nearly full', { free: 12, where: { folder: 'x' } })
    for (const sink of observe.sinks) await sink.write([record, { ...record, kind: 'attempt' }], messages)
    await close()
    const events = eventsOf(collector)
    expect(events).toHaveLength(2)
    const [line, event] = events
    expect(line).toMatchObject({ severityText: 'WARN', body: { stringValue: 'the disk is nearly full' } })
    expect(attributesOf(line?.attributes ?? [])).toMatchObject({ where: '{"folder":"x"}' })
    expect(event?.eventName).toBe('gen_ai.client.inference.operation.details')
    expect(attributesOf(event?.attributes ?? [])).toMatchObject({
      'gen_ai.provider.name': 'gcp.vertex_ai',
      'gen_ai.response.model': 'gemini-3',
      'weir.call.id': record.id,
      'weir.workspace.id': record.workspaceId,
    })
    expect(JSON.stringify(events)).not.toContain('private')
  })

  test('with it, where the operator asks for that', async () => {
    const { collector, observe, close } = await start({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' })
    expect(observe.sinks.map(({ name, takesMessages }) => [name, takesMessages])).toEqual([
      ['metrics', undefined],
      ['otlp', true],
    ])
    for (const sink of observe.sinks) await sink.write([record], messages)
    await close()
    const attributes = attributesOf(eventsOf(collector)[0]?.attributes ?? [])
    expect(JSON.parse(String(attributes['gen_ai.input.messages']))).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'a private question' }] },
    ])
    expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toEqual([
      { role: 'assistant', parts: [{ type: 'text', content: 'an answer' }], finish_reason: 'stop' },
    ])
  })
})

describe('on the wire', () => {
  test('protobuf, packed, with the headers that were asked for', async () => {
    const { collector, observe, close } = await start({
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key',
      OTEL_SERVICE_NAME: 'gateway-7',
    })
    await call(observe)
    for (const sink of observe.sinks) await sink.write([record])
    await close()
    for (const path of ['/v1/traces', '/v1/metrics', '/v1/logs']) {
      const requests = collector.received.filter((each) => each.path === path)
      expect(requests.length).toBeGreaterThan(0)
      for (const { headers } of requests) {
        expect(headers.get('content-type')).toBe('application/x-protobuf')
        expect(headers.get('content-encoding')).toBe('gzip')
        expect(headers.get('authorization')).toBe('Bearer collector-key')
      }
      expect(collector.texts(path)).toContain('gateway-7')
    }
    expect(collector.texts('/v1/traces')).toContain('gen_ai.request.model')
    expect(collector.texts('/v1/metrics')).toContain('gen_ai.client.token.usage')
    expect(collector.texts('/v1/logs')).toContain('gen_ai.client.inference.operation.details')
  })

  test('what finds no room in the queue is counted, and a collector that is away holds nobody up', async () => {
    const { observe, close } = await start(
      { OTEL_BSP_MAX_QUEUE_SIZE: '10', OTEL_EXPORTER_OTLP_TIMEOUT: '200' },
      () => 503,
    )
    for (const sink of observe.sinks) await sink.write(Array.from({ length: 50 }, () => record))
    const { text } = await observe.metrics()
    expect(text).toMatch(/^otel_sdk_processor_log_processed_total\{.*error_type="queue_full".*\} 30$/m)
    const startedMs = performance.now()
    await close()
    expect(performance.now() - startedMs).toBeLessThan(11_000)
  })
})
