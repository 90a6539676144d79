import {
  type Context,
  context,
  isSpanContextValid,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'
import type { SpanHandle, SpanStart, Tracing } from '../core/ports.ts'

/** W3C Trace Context, level 1. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

/** What the API answers with while no SDK is registered. */
const NO_PROVIDER = new ProxyTracerProvider().getDelegate()

/** An SDK that would see the span. Without one not even its attributes are put together. */
const registered = (): TracerProvider | undefined => {
  const provider = trace.getTracerProvider()
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== NO_PROVIDER ? provider : undefined
}

/**
 * Spans through the OpenTelemetry API: without an SDK they cost next to nothing, with one they are exported.
 * @param tracers the gateway's own; absent: those that a plugin of the operator's registers (docs/operations.md)
 */
export const createTracing = (version: string, tracers?: TracerProvider): Tracing => {
  const spans = new WeakMap<SpanHandle, Span>()

  const parentContext = ({ traceparent }: SpanStart, parent: SpanHandle | undefined): Context => {
    const span = parent === undefined ? undefined : spans.get(parent)
    if (span !== undefined) return trace.setSpan(ROOT_CONTEXT, span)
    const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? []
    if (traceId === undefined || spanId === undefined || flags === undefined) return context.active()
    return trace.setSpanContext(ROOT_CONTEXT, {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags, 16),
      isRemote: true,
    })
  }

  return {
    start(describe, parent) {
      const provider = tracers ?? registered()
      if (provider === undefined) return undefined
      const start = describe()
      const span = provider
        .getTracer('weir', version)
        .startSpan(
          start.name,
          { kind: start.kind === 'server' ? SpanKind.SERVER : SpanKind.CLIENT, attributes: { ...start.attributes } },
          parentContext(start, parent),
        )
      const handle = handleOf(span)
      spans.set(handle, span)
      return handle
    },
    traceparent(handle) {
      const spanContext = spans.get(handle)?.spanContext()
      if (spanContext === undefined || !isSpanContextValid(spanContext)) return undefined
      const flags = (spanContext.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, '0')
      return `00-${spanContext.traceId}-${spanContext.spanId}-${flags}`
    },
  }
}

const handleOf = (span: Span): SpanHandle => ({
  set(attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      span.setAttribute(name, typeof value === 'object' ? [...value] : value)
    }
  },
  fail(type, message) {
    span.setAttribute('error.type', type)
    span.setStatus({ code: SpanStatusCode.ERROR, message })
  },
  end: () => span.end(),
})
