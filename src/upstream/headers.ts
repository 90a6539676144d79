/**
 * Headers that speak about one connection or about the framing of one body: never carried over to the other side
 * (RFC 9110, section 7.6.1). A `transfer-encoding` left on would also make the web framework decode a body as text.
 */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'content-encoding',
])

/** Headers about the provider's own site, which would mislead a client of ours. */
const PROVIDER_ONLY = new Set([
  'set-cookie',
  'server',
  'date',
  'alt-svc',
  'strict-transport-security',
  'via',
  'nel',
  'report-to',
])

const NOTHING: ReadonlySet<string> = new Set()

/** The headers of a provider's answer that may go on: no hop-by-hop ones, none that `Connection` names, no cookies. */
export const forwardableHeaders = (source: Headers): Headers => {
  const connection = source.get('connection')
  const named = connection === null ? NOTHING : new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
  const headers = new Headers()
  for (const [name, value] of source) {
    if (!HOP_BY_HOP.has(name) && !PROVIDER_ONLY.has(name) && !named.has(name)) headers.append(name, value)
  }
  return headers
}
