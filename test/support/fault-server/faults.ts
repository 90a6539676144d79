import { gzipSync, zstdCompressSync } from 'node:zlib'
import { allEvents, chunk, coded, LAST_CHUNK, PAUSE, streamed, streamHead, WORDS, whole } from './answers.ts'
import type { Step } from './server.ts'
import type { Wire } from './wires.ts'

/**
 * What a failure comes to. `fails`: before anything of the answer was handed out, with this status and error; `breaks`:
 * after some of it was; `whole`: it is none.
 */
export type Outcome =
  | { readonly kind: 'fails'; readonly status: number; readonly code: string; readonly refused?: 'content' }
  | { readonly kind: 'breaks'; readonly code: string }
  | { readonly kind: 'whole' }

export interface Fault {
  readonly steps: (wire: Wire) => readonly Step[]
  readonly outcome: Outcome
  /** Of an error whose status only one of the formats tells, the status there. */
  readonly statusAt?: Readonly<Partial<Record<Wire['provider'], number>>>
  /** Nobody listens: there is no server to play anything. */
  readonly refuses?: true
}

/** By name, for calls that stream and for those that do not. */
export type FaultTable = Readonly<Record<string, Fault>>

const fails = (status: number, code: string): Outcome => ({ kind: 'fails', status, code })
const UNREACHABLE = fails(502, 'upstream_unreachable')
const INVALID = fails(502, 'upstream_invalid')
const TRUNCATED = fails(502, 'stream_truncated')
const FIRST_BYTE = fails(504, 'first_byte_timeout')
const breaks = (code: string): Outcome => ({ kind: 'breaks', code })
const WHOLE: Outcome = { kind: 'whole' }

const fault = (outcome: Outcome, steps: Fault['steps'] | readonly Step[]): Fault => ({
  outcome,
  steps: typeof steps === 'function' ? steps : () => steps,
})

/** An overload, in the middle of an answer with status 200: Anthropic's type of it stands for a status. */
const busy = (steps: Fault['steps']): Fault => ({
  ...fault(fails(502, 'upstream_error'), steps),
  statusAt: { anthropic: 529 },
})

const status = (status: number, type: string, headers: Readonly<Record<string, string>> = {}, code?: string): Fault =>
  fault(fails(status, 'upstream_error'), (wire) => [
    whole(wire.error(type, 'The provider says no.', code), { status, headers }),
  ])

/** Retry hints in all their spellings. @param nowMs milliseconds since 1970 */
export const retryHints = (nowMs: number): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
  none: {},
  seconds: { 'retry-after': '1' },
  date: { 'retry-after': new Date(nowMs + 2_000).toUTCString() },
  milliseconds: { 'retry-after-ms': '250' },
  'x-ms milliseconds': { 'x-ms-retry-after-ms': '250' },
  'a past date': { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' },
  'no time at all': { 'retry-after': 'soon' },
  'a year': { 'retry-after': '31536000' },
})

const HINTED: FaultTable = Object.fromEntries(
  Object.entries(retryHints(Date.now())).map(([name, headers]) => [
    `429, retry after: ${name}`,
    status(429, 'rate_limit_error', headers),
  ]),
)

/** Before the body of an answer begins. */
const BEFORE_BODY: FaultTable = {
  'connection refused': { ...fault(UNREACHABLE, []), refuses: true },
  'connection reset before the head': fault(UNREACHABLE, ['reset']),
  'connection closed before the head': fault(UNREACHABLE, ['close']),
  'head cut': fault(UNREACHABLE, ['HTTP/1.1 200 OK\r\ncontent-ty', PAUSE, 'close']),
  'not HTTP': fault(UNREACHABLE, ['SSH-2.0-OpenSSH_9.9\r\n\r\n', 'close']),
  'accepted, never answered': fault(FIRST_BYTE, ['hang']),
  'first byte too late': fault(FIRST_BYTE, (wire) => [{ waitMs: 1_500 }, whole(wire.plain(WORDS))]),
  ...HINTED,
  '500': status(500, 'api_error'),
  '503': status(503, 'overloaded_error'),
  '529': status(529, 'overloaded_error'),
  '400, too long': status(400, 'invalid_request_error', {}, 'context_length_exceeded'),
  '400, content refused': {
    ...status(400, 'content_filter', {}, 'content_filter'),
    outcome: { kind: 'fails', status: 400, code: 'upstream_error', refused: 'content' },
  },
  '500 that is a page': fault(fails(500, 'upstream_error'), [
    whole('<html>no</html>', { status: 500, type: 'text/html' }),
  ]),
  'error inside a 200': busy((wire) => [whole(wire.error('overloaded_error', 'Busy.'))]),
}

