import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { guardrailReports, toolCharges } from '#calls/slots'
import type { BudgetCharge } from '#core/budgets'
import { NO_RECORDS } from '#core/local-stores'
import { definePlugin, t } from '#kit'
import { ADMIN_KEY, API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { type MockServer, startMockServer } from '../../providers/mock/server.ts'

const PROVIDER_KEY = 'sk-provider-secret-0123456789'
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'

const exporter = new InMemorySpanExporter()
let gateway: TestGateway
/** Stands for OpenAI, and keeps what arrived. */
let upstream: MockServer

beforeAll(async () => {
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
  upstream = await startMockServer()
  gateway = await startTestGateway({
    config: { plugins: ['defaults', 'mock', { openai: { baseURL: `${upstream.url}/v1` } }] },
  })
})
afterEach(() => {
  exporter.reset()
  gateway.records.length = 0
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
  trace.disable()
})

const chat = async (body: Record<string, unknown> = {}, headers: Record<string, string> = {}) => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'x-gateway-api-key': API_KEY,
      authorization: `Bearer ${PROVIDER_KEY}`,
      'x-gateway-provider': 'openai',
      ...headers,
    },
    body: JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'a private question' }], ...body }),
  })
  const text = await response.text()
  const id = response.headers.get('x-gateway-request-id')
  return { response, text, record: await gateway.record((record) => record.id === id) }
}

/** The two spans of the one call that was made. */
const spans = (): { readonly server: ReadableSpan; readonly client: ReadableSpan | undefined } => {
  const all = exporter.getFinishedSpans()
  const server = all.find(({ kind }) => kind === SpanKind.SERVER)
  if (server === undefined) throw new Error('no server span')
  expect(all.length).toBeLessThanOrEqual(2)
  return { server, client: all.find(({ kind }) => kind === SpanKind.CLIENT) }
}

test('what a call spent counts while guardrails still report, and is taken in with its record', async () => {
  const charges: readonly BudgetCharge[] = [
    { budgetId: 'b', type: 'tokens', group: '{}', label: '{}', startMs: 0, amount: 7 },
  ]
  const report = Promise.withResolvers<void>()
  const told: string[] = []
  const ended = Promise.withResolvers<void>()
  const late = definePlugin({
    name: 'late',
    config: t.Object({}),
    placement: { after: 'guardrails' },
    setup: () => ({
      stages: [
        {
          name: 'late',
          run(call, next) {
            call.set(toolCharges, () => charges)
            call.set(guardrailReports, { before: [], after: [], pending: report.promise })
            return next()
          },
        },
      ],
    }),
  })
  const recording = await startTestGateway({
    config: { plugins: ['defaults', 'late', { openai: { baseURL: `${upstream.url}/v1` } }] },
    plugins: [late],
    deps: {
      records: {
        ...NO_RECORDS,
        announce(_, announced) {
          told.push(`announced ${announced[0]?.amount}`)
          return () => void told.push('ended')
        },
        close([record]) {
          told.push(`closed ${record?.charges?.[0]?.amount}`)
          ended.resolve()
        },
      },
    },
  })
  const response = await fetch(`${recording.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, authorization: `Bearer ${PROVIDER_KEY}`, 'x-gateway-provider': 'openai' },
    body: JSON.stringify({ model: 'mock', messages: [{ role: 'user', content: 'hello' }] }),
  })
  await response.text()
  expect(told).toEqual(['announced 7'])
  report.resolve()
  await ended.promise
  expect(told).toEqual(['announced 7', 'ended', 'closed 7'])
  await recording.close()
})

describe('spans', () => {
  test('name the guardrails that failed, and nothing that they have seen', async () => {
    const words = { 'default.contains': { words: ['private'], operator: 'none' } }
    const config = { provider: 'openai', input_guardrails: [{ ...words, id: 'no-words' }, { 'default.wordCount': {} }] }
    const { response, record } = await chat({}, { 'x-gateway-config': JSON.stringify(config) })
    expect(response.status).toBe(246)
    const { server } = spans()
    expect(server.attributes['weir.guardrail.failed']).toEqual(['no-words'])
    expect(record.failed_guardrails).toEqual(['no-words'])
    for (const told of [server.attributes, record]) expect(JSON.stringify(told)).not.toContain('private')
  })

  test('one of the server and, inside it, one of the provider call, with the usage of the answer', async () => {
    await chat()
    const { server, client } = spans()
    expect(server.name).toBe('POST /v1/chat/completions')
    expect(server.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'url.path': '/v1/chat/completions',
      'http.response.status_code': 200,
    })
    expect(client?.name).toBe('chat mock')
    expect(client?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'mock',
      'server.address': '127.0.0.1',
      'server.port': upstream.port,
      'http.response.status_code': 200,
    })
    expect(client?.attributes['gen_ai.usage.input_tokens']).toBeGreaterThan(0)
    expect(client?.attributes['gen_ai.usage.output_tokens']).toBeGreaterThan(0)
    expect(client?.attributes).not.toHaveProperty('gen_ai.request.stream')
    expect(client?.parentSpanContext?.spanId).toBe(server.spanContext().spanId)
    expect([server.status.code, client?.status.code]).toEqual([SpanStatusCode.UNSET, SpanStatusCode.UNSET])
  })

  test('the caller’s traceparent is the parent, and the provider gets the client span as its own', async () => {
    const { record } = await chat({}, { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` })
    const { server, client } = spans()
    expect(server.spanContext().traceId).toBe(TRACE_ID)
    expect(server.parentSpanContext).toMatchObject({ traceId: TRACE_ID, spanId: SPAN_ID, isRemote: true })
    const sent = upstream.requests.at(-1)?.headers.get('traceparent')
    expect(sent).toBe(`00-${TRACE_ID}-${client?.spanContext().spanId}-01`)
    expect(record).toMatchObject({ trace_id: TRACE_ID, parent_span_id: SPAN_ID })
  })

  test.each(['', 'nonsense', `00-${'0'.repeat(32)}-${SPAN_ID}-01`])(
    "a traceparent of '%s' begins a new trace",
    async (traceparent) => {
      await chat({}, { traceparent })
      const { server } = spans()
      expect(server.spanContext().traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/)
      expect(server.parentSpanContext?.spanId).toBeUndefined()
    },
  )

  test('a stream is covered to its last byte', async () => {
    await chat({ stream: true })
    const { client, server } = spans()
    expect(client?.attributes['gen_ai.request.stream']).toBe(true)
    expect(client?.attributes['gen_ai.usage.output_tokens']).toBeGreaterThan(0)
    expect(server.attributes['http.response.status_code']).toBe(200)
  })

  test('an error of the provider fails the client span; a 4xx leaves the server span alone', async () => {
    await chat({}, { 'x-gateway-config': '{"override_params":{"mock":{"fault":"rate-limited"}}}' })
    const { server, client } = spans()
    expect(client?.attributes).toMatchObject({ 'http.response.status_code': 429, 'error.type': 'upstream_error' })
    expect(client?.status.code).toBe(SpanStatusCode.ERROR)
    expect(server.attributes['http.response.status_code']).toBe(429)
    expect(server.attributes).not.toHaveProperty('error.type')
    expect(server.status.code).toBe(SpanStatusCode.UNSET)
  })

  test('a 5xx fails both', async () => {
    await chat({}, { 'x-gateway-config': '{"override_params":{"mock":{"fault":"html-error"}}}' })
    const { server, client } = spans()
    for (const span of [server, client]) {
      expect(span?.attributes['error.type']).toBe('upstream_error')
      expect(span?.status.code).toBe(SpanStatusCode.ERROR)
    }
  })

  test('a refused call has a server span alone', async () => {
    await chat({}, { 'x-gateway-api-key': ADMIN_KEY })
    const { server, client } = spans()
    expect(server.attributes['http.response.status_code']).toBe(403)
    expect(client).toBeUndefined()
  })
})

