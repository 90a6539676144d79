import { createBoundedMap } from '../../core/bounded-map.ts'
import { unmappedAddress } from '../../core/unmapped-address.ts'

/** How often an address may begin, or fail, to sign in. Counted by each process for itself. */
export interface Attempts {
  /** Takes one. @returns milliseconds until there is another, where none is left */
  take(address: string | undefined): number | undefined
  /** It was no failure. */
  giveBack(address: string | undefined): void
}

export interface AttemptsOptions {
  /** Milliseconds that never step back. */
  readonly now: () => number
  readonly perMinute?: number
  /** Addresses that are remembered; the one that tried longest ago is forgotten first. */
  readonly maximumAddresses?: number
}

const MINUTE_MS = 60_000

export const createAttempts = ({ now, perMinute = 20, maximumAddresses = 10_000 }: AttemptsOptions): Attempts => {
  /** When all attempts of an address will be there again. */
  const fullAtMs = createBoundedMap<string, number>(maximumAddresses)
  const eachMs = MINUTE_MS / perMinute
  return {
    take(address) {
      const name = networkOf(address ?? '')
      const nowMs = now()
      const atMs = Math.max(nowMs, fullAtMs.get(name) ?? nowMs) + eachMs
      if (atMs - nowMs > MINUTE_MS) return Math.ceil(atMs - nowMs - MINUTE_MS)
      fullAtMs.set(name, atMs)
      return undefined
    },
    giveBack(address) {
      const name = networkOf(address ?? '')
      const atMs = fullAtMs.get(name)
      if (atMs !== undefined) fullAtMs.set(name, atMs - eachMs)
    },
  }
}

/** Whoever has one address of IPv6 has the 2^64 around it: they count as one (RFC 6177). */
export const networkOf = (address: string): string => {
  const bare = unmappedAddress(address.split('%')[0] ?? '')
  if (!bare.includes(':')) return bare
  const [before = '', after] = bare.split('::')
  const left = before === '' ? [] : before.split(':')
  const right = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