/** Answers in a coding that is broken, from a server that keeps the connection open. */
const codingFaults = (type: string, textOf: (wire: Wire) => string): FaultTable => {
  const zstd = (wire: Wire): Uint8Array => zstdCompressSync(textOf(wire))
  return {
    'gzip that is none': fault(INVALID, (wire) => [...coded('gzip', Buffer.from(textOf(wire)), { type }), 'hang']),
    'gzip with something behind it': fault(INVALID, (wire) => [
      ...coded('gzip', Buffer.concat([gzipSync(textOf(wire)), Buffer.from('more')]), { type }),
      'hang',
    ]),
    'zstd with something behind it': fault(INVALID, (wire) => [
      ...coded('zstd', Buffer.concat([zstd(wire), Buffer.from('more')]), { type }),
      'hang',
    ]),
    'zstd cut short': fault(INVALID, (wire) => {
      const cut = zstd(wire).subarray(0, -1)
      return coded('zstd', cut, { type }, cut.length)
    }),
    'a coding that nobody knows': fault(type === EVENTS ? TRUNCATED : INVALID, (wire) => {
      const bytes = gzipSync(textOf(wire))
      return coded('gzip, zstd', bytes, { type }, bytes.length)
    }),
  }
}

const EVENTS = 'text/event-stream'

/** Of an answer that comes in one piece. */
export const PLAIN_FAULTS: FaultTable = {
  ...BEFORE_BODY,
  'no JSON': fault(INVALID, [whole('<html>hello</html>')]),
  'empty body': fault(INVALID, [whole('')]),
  'JSON cut': fault(INVALID, (wire) => [whole(wire.plain(WORDS).slice(0, -20))]),
  'length too long, then closed': fault(UNREACHABLE, (wire) => [
    whole(wire.plain(WORDS), {}, wire.plain(WORDS).length + 50),
    PAUSE,
    'close',
  ]),
  'length too short': fault(INVALID, (wire) => [whole(wire.plain(WORDS), {}, 40), 'close']),
  'bad chunked framing': fault(UNREACHABLE, [streamHead({ type: 'application/json' }), 'zz\r\n{}\r\n', 'close']),
  'reset in the body': fault(UNREACHABLE, (wire) => [whole(wire.plain(WORDS)).slice(0, -20), PAUSE, 'reset']),
  ...codingFaults('application/json', (wire) => wire.plain(WORDS)),
  'stalled in the body': fault(fails(504, 'idle_timeout'), (wire) => [whole(wire.plain(WORDS)).slice(0, -20), 'hang']),
}

/** How the connection of a stream ends: as HTTP wants it, or not. */
const CUTS: Readonly<Record<string, { readonly steps: readonly Step[]; readonly code: string }>> = {
  cut: { steps: [LAST_CHUNK], code: 'stream_truncated' },
  closed: { steps: [PAUSE, 'close'], code: 'stream_truncated' },
  reset: { steps: [PAUSE, 'reset'], code: 'stream_truncated' },
  stalled: { steps: ['hang'], code: 'idle_timeout' },
}

/** How an event is malformed. */
const MALFORMED: Readonly<Record<string, (wire: Wire) => string>> = {
  'bad JSON': (wire) => wire.event('{"type":"content_block_delta",oops}'),
  'cut JSON': (wire) => wire.event(dataOf(wire).slice(0, -5)),
  'two JSON in one event': (wire) => wire.event(`${dataOf(wire)}${dataOf(wire)}`),
}

const dataOf = (wire: Wire): string =>
  (wire.events(['x']).tokens[0] ?? '').replace(/^(?:event: \w+\n)?data: |\n\n$/g, '')