describe('the line of a call', () => {
  test('says who, where, what and how long', async () => {
    const { record, response } = await chat(
      {},
      { 'x-gateway-trace-id': 'trace-1', 'x-gateway-span-name': 'step', 'x-gateway-metadata': '{"team":"a"}' },
    )
    expect(record).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      type: 'call',
      id: response.headers.get('x-gateway-request-id'),
      trace_id: 'trace-1',
      span_name: 'step',
      method: 'POST',
      route: '/v1/chat/completions',
      endpoint: 'chat',
      status: 200,
      outcome: 'completed',
      organisation_id: 'organisation-1',
      workspace_id: 'workspace-1',
      api_key_id: 'key-workspace-service',
      provider: 'openai',
      model: 'mock',
      stream: false,
      metadata: { team: 'a' },
      usage: expect.objectContaining({ input_tokens: expect.any(Number), output_tokens: expect.any(Number) }),
      unpriced: true,
      total_ms: expect.any(Number),
      first_byte_ms: expect.any(Number),
    })
  })

  test('of a failed call names the error', async () => {
    const { record } = await chat({ messages: 'none' })
    expect(record).toMatchObject({
      status: 400,
      outcome: 'failed',
      provider: 'openai',
      error: { code: 'invalid_request', message: '`messages` must be an array with at least one message.' },
    })
    expect(record).not.toHaveProperty('first_byte_ms', expect.any(Number))
  })

  test('of a refused call names no caller', async () => {
    const { record } = await chat({}, { 'x-gateway-api-key': 'unknown-key-0123456789' })
    expect(record).toMatchObject({ status: 401, outcome: 'failed', error: { code: 'invalid_api_key' } })
    expect([record.api_key_id, record.workspace_id, record.provider]).toEqual([undefined, undefined, undefined])
  })

  test('neither it nor the spans hold a key, a question or an answer', async () => {
    const { text } = await chat()
    await chat({ stream: true })
    await chat({}, { 'x-gateway-config': '{"override_params":{"mock":{"fault":"rate-limited"}}}' })
    expect(text).toContain('a private question')
    const said = JSON.stringify([
      gateway.records,
      gateway.lines,
      exporter.getFinishedSpans().map(({ name, attributes, status, events }) => ({ name, attributes, status, events })),
    ])
    expect(gateway.records).toHaveLength(3)
    for (const secret of [API_KEY, PROVIDER_KEY, 'a private question', 'Mock answer'])
      expect(said).not.toContain(secret)
  })

  test('is not written when the operator does not want it, while spans still are', async () => {
    const quiet = await startTestGateway({ config: { plugins: ['defaults', 'mock', { logging: { calls: false } }] } })
    try {
      const response = await fetch(`${quiet.url}/v1/models`, { headers: { 'x-gateway-api-key': API_KEY } })
      await response.text()
      expect(quiet.records).toEqual([])
      expect(spans().server.name).toBe('GET /v1/models')
    } finally {
      await quiet.close()
    }
  })
})
