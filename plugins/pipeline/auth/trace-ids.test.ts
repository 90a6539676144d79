import { expect, test } from 'bun:test'
import { RequestGatewayHeaders } from './gateway-headers.ts'
import { readTraceIds } from './trace-ids.ts'

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c'
const SPAN_ID = 'b7ad6b7169203331'

const read = (fields: Record<string, string>) => {
  return readTraceIds(new Headers(fields), new RequestGatewayHeaders(fields, []), () => 'made-here')
}

test('without any a trace id is made', () => {
  expect(read({})).toEqual({ traceId: 'made-here' })
})

test('traceparent gives the trace and the parent span', () => {
  expect(read({ traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` })).toEqual({ traceId: TRACE_ID, parentSpanId: SPAN_ID })
})

test.each(['', '00', `00-${TRACE_ID}`, `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`, `00-${TRACE_ID}-short-01`])(
  "a traceparent of '%s' counts as none",
  (traceparent) => expect(read({ traceparent })).toEqual({ traceId: 'made-here' }),
)

test('headers of the gateway win over traceparent, each for itself', () => {
  const traceparent = `00-${TRACE_ID}-${SPAN_ID}-01`
  expect(read({ traceparent, 'x-gateway-trace-id': 'mine' })).toEqual({ traceId: 'mine', parentSpanId: SPAN_ID })
  expect(
    read({
      traceparent,
      'x-gateway-span-id': 'span',
      'x-gateway-parent-span-id': 'parent',
      'x-gateway-span-name': 'a step',
    }),
  ).toEqual({ traceId: TRACE_ID, spanId: 'span', parentSpanId: 'parent', spanName: 'a step' })
})

test('what is not printable is left out, what is long is cut, what is left empty counts as none', () => {
  expect(read({ 'x-gateway-trace-id': 'caf\u00e9\u0080\tid' }).traceId).toBe('cafid')
  expect(read({ 'x-gateway-trace-id': 'x'.repeat(1000) }).traceId).toHaveLength(256)
  expect(read({ 'x-gateway-trace-id': '\u00e9' }).traceId).toBe('made-here')
  expect(read({ 'x-gateway-trace-id': '' }).traceId).toBe('made-here')
})
