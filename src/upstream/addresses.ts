import { BlockList, isIP } from 'node:net'

/**
 * Which addresses a call may not reach unless the operator trusts them: everything that is not globally routable
 * (IANA special-purpose registries for IPv4 and IPv6, read 2026-11) and the metadata services of clouds.
 */
const DENIED_IPV4: readonly (readonly [first: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's platform service: public by number, internal by nature.
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

const DENIED_IPV6: readonly (readonly [first: string, prefix: number])[] = [
  ['2001::', 23], // Teredo, ORCHID, benchmarking and other protocol assignments.
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4 wraps any IPv4 address.
  ['3fff::', 20],
]

/** IPv4-mapped addresses and NAT64: both carry an IPv4 address in their last 32 bits, and that is where the packets end up. */
const CARRIERS = ['::ffff:', '64:ff9b::']

/** A plain IPv4 or IPv6 address (no brackets, no port, no zone); nothing for any other text. */
const familyOf = (text: string): 'ipv4' | 'ipv6' | undefined => {
  const version = text.includes('%') ? 0 : isIP(text)
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6'
}

export const isAddress = (text: string): boolean => familyOf(text) !== undefined

/** Blocks of addresses. Those of one family say nothing of the other's. */
export class AddressBlocks {
  // One list for both would answer for IPv4 addresses by the blocks of their mapped form, and the other way round.
  readonly #lists = { ipv4: new BlockList(), ipv6: new BlockList() }

  /** @returns false for what is neither `address/length` nor an address, a block of one; nothing is added then */
  add(text: string): boolean {
    const [, first = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? []
    const family = familyOf(first)
    const bits = family === 'ipv4' ? 32 : 128
    if (family === undefined || Number(prefix ?? bits) > bits) return false
    this.#lists[family].addSubnet(first, Number(prefix ?? bits), family)
    return true
  }

  /** Whether one of the blocks holds the address. Text that is none is in no block. */
  has(address: string): boolean {
    const family = familyOf(address)
    return family !== undefined && this.#lists[family].check(address, family)
  }
}

/** @throws Error naming the entry that is neither an address nor a CIDR block */
export const createBlocks = (entries: readonly string[]): AddressBlocks => {
  const made = new AddressBlocks()
  for (const entry of entries) if (!made.add(entry)) throw new Error(`'${entry}' is not an address or CIDR block`)
  return made
}

const blocks = (list: readonly (readonly [first: string, prefix: number])[]): AddressBlocks =>
  createBlocks(list.map(([first, prefix]) => `${first}/${prefix}`))

const denied = blocks([
  ...DENIED_IPV4,
  ...DENIED_IPV6,
  ...CARRIERS.flatMap((carrier) => DENIED_IPV4.map(([first, prefix]) => [`${carrier}${first}`, 96 + prefix] as const)),
])
/** 2000::/3 is the only range of global unicast addresses. */
const routed = blocks([['0.0.0.0', 0], ['2000::', 3], ...CARRIERS.map((carrier) => [`${carrier}0.0.0.0`, 96] as const)])

/** True for an address that any host on the internet may have. Unreadable text is not one. */
export const isPublicAddress = (text: string): boolean => routed.has(text) && !denied.has(text)
