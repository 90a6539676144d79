import { isIP } from 'node:net'
import { unmappedAddress } from '../core/unmapped-address.ts'

/** Addresses of the proxies in front of this gateway. */
export interface ProxyAddresses {
  has(address: string): boolean
}

/** Which headers tell what a proxy knows: `x-forwarded-for` and `x-forwarded-proto`, or `forwarded` (RFC 7239). */
export type ForwardedHeaders = 'x-forwarded' | 'forwarded'

/** How somebody has reached this gateway. */
export interface Arrival {
  /** Network address of the client; absent where nothing tells it. */
  readonly address: string | undefined
  /** Where the client has called, without a path. */
  readonly origin: string
}

/** What one proxy says of the one who called it. */
interface Hop {
  readonly address: string | undefined
  readonly protocol: string | undefined
}

/**
 * Reads how a request has arrived. What its headers say is believed of trusted proxies alone: from the last one back to the first
 * address that is none of theirs, which is the client. What stands further to the left was written by anybody.
 * @param peer address at the other end of the connection
 */
export const arrivalOf = (
  { url, headers }: Pick<Request, 'url' | 'headers'>,
  peer: string | undefined,
  proxies: ProxyAddresses,
  told: ForwardedHeaders,
): Arrival => {
  const { origin } = new URL(url)
  let address = peer === undefined ? undefined : unmappedAddress(peer)
  if (address === undefined || !proxies.has(address)) return { address, origin }
  let protocol: string | undefined
  for (const hop of hopsOf(headers, told).toReversed()) {
    protocol = hop.protocol ?? protocol
    // A proxy that does not say who called it is all that is known.
    if (hop.address === undefined) break
    address = hop.address
    if (!proxies.has(address)) break
  }
  return { address, origin: protocol === 'https' ? origin.replace(/^http:/, 'https:') : origin }
}

/** In the order in which they were called. */
const hopsOf = (headers: Headers, told: ForwardedHeaders): readonly Hop[] => {
  if (told === 'forwarded') return listOf(headers.get('forwarded')).map(elementOf)
  const protocols = listOf(headers.get('x-forwarded-proto')).map((text) => text.toLowerCase())
  const addresses = listOf(headers.get('x-forwarded-for'))
  if (addresses.length === 0) return [{ address: undefined, protocol: protocols.at(-1) }]
  // Each proxy adds to both, or the last one that knows it says the protocol once for all.
  return addresses.map((text, index) => ({
    address: addressOf(text),
    protocol: protocols[index + protocols.length - addresses.length],
  }))
}

const MAX_HOPS = 100

/** The last ones: those on the left are nobody's word. */
const listOf = (text: string | null): readonly string[] =>
  text === null || text.trim() === ''
    ? []
    : text
        .split(',')
        .slice(-MAX_HOPS)
        .map((part) => part.trim())

/** One element of `forwarded`: pairs with semicolons between. */
const elementOf = (element: string): Hop => {
  const pairs = new Map(
    element.split(';').map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=')
      return [
        name.trim().toLowerCase(),
        value
          .join('=')
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      ]
    }),
  )
  return { address: addressOf(pairs.get('for') ?? ''), protocol: pairs.get('proto')?.toLowerCase() }
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`; undefined for names and for what is hidden. */
const addressOf = (text: string): string | undefined => {
  const bare = /^\[([0-9a-f:.]+)\](?::\d+)?$/i.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text
  return isIP(bare) === 0 ? undefined : unmappedAddress(bare)
}
