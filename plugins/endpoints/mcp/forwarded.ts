import type { McpHeaders, McpTarget } from '#core/mcp/servers'
import type { Call } from '#kit'
import { gatewayHeaders } from '#kit/slots'

/**
 * Headers that never go on from a client to a server, whatever an integration says (behaviours, section 10.3; and those that frame
 * a message or belong to the transport itself).
 */
const NEVER: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-gateway-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-access-token',
  'x-user-claims',
  'x-user-jwt',
  'proxy-authorization',
  'x-goog-api-key',
  'host',
  'origin',
  'content-length',
  'content-type',
  'content-encoding',
  'accept',
  'accept-encoding',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'mcp-session-id',
  'mcp-protocol-version',
  'last-event-id',
])

/** Headers of the client that the server gets too. */
export const forwardedHeaders = (call: Call, { forwarding }: McpTarget): McpHeaders => {
  if (forwarding === undefined) return []
  const { headers } = call.request
  const ours = call.get(gatewayHeaders)
  const isKept = (name: string): boolean => NEVER.has(name) || ours.owns(name)
  if (forwarding.mode === 'allowlist') {
    return forwarding.headers.flatMap(({ from, to }) => {
      const value = isKept(from) || isKept(to) ? null : headers.get(from)
      return value === null ? [] : [[to, value] as const]
    })
  }
  const left = new Set(forwarding.headers.map(({ from }) => from))
  const sent: (readonly [string, string])[] = []
  headers.forEach((value, name) => {
    if (!isKept(name) && !left.has(name)) sent.push([name, value])
  })
  return sent
}
