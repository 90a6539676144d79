import { trimSlashes } from '../core/trim-slashes.ts'
import { EgressRefused } from '../errors/gateway-error.ts'
import { isAddress, isPublicAddress } from './addresses.ts'
import type { Looking, Resolver } from './resolver.ts'
import type { TrustedHosts } from './trusted-hosts.ts'

/** A URL taken apart, ready to be dialled at an address that has been checked. */
export interface Destination {
  readonly secure: boolean
  /** Host of the URL, without brackets. */
  readonly hostname: string
  readonly port: number
  /** The `Host` header: with the port when it is not the scheme's own. */
  readonly authority: string
  readonly pathAndQuery: string
  /** The name to verify in TLS; absent when the URL holds an address. */
  readonly serverName?: string
  /** Whose calls alone may share its connections; absent for everybody's. */
  readonly owner?: string
  /** The address that the URL holds, as a list of one. */
  readonly literal?: readonly string[]
}

/** Control characters, spaces and backslashes: parsers disagree about them, so none is let through. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const AMBIGUOUS = /[\u0000-\u0020\u007f\\]/

/**
 * Takes an absolute URL apart.
 * @throws EgressRefused for any but plain http(s) without user info, fragment or ambiguous characters.
 */
export const parseDestination = (text: string): Destination => {
  if (AMBIGUOUS.test(text) || !URL.canParse(text)) throw refused('it is not a plain URL')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw refused('only http and https are allowed')
  if (url.username !== '' || url.password !== '' || (text.includes('@', 0) && authorityOf(text).includes('@'))) {
    throw refused('it holds user info')
  }
  if (text.includes('#')) throw refused('it holds a fragment')
  const secure = url.protocol === 'https:'
  const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  if (hostname === '') throw refused('it names no host')
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  return {
    secure,
    hostname,
    port,
    authority: url.host,
    pathAndQuery: `${url.pathname}${url.search}`,
    ...(isAddress(hostname) ? { literal: [hostname] } : { serverName: hostname }),
  }
}

/** The part between `//` and the next `/`, `?` or `#`. */
const authorityOf = (text: string): string => /^[a-z]+:\/\/([^/?#]*)/i.exec(text)?.[1] ?? ''

/** Names that only ever mean something inside a network. */
const INTERNAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|localdomain)$/

/**
 * Extra rules for a host that a caller chose: besides the address check at connect time, its spelling must be plain, so
 * that what a person reads is what is dialled.
 * @returns the base URL without a trailing slash.
 * @throws EgressRefused
 */
export const checkCustomHost = (text: string, trusted: TrustedHosts): string => {
  const destination = parseDestination(text)
  const { hostname, port } = destination
  const written = authorityOf(text)
    .toLowerCase()
    .replace(/:[0-9]*$/, '')
    .replace(/^\[|\]$/g, '')
  // The URL parser folds 0x7f.1, 2130706433 and full-width digits into 127.0.0.1, and letters of other scripts into ASCII.
  if (written !== hostname) throw refused('the host is written in an unusual form')
  if (trusted.trusts(hostname, port, [hostname])) return trimSlashes(text)
  if (destination.literal !== undefined && !isPublicAddress(hostname))
    throw refused('its address is private or reserved')
  if (hostname.endsWith('.')) throw refused('the host ends with a dot')
  if (hostname.split('.').length > 10) throw refused('the host has too many labels')
  if (INTERNAL_NAME.test(hostname)) throw refused(`'${hostname}' is an internal name`)
  return trimSlashes(text)
}

/** Whether the operator trusts the host of a URL. @throws EgressRefused for one that is no plain URL */
export const trusts = (url: string, trusted: TrustedHosts): boolean => {
  const { hostname, port } = parseDestination(url)
  return trusted.trusts(hostname, port, [hostname])
}

/** Where a destination may be dialled. */
export interface Egress {
  /**
   * Every address the name has now, if a call may go there.
   * @throws EgressRefused when one of them is not public and the operator trusts neither the name nor the address. One
   * bad address is enough: a name with a public and a private one is how rebinding looks.
   */
  addressesOf(destination: Destination): readonly string[] | Looking
}

/** The resolver gives the same list until it asks again, so a list that was allowed for a destination is not judged twice. */
export const createEgress = (resolver: Resolver, trusted: TrustedHosts): Egress => {
  const allowed = new WeakMap<Destination, readonly string[]>()

  const judge = (destination: Destination, addresses: readonly string[]): readonly string[] => {
    if (allowed.get(destination) === addresses) return addresses
    const { hostname, port, authority } = destination
    if (!addresses.every(isPublicAddress) && !trusted.trusts(hostname, port, addresses)) {
      throw new EgressRefused(
        `Calls to '${authority}' are refused: its address is private or reserved. The operator can allow it by adding '${authority}' to WEIR_TRUSTED_HOSTS.`,
      )
    }
    allowed.set(destination, addresses)
    return addresses
  }

  return {
    addressesOf(destination) {
      const { literal, hostname, owner } = destination
      if (literal !== undefined) return judge(destination, literal)
      const addresses = resolver.resolve(hostname, owner)
      if (!('found' in addresses)) return judge(destination, addresses)
      return { found: addresses.found.then((found) => judge(destination, found)), leave: () => addresses.leave() }
    },
  }
}

const refused = (reason: string): EgressRefused => new EgressRefused(`The target URL is refused: ${reason}.`)
