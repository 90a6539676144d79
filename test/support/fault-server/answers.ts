import type { Play, Step } from './server.ts'
import type { Wire } from './wires.ts'

/** What every provider of the tests says, one word a token. */
export const WORDS: readonly string[] = ['One', ' answer', ' in', ' words.']
export const ANSWER: string = WORDS.join('')

export interface Head {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

const headLines = ({ status = 200, type = 'application/json', headers = {} }: Head): string =>
  [
    `HTTP/1.1 ${status} Status`,
    `content-type: ${type}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ].join('\r\n')

/** A body of a declared length. @param length if it is to be a lie */
export const whole = (body: string, head: Head = {}, length = Buffer.byteLength(body)): string =>
  `${headLines(head)}\r\ncontent-length: ${length}\r\n\r\n${body}`

/** A body of so many bytes, or of as many as come, in a coding that nobody asked for. */
export const coded = (coding: string, body: Uint8Array, head: Head = {}, length?: number): Step[] => [
  [
    headLines({ ...head, headers: { 'content-encoding': coding, ...head.headers } }),
    ...(length === undefined ? [] : [`content-length: ${length}`]),
    '',
    '',
  ].join('\r\n'),
  body,
]

/** The head of a stream; its events follow as chunks. */
export const streamHead = (head: Head = {}): string =>
  `${headLines({ type: 'text/event-stream', ...head })}\r\ntransfer-encoding: chunked\r\n\r\n`

export const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
/** The end of a stream that HTTP takes for a proper one. */
export const LAST_CHUNK = '0\r\n\r\n'

/** Before a break: what was sent is read by then, and a reset does not overtake it. */
export const PAUSE: Step = { waitMs: 40 }

export const streamed = (...events: readonly string[]): Step[] => [streamHead(), ...events.map(chunk)]

export const allEvents = (wire: Wire, words: readonly string[] = WORDS): string[] => {
  const { lead, tokens, tail } = wire.events(words)
  return [...lead, ...tokens, ...tail]
}

/** A provider that is well. Goes on from the beginning of the answer where it is asked to. */
export const healthy =
  (wire: Wire): Play =>
  (request) => {
    const prefix = wire.prefixOf(request)
    const words = prefix === '' ? WORDS : [ANSWER.slice(prefix.length)]
    if (request.body.stream !== true) return [whole(wire.plain(words))]
    return [...streamed(...allEvents(wire, words)), LAST_CHUNK]
  }
