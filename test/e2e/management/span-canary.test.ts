import { afterAll, beforeAll, expect, test } from 'bun:test'
import { trace } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { StoredProvider } from '../../../src/kit/plugin.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'

const SECRETS = 100
const secretOf = (index: number): string => `sk-canary-span-${index}-0123456789abcdef`
const headerOf = (index: number): string => `header-canary-span-${index}-0123456789`

const exporter = new InMemorySpanExporter()
let gateway: TestGateway

/** Stored providers `@s0` to `@s99`, each with a key and a secret header of its own. */
const stored = (slug: string): StoredProvider | undefined => {
  const index = Number(/^s([0-9]+)$/.exec(slug)?.[1] ?? Number.NaN)
  if (!Number.isInteger(index)) return undefined
  return {
    slug,
    providerId: 'mock',
    apiKey: secretOf(index),
    allows: () => true,
    forModel: () => ({ settings: {}, headers: { 'x-secret': headerOf(index) } }),
  }
}

beforeAll(async () => {
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
  gateway = await startTestGateway({
    deps: { stored: { find: (_workspaceId, slug) => stored(slug), models: () => [] } },
  })
})
afterAll(async () => {
  await gateway.close()
  trace.disable()
})

/** Attribute values, events and statuses of a span, as one text. */
const wordsOf = (): string =>
  JSON.stringify(
    exporter.getFinishedSpans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
  )

test('no span of a call holds a stored secret, whether it succeeds, fails, or repeats what it was sent', async () => {
  const answers = await Promise.all(
    Array.from({ length: SECRETS }, async (_, index) => {
      const fault = ['', ':fault=error-in-200', ':fault=status,status=401', ':fault=reset'][index % 4]
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${API_KEY}` },
        body: JSON.stringify({ model: `@s${index}/mock${fault}`, messages: [{ role: 'user', content: 'Hello' }] }),
      })
      return response.text()
    }),
  )
  const words = wordsOf()
  expect(exporter.getFinishedSpans().length).toBeGreaterThanOrEqual(2 * SECRETS)
  expect(words).toContain('gen_ai.request.model')
  for (const text of [words, ...answers, JSON.stringify(gateway.records), JSON.stringify(gateway.lines)]) {
    expect(text).not.toContain('sk-canary-span')
    expect(text).not.toContain('header-canary-span')
    expect(text).not.toContain(API_KEY)
  }
})
