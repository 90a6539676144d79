/**
 * Which addresses a call may not reach unless the operator trusts them: everything that is not globally routable
 * (IANA special-purpose registries for IPv4 and IPv6, read 2026-11) and the metadata services of clouds.
 */

/** First address and prefix length. */
const DENIED_IPV4: readonly (readonly [string, number])[] = [
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

/** Inside 2000::/3, the only range of global unicast addresses. */
const DENIED_IPV6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // Teredo, ORCHID, benchmarking and other protocol assignments.
  ['2001:db8::', 32],
  ['2002::', 16], // 6to4 wraps any IPv4 address.
  ['3fff::', 20],
]

/** An address as one number, with its width in bits. */
export interface Address {
  readonly bits: 32 | 128
  readonly value: bigint
}

/** Reads a plain IPv4 or IPv6 address (no brackets, no port, no zone). */
export const parseAddress = (text: string): Address | undefined => {
  const value = text.includes(':') ? parseIPv6(text) : parseIPv4(text)
  return value === undefined ? undefined : { bits: text.includes(':') ? 128 : 32, value }
}

const parseIPv4 = (text: string): bigint | undefined => {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let value = 0n
  for (const part of parts) {
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return undefined
    value = (value << 8n) | BigInt(part)
  }
  return value
}

const parseIPv6 = (text: string): bigint | undefined => {
  const lastColon = text.lastIndexOf(':')
  const tail = text.slice(lastColon + 1)
  if (tail.includes('.')) {
    const embedded = parseIPv4(tail)
    if (embedded === undefined) return undefined
    const groups = `${(embedded >> 16n).toString(16)}:${(embedded & 0xffffn).toString(16)}`
    return parseIPv6(`${text.slice(0, lastColon + 1)}${groups}`)
  }
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = groupsOf(halves[0] ?? '')
  const rest = halves.length === 2 ? groupsOf(halves[1] ?? '') : []
  if (head === undefined || rest === undefined) return undefined
  const missing = 8 - head.length - rest.length
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined
  let value = 0n
  for (const group of [...head, ...Array<number>(missing).fill(0), ...rest]) value = (value << 16n) | BigInt(group)
  return value
}

const groupsOf = (text: string): number[] | undefined => {
  if (text === '') return []
  const groups = text.split(':')
  return groups.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))
    ? groups.map((group) => parseInt(group, 16))
    : undefined
}

/** A block of addresses, such as `10.0.0.0/8`. */
export interface Cidr {
  readonly bits: 32 | 128
  readonly prefix: bigint
  readonly hostBits: bigint
}

/** Reads `address/length`; a bare address is a block of one. Gives nothing for anything else. */
export const parseCidr = (text: string): Cidr | undefined => {
  const slash = text.indexOf('/')
  const address = parseAddress(slash === -1 ? text : text.slice(0, slash))
  if (address === undefined) return undefined
  const lengthText = slash === -1 ? String(address.bits) : text.slice(slash + 1)
  if (!/^[0-9]{1,3}$/.test(lengthText) || Number(lengthText) > address.bits) return undefined
  return block(address, Number(lengthText))
}

const block = (address: Address, length: number): Cidr => {
  const hostBits = BigInt(address.bits - length)
  return { bits: address.bits, prefix: address.value >> hostBits, hostBits }
}

export const contains = (cidr: Cidr, address: Address): boolean =>
  cidr.bits === address.bits && address.value >> cidr.hostBits === cidr.prefix

const blocks = (list: readonly (readonly [string, number])[]): readonly Cidr[] =>
  list.map(([text, length]) => {
    const address = parseAddress(text)
    if (address === undefined) throw new Error(`not an address: ${text}`)
    return block(address, length)
  })

const deniedIPv4 = blocks(DENIED_IPV4)
const deniedIPv6 = blocks(DENIED_IPV6)
const [globalUnicast, mapped, nat64] = blocks([
  ['2000::', 3],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
])

/** True for an address that any host on the internet may have. Unreadable text is not one. */
export const isPublicAddress = (text: string): boolean => {
  const address = parseAddress(text)
  if (address === undefined) return false
  if (address.bits === 32) return !deniedIPv4.some((denied) => contains(denied, address))
  // These two carry an IPv4 address in their last 32 bits, and that is where the packets end up.
  if ((mapped && contains(mapped, address)) || (nat64 && contains(nat64, address))) {
    const inner: Address = { bits: 32, value: address.value & 0xffffffffn }
    return !deniedIPv4.some((denied) => contains(denied, inner))
  }
  return (
    globalUnicast !== undefined &&
    contains(globalUnicast, address) &&
    !deniedIPv6.some((denied) => contains(denied, address))
  )
}
