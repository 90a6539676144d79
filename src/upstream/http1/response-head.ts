import { MAX_HEADERS } from './bounds.ts'
import { malformed } from './wire-error.ts'

/** Status line and headers of an answer. */
export interface ResponseHead {
  readonly status: number
  /** Minor version: 1 for HTTP/1.1. */
  readonly minor: number
  /** In the order they came, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/**
 * A whole head, each line with its CRLF. One expression for all of it, so that nothing is let through that a second reader
 * could take for something else: a carriage return or line feed alone, a NUL, a folded line, a space before the colon.
 * Every class leaves out what ends it, so it never goes back.
 */
const HEAD =
  /^HTTP\/1\.[01] [1-9][0-9]{2}(?: [\t\u0020-\u007e\u0080-\u00ff]*)?\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\u0020-\u007e\u0080-\u00ff]*\r\n)*$/

const STATUS_AT = 'HTTP/1.1 '.length

/**
 * Reads the head of an answer.
 * @param text one character a byte, up to and with the CRLF of the last line
 * @throws WireError
 */
export const parseHead = (text: string): ResponseHead => {
  if (!HEAD.test(text)) throw malformed('its head')
  // Once for all names: Latin-1 keeps its length.
  const lower = text.toLowerCase()
  const headers: [string, string][] = []
  let at = text.indexOf('\r\n') + 2
  while (at < text.length) {
    const colon = text.indexOf(':', at)
    const end = text.indexOf('\r\n', colon)
    if (headers.length === MAX_HEADERS) throw malformed('too many headers')
    headers.push([lower.slice(at, colon), trimmed(text, colon + 1, end)])
    at = end + 2
  }
  return {
    status: Number(text.slice(STATUS_AT, STATUS_AT + 3)),
    minor: text.charCodeAt(STATUS_AT - 2) - 48,
    headers,
  }
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

/** Only spaces and tabs are optional white space; `trim` would also take 0xA0. */
const trimmed = (text: string, from: number, to: number): string => {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}