/** The stream up to its first two tokens, then something else. */
const begun = (wire: Wire): string[] => {
  const { lead, tokens } = wire.events(WORDS)
  return [...lead, ...tokens.slice(0, 2)]
}

const lead = (wire: Wire): readonly string[] => wire.events(WORDS).lead

/** Of an answer that streams. */
export const STREAM_FAULTS: FaultTable = {
  ...BEFORE_BODY,
  // An answer that is no stream is not read by the rules of its provider.
  'error inside a 200': fault(fails(502, 'upstream_error'), (wire) => [whole(wire.error('overloaded_error', 'Busy.'))]),
  'wrong content type': fault(INVALID, (wire) => [whole(allEvents(wire).join(''), { type: 'text/plain' })]),
  ...codingFaults(EVENTS, (wire) => allEvents(wire).join('')),
  'empty stream': fault(TRUNCATED, [streamHead(), LAST_CHUNK]),
  'bad chunked framing': fault(TRUNCATED, [streamHead(), 'zz\r\n\r\n', 'close']),
  'head at once, first token never': fault(fails(504, 'idle_timeout'), (wire) => [...streamed(...lead(wire)), 'hang']),
  'error as first event': busy((wire) => [
    ...streamed(wire.event(wire.error('overloaded_error', 'Busy.'))),
    LAST_CHUNK,
  ]),
  'error before the first token': busy((wire) => [
    ...streamed(...lead(wire), wire.event(wire.error('overloaded_error', 'Busy.'))),
    LAST_CHUNK,
  ]),
  'error after tokens': fault(breaks('upstream_error'), (wire) => [
    ...streamed(...begun(wire), wire.event(wire.error('overloaded_error', 'Busy.'))),
    LAST_CHUNK,
  ]),
  'bad chunked framing after tokens': fault(breaks('stream_truncated'), (wire) => [
    ...streamed(...begun(wire)),
    PAUSE,
    'zz\r\n\r\n',
    'close',
  ]),
  'length too long, then closed, yet whole': fault(WHOLE, (wire) => {
    const body = allEvents(wire).join('')
    return [whole(body, { type: 'text/event-stream' }, body.length + 50), PAUSE, 'close']
  }),
  'length too short': fault(breaks('stream_truncated'), (wire) => [
    whole(allEvents(wire).join(''), { type: 'text/event-stream' }, begun(wire).join('').length),
    PAUSE,
    'close',
  ]),
  ...Object.fromEntries(
    Object.entries(MALFORMED).flatMap(([name, event]): [string, Fault][] => [
      [`${name} as first event`, fault(INVALID, (wire) => [...streamed(event(wire)), LAST_CHUNK])],
      [
        `${name} after tokens`,
        fault(breaks('upstream_invalid'), (wire) => [...streamed(...begun(wire), event(wire)), LAST_CHUNK]),
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(CUTS).flatMap(([name, { steps, code }]): [string, Fault][] => [
      [
        `${name} before the first token`,
        fault(fails(code === 'idle_timeout' ? 504 : 502, code), (wire) => [...streamed(...lead(wire)), ...steps]),
      ],
      [`${name} after tokens`, fault(breaks(code), (wire) => [...streamed(...begun(wire)), ...steps])],
      [
        `${name} when only the end marker is missing`,
        fault(WHOLE, (wire) => {
          const { lead: first, tokens, tail, wholeAfter } = wire.events(WORDS)
          return [...streamed(...first, ...tokens, ...tail.slice(0, wholeAfter)), ...steps]
        }),
      ],
    ]),
  ),
}

/** The stream cut cleanly after so many of its events, and whether the answer is whole by then. */
export const cutAfter = (wire: Wire, events: number): Fault => {
  const { lead: first, tokens, wholeAfter } = wire.events(WORDS)
  const steps = [...streamed(...allEvents(wire).slice(0, events)), chunk(': cut\n\n'), LAST_CHUNK]
  if (events >= first.length + tokens.length + wholeAfter) return fault(WHOLE, steps)
  return fault(events > first.length ? breaks('stream_truncated') : TRUNCATED, steps)
}
