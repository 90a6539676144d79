/** Longer ones are no address of an app. */
const MAX_LENGTH = 1_024

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Schemes that a browser or this machine gives a meaning of its own: what is sent there runs, or is read by anybody. */
const NEVER: ReadonlySet<string> = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'ftp:',
  'http:',
  'javascript:',
  'mailto:',
  'tel:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
])

/** Nothing that an address is made of. */
const NO_PART = /[\p{C}\s\\]/u

/**
 * Whether a code may be sent there: to an https address, to this very machine, or to an app by a scheme of its own (RFC 8252,
 * section 7; OAuth 2.1, section 2.3.1).
 */
export const isRedirectUri = (text: string): boolean => {
  if (text.length > MAX_LENGTH || NO_PART.test(text) || !URL.canParse(text)) return false
  const { protocol, hostname, hash, username, password } = new URL(text)
  if (hash !== '' || text.includes('#') || username !== '' || password !== '') return false
  return protocol === 'https:' || isLoopback(protocol, hostname) || !NEVER.has(protocol)
}

const isLoopback = (protocol: string, hostname: string): boolean => protocol === 'http:' && LOOPBACK.has(hostname)

/**
 * Whether an app that registered the one may be sent to the other: to the letter, but for the port on this machine, which apps
 * get when they start (RFC 8252, section 7.3).
 */
export const isSameRedirect = (registered: string, asked: string): boolean => {
  if (registered === asked) return true
  const [own, other] = [registered, asked].map((text) => URL.parse(text))
  if (own == null || other == null || !isLoopback(own.protocol, own.hostname)) return false
  return (
    other.protocol === own.protocol &&
    other.hostname === own.hostname &&
    other.pathname === own.pathname &&
    other.search === own.search &&
    isRedirectUri(asked)
  )
}
