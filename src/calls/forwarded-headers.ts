import type { Call } from '../core/call.ts'
import { HOP_BY_HOP } from '../core/header-fields.ts'
import { gatewayHeaders, type Target } from '../kit/slots.ts'
import { setPassedHeaders } from './passed-headers.ts'
import { callerKeys } from './slots.ts'

/** About one connection or one body, or about who stands between the client and the gateway. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'host',
  'content-length',
  'accept-encoding',
  'expect',
  'cookie',
  'forwarded',
  'via',
  'x-real-ip',
  // Some servers take these for the request line, which was checked without them.
  'x-original-url',
  'x-rewrite-url',
  'x-http-method',
  'x-http-method-override',
  'x-method-override',
  'traceparent',
  'tracestate',
  'baggage',
])

/** Where clients carry keys: the provider gets one key, in its own way. */
const CREDENTIALS: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'])

/** The client's own headers, without those of the gateway, of the connection, and all that could be a key. */
export const forwardedHeaders = (call: Call, target: Target): Headers => {
  const { provider, headers: stored } = target
  const client = call.request.headers
  const named = call.get(gatewayHeaders)
  const keys = call.get(callerKeys)
  const ofConnection = (client.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase())
  const headers = new Headers()
  for (const [name, value] of client) {
    const isLeftOut =
      NOT_PASSED_ON.has(name) ||
      CREDENTIALS.has(name) ||
      name === provider.keyHeader ||
      name.startsWith('x-forwarded-') ||
      name.startsWith('sec-websocket-') ||
      ofConnection.includes(name) ||
      named.owns(name) ||
      keys.isGatewayKey(value)
    if (!isLeftOut) headers.append(name, value)
  }
  setPassedHeaders(target, named, client, (name, value) => headers.set(name, value))
  for (const [name, value] of Object.entries(stored ?? {})) {
    if (!named.owns(name.toLowerCase())) headers.set(name, value)
  }
  return headers
}
