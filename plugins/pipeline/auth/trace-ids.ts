import type { GatewayHeaders, TraceIds } from '#kit/slots'

/** W3C Trace Context, level 1: version, trace id, parent id, flags. */
const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/

/** Ids longer than this are cut: they go into every log line. */
const MAX_CHARACTERS = 256

/** Explicit gateway headers win over `traceparent`; without both the trace id is made here. */
export const readTraceIds = (headers: Headers, gatewayHeaders: GatewayHeaders, randomId: () => string): TraceIds => {
  const traceparent = headers.get('traceparent')
  const parent = traceparent === null ? null : TRACEPARENT.exec(traceparent)
  return {
    traceId: printable(gatewayHeaders.get('trace-id')) ?? parent?.[1] ?? randomId(),
    spanId: printable(gatewayHeaders.get('span-id')),
    parentSpanId: printable(gatewayHeaders.get('parent-span-id')) ?? parent?.[2],
    spanName: printable(gatewayHeaders.get('span-name')),
  }
}

/** The trace id is echoed in a header: only characters that are safe there are kept. */
const printable = (value: string | undefined): string | undefined => {
  const text = value?.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_CHARACTERS)
  return text === undefined || text === '' ? undefined : text
}
