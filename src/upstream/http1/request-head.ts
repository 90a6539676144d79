import type { HeaderFields } from '../../core/header-fields.ts'
import { holdsKey, percentDecoded } from '../../core/key-form.ts'
import type { BodyStream } from '../../core/ports.ts'
import { EgressRefused, InvalidRequest, MethodNotAllowed } from '../../errors/gateway-error.ts'
import type { Destination } from '../egress.ts'
import { type UpgradeAsked, upgradeLines } from '../websocket/handshake.ts'

/** A request as it goes on the wire. */
export interface WireRequest {
  readonly method: string
  /** Request line and headers, with the empty line that ends them. Each character is one byte. */
  readonly head: string
  readonly body: Uint8Array | string | BodyStream | undefined
  /** Bytes of a body that is here; 0 for a streamed one. */
  readonly bodyBytes: number
  /** It asks for another protocol. */
  readonly upgrade?: UpgradeAsked | undefined
}

export const isStreamed = (body: WireRequest['body']): body is BodyStream =>
  typeof body === 'object' && !(body instanceof Uint8Array)

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** What a header value may not hold: anything that could end its line, and what does not fit into a byte. */
const UNSAFE_VALUE = /[^\t\u0020-\u007e\u0080-\u00ff]/
/** A request target is visible ASCII: the URL parser has escaped the rest. */
const UNSAFE_TARGET = /[^\u0021-\u007e]/

/** Decided here and by nobody else: framing, the connection, whom it is for, and that answers come uncompressed. */
const OWN_HEADERS = new Set([
  'host',
  'accept-encoding',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'proxy-connection',
  'expect',
  'te',
  'trailer',
  'upgrade',
])

/** Methods that a provider may be asked with, as a refusal names them. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Methods for which RFC 9110 gives a request without content a length of 0 (section 8.6). */
const EXPECTS_CONTENT = new Set(['POST', 'PUT', 'PATCH'])

/** Beginnings kept for one destination: methods may be anything. */
const MAX_METHODS = 16

/** The beginnings of heads, made once a destination and method. */
const beginnings = new WeakMap<Destination, Map<string, string>>()

const beginningOf = (destination: Destination, method: string): string => {
  let ofDestination = beginnings.get(destination)
  if (ofDestination === undefined) {
    ofDestination = new Map()
    beginnings.set(destination, ofDestination)
  }
  const known = ofDestination.get(method)
  if (known !== undefined) return known
  const beginning = begin(destination, method)
  if (ofDestination.size < MAX_METHODS) ofDestination.set(method, beginning)
  return beginning
}

/** Answers are read and measured by Weir, and small: compression would only hide their size until it is too late. */
const begin = ({ pathAndQuery, authority }: Destination, method: string): string => {
  // CONNECT and TRACE are not requests for a resource.
  if (!TOKEN.test(method) || method === 'CONNECT' || method === 'TRACE') {
    throw new MethodNotAllowed('Unusable request to the provider: its method.', { allow: METHODS })
  }
  if (UNSAFE_TARGET.test(pathAndQuery) || !pathAndQuery.startsWith('/')) throw unusable('its target')
  if (UNSAFE_TARGET.test(authority)) throw unusable('its host')
  if (holdsKey(percentDecoded(pathAndQuery))) throw keyLeaves()
  return `${method} ${pathAndQuery} HTTP/1.1\r\nhost: ${authority}\r\naccept-encoding: identity\r\n`
}

/**
 * Writes down a request. Its body has exactly one framing: a length or, where that is not known, chunks.
 * @throws InvalidRequest, MethodNotAllowed for a method, target or header that could be read as more than itself
 * @throws EgressRefused for one that holds a key of Weir's own form: whoever put it there, it never leaves
 */
export const writeRequest = (
  destination: Destination,
  method: string,
  headers: HeaderFields,
  body: WireRequest['body'],
  upgrade?: UpgradeAsked,
): WireRequest => {
  let head = beginningOf(destination, method)
  let accept = 'accept: */*\r\n'
  // Iterating would make an array for each header.
  headers.forEach((value, name) => {
    if (OWN_HEADERS.has(name)) return
    if (!TOKEN.test(name)) throw unusable('the name of a header')
    if (UNSAFE_VALUE.test(value)) throw unusable(`the value of its header \`${name}\``)
    if (name === 'accept') accept = ''
    head += `${name}: ${value}\r\n`
  })
  if (upgrade !== undefined) {
    if (UNSAFE_VALUE.test(upgrade.protocols ?? '')) throw unusable('its subprotocols')
    head += upgradeLines(upgrade)
  }
  if (holdsKey(head)) throw keyLeaves()
  head += accept
  if (isStreamed(body)) {
    head += body.length === undefined ? 'transfer-encoding: chunked\r\n' : `content-length: ${body.length}\r\n`
    return { method, head: `${head}\r\n`, body, bodyBytes: 0 }
  }
  const bodyBytes = body === undefined ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.length
  if (body !== undefined || EXPECTS_CONTENT.has(method)) head += `content-length: ${bodyBytes}\r\n`
  return { method, head: `${head}\r\n`, body, bodyBytes, upgrade }
}

const keyLeaves = (): EgressRefused =>
  new EgressRefused(
    'The request would carry a key of this gateway to the provider, in a header, its path or its query.',
  )

const unusable = (what: string): InvalidRequest => new InvalidRequest(`Unusable request to the provider: ${what}.`)
