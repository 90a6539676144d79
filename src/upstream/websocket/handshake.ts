import { malformed } from '../http1/wire-error.ts'

/** What a request asks for that wants to become a WebSocket. */
export interface UpgradeAsked {
  /** Subprotocols, as the client named them. */
  readonly protocols: string | undefined
  readonly key: string
}

export const askUpgrade = (protocols: string | undefined): UpgradeAsked => ({
  protocols,
  key: crypto.getRandomValues(new Uint8Array(16)).toBase64(),
})

/** Lines of a request's head (RFC 6455, section 4.1). No extension is asked for: frames pass as they are. */
export const upgradeLines = ({ protocols, key }: UpgradeAsked): string =>
  `connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n${
    protocols === undefined ? '' : `sec-websocket-protocol: ${protocols}\r\n`
  }`

/**
 * Checks that a server has agreed to what it was asked (section 4.1).
 * @returns the subprotocol it chose
 * @throws WireError
 */
export const readAgreement = (
  { protocols, key }: UpgradeAsked,
  headers: readonly (readonly [name: string, value: string])[],
): string | undefined => {
  const headerOf = (wanted: string): string | undefined => headers.find(([name]) => name === wanted)?.[1]
  const accepted = new Bun.CryptoHasher('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
  if (headerOf('upgrade')?.toLowerCase() !== 'websocket') throw malformed('another protocol than WebSocket')
  if (headerOf('sec-websocket-accept') !== accepted) throw malformed('a handshake of something else')
  if (headerOf('sec-websocket-extensions') !== undefined) throw malformed('an extension that nobody asked for')
  const chosen = headerOf('sec-websocket-protocol')
  const offered = (protocols ?? '').split(',').map((each) => each.trim())
  if (chosen !== undefined && !offered.includes(chosen)) throw malformed('a subprotocol that nobody offered')
  return chosen
}
