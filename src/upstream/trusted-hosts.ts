import { AddressBlocks } from './addresses.ts'

/** The hosts and networks that calls may reach although they are private. Each entry is the operator's word. */
export interface TrustedHosts {
  /** True when the operator trusts this name, this name with this port, or every one of these addresses. */
  trusts(hostname: string, port: number, addresses: readonly string[]): boolean
  /** Adds one `host:port`: for a plugin that serves on the loopback address itself. */
  add(hostAndPort: string): void
}

const ENTRY = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<name>[a-z0-9._-]+))(?::(?<port>[0-9]{1,5}))?$/

/**
 * Reads entries of the form `host`, `host:port`, `[ipv6]:port`, an address, or a CIDR block.
 * @throws Error naming the entry that is none of these.
 */
export const createTrustedHosts = (entries: readonly string[]): TrustedHosts => {
  const names = new Set<string>()
  const networks = new AddressBlocks()
  for (const raw of entries) {
    const entry = raw.trim().toLowerCase()
    if (entry !== '' && !networks.add(entry)) names.add(normalise(entry))
  }
  return {
    trusts(hostname, port, addresses) {
      const name = bare(hostname)
      if (names.has(name) || names.has(`${name}:${port}`)) return true
      return addresses.length > 0 && addresses.every((address) => networks.has(address))
    },
    add(hostAndPort) {
      names.add(normalise(hostAndPort.toLowerCase()))
    },
  }
}

/** Whether the host of an address may do without https, as one that the operator trusts. */
export const trustsAddress = (trusted: Pick<TrustedHosts, 'trusts'>, { hostname, port }: URL): boolean =>
  trusted.trusts(hostname, Number(port || 80), [hostname])

/** `[::1]:8080` becomes `::1:8080`, the same form that `trusts` builds. */
const normalise = (entry: string): string => {
  const groups = ENTRY.exec(entry)?.groups
  if (groups === undefined || Number(groups.port ?? 0) > 65535) {
    throw new Error(`'${entry}' is not a host, host:port, address or CIDR block`)
  }
  const host = groups.six ?? groups.name ?? ''
  return groups.port === undefined ? host : `${host}:${groups.port}`
}

/** URL.hostname keeps the brackets of an IPv6 address. */
const bare = (hostname: string): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)
