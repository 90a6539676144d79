import { afterEach, describe, expect, test } from 'bun:test'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AlwaysOffSampler, InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { SpanHandle, SpanStart, Tracing } from '../core/ports.ts'
import { createTracing } from './trace.ts'

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const exporter = new InMemorySpanExporter()

const withSdk = (options: ConstructorParameters<typeof TracerProvider>[0] = {}) => {
  trace.setGlobalTracerProvider(
    new TracerProvider({ ...options, spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  )
  return createTracing('1.2.3')
}

/** @throws Error when no tracer is installed */
const startWith = (tracing: Tracing, start: SpanStart, parent?: SpanHandle): SpanHandle => {
  const span = tracing.start(() => start, parent)
  if (span === undefined) throw new Error('There is no span')
  return span
}

afterEach(() => {
  trace.disable()
  exporter.reset()
})

describe('without an SDK', () => {
  test('nothing is put together, and there is no span', () => {
    const tracing = createTracing('1.2.3')
    let described = 0
    const span = tracing.start(() => {
      described++
      return { name: 'a', kind: 'server' }
    })
    expect(span).toBeUndefined()
    expect(described).toBe(0)
  })

  test('one that is registered later is found', () => {
    const tracing = createTracing('1.2.3')
    tracing.start(() => ({ name: 'early', kind: 'server' }))?.end()
    withSdk()
    tracing.start(() => ({ name: 'late', kind: 'server' }))?.end()
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['late'])
  })
})

describe('with an SDK', () => {
  test('a span has its name, kind, attributes and the version of its maker', () => {
    const tracing = withSdk()
    const span = startWith(tracing, { name: 'chat m', kind: 'client', attributes: { a: 'x', b: 2, c: true } })
    span.set({ d: ['p', 'q'] })
    span.end()
    const [made] = exporter.getFinishedSpans()
    expect(made).toMatchObject({
      name: 'chat m',
      kind: SpanKind.CLIENT,
      attributes: { a: 'x', b: 2, c: true, d: ['p', 'q'] },
    })
    expect(made?.instrumentationScope).toMatchObject({ name: 'weir', version: '1.2.3' })
  })

  test('the parent is the span given, else the traceparent, else none', () => {
    const tracing = withSdk()
    const outer = startWith(tracing, { name: 'outer', kind: 'server', traceparent: PARENT })
    const inner = startWith(
      tracing,
      { name: 'inner', kind: 'client', traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01` },
      outer,
    )
    const alone = startWith(tracing, { name: 'alone', kind: 'server' })
    for (const span of [inner, outer, alone]) span.end()
    const [innerSpan, outerSpan, aloneSpan] = exporter.getFinishedSpans()
    expect(outerSpan?.parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true })
    expect(innerSpan?.parentSpanContext?.spanId).toBe(outerSpan?.spanContext().spanId ?? '')
    expect(innerSpan?.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c')
    expect(aloneSpan?.parentSpanContext).toBeUndefined()
  })

  test('traceparent names the span itself and whether it is sampled', () => {
    const tracing = withSdk()
    const span = startWith(tracing, { name: 'a', kind: 'client', traceparent: PARENT })
    expect(tracing.traceparent(span)).toMatch(
      /^00-0af7651916cd43dd8448eb211c80319c-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/,
    )
    trace.disable()
    const unsampled = withSdk({ sampler: new AlwaysOffSampler() })
    const dropped = startWith(unsampled, { name: 'b', kind: 'client' })
    expect(unsampled.traceparent(dropped)).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  })

  test('a failed span has its type and an error status', () => {
    const tracing = withSdk()
    const span = startWith(tracing, { name: 'a', kind: 'client' })
    span.fail('idle_timeout', 'The provider fell silent.')
    span.end()
    const [made] = exporter.getFinishedSpans()
    expect(made?.attributes).toEqual({ 'error.type': 'idle_timeout' })
    expect(made?.status).toEqual({ code: SpanStatusCode.ERROR, message: 'The provider fell silent.' })
  })
})
