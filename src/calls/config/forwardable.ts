/** Headers that carry keys or the gateway's own words: a call cannot ask to have them passed on. */
const NEVER_FORWARDED = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'host',
  'connection',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'accept-encoding',
  'expect',
  'upgrade',
  'te',
  'trailer',
])

/** Whether a header of the client may go to a provider as it is. */
export const isForwardable = (name: string): boolean => {
  const lower = name.toLowerCase()
  return (
    !NEVER_FORWARDED.has(lower) &&
    !lower.startsWith('x-gateway-') &&
    !lower.startsWith('sec-websocket-') &&
    /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(lower)
  )
}
