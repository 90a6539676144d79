import type { ResponseHead } from './response-head.ts'
import { malformed } from './wire-error.ts'

/** Where the body of an answer ends, and what may become of its connection. */
export interface Framing {
  /** Bytes of the body, or how its end is told. */
  readonly length: number | 'chunked' | 'until-close'
  /** The connection may serve another request after this answer. */
  readonly reusable: boolean
  /** Seconds the server said it keeps the connection idle. */
  readonly keepAliveSeconds: number | undefined
}

/**
 * Decides by RFC 9112, section 6.3, and refuses everything that two readers could decide differently: a length beside a
 * transfer coding, two lengths, any coding but a single `chunked`.
 * @throws WireError
 */
export const framingOf = (method: string, { status, minor, headers }: ResponseHead): Framing => {
  let length: string | undefined
  let chunked = false
  let reusable = minor === 1
  let keepAliveSeconds: number | undefined
  for (const [name, value] of headers) {
    if (name === 'content-length') {
      if (length !== undefined && length !== value) throw malformed('two lengths')
      length = value
    } else if (name === 'transfer-encoding') {
      if (chunked || value.toLowerCase() !== 'chunked' || minor === 0) throw malformed('an unknown transfer coding')
      chunked = true
    } else if (name === 'connection') {
      if (/(?:^|,)[ \t]*close[ \t]*(?:,|$)/i.test(value)) reusable = false
    } else if (name === 'keep-alive') keepAliveSeconds = secondsOf(value)
  }
  if (chunked && length !== undefined) throw malformed('a length and a transfer coding')
  const bytes = length === undefined ? undefined : bytesOf(length)
  // Servers that send a body all the same are too common for the next answer to be read from where it would begin.
  if (method === 'HEAD' || status === 204 || status === 304) return { length: 0, reusable: false, keepAliveSeconds }
  if (chunked) return { length: 'chunked', reusable, keepAliveSeconds }
  if (bytes !== undefined) return { length: bytes, reusable, keepAliveSeconds }
  return { length: 'until-close', reusable: false, keepAliveSeconds }
}

const bytesOf = (text: string): number => {
  if (!/^[0-9]{1,15}$/.test(text)) throw malformed('its length')
  return Number(text)
}

const secondsOf = (value: string): number | undefined => {
  const found = /(?:^|,)[ \t]*timeout[ \t]*=[ \t]*"?([0-9]{1,9})/i.exec(value)?.[1]
  return found === undefined ? undefined : Number(found)
}
