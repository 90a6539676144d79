import type { FaultName } from '../../../../plugins/providers/mock/faults.ts'

/** How a call ended for its client and for the log. */
export interface Expectation {
  /** `whole`: all of the answer came; `in-band`: a stream ended with an error event; `error`: an HTTP status. */
  readonly kind: 'whole' | 'in-band' | 'error'
  readonly status: number
  /** `error.code` as the client sees it. */
  readonly wire: string | null
  readonly logged: {
    readonly outcome: 'completed' | 'failed' | 'truncated'
    readonly status: number
    /** Row of the error catalogue. */
    readonly code: string | undefined
  }
}

export interface FaultRow {
  /** Any one of these: more than one only where the network decides what is seen first. */
  readonly stream: readonly Expectation[]
  /** Missing for a fault that only strikes streams. */
  readonly plain?: readonly Expectation[]
  /** More switches of the mock. */
  readonly mock?: Readonly<Record<string, unknown>>
  /** Reply headers; `null` for one that must be absent. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** False when the provider reports no usage at all. */
  readonly usage?: false
}

const whole: Expectation = {
  kind: 'whole',
  status: 200,
  wire: null,
  logged: { outcome: 'completed', status: 200, code: undefined },
}
const error = (status: number, code: string, wire: string | null = code): Expectation => ({
  kind: 'error',
  status,
  wire,
  logged: { outcome: 'failed', status, code },
})
const inBand = (code: string, wire: string | null = code): Expectation => ({
  kind: 'in-band',
  status: 200,
  wire,
  logged: { outcome: 'truncated', status: 200, code },
})

const both = (expectation: Expectation, rest: Omit<FaultRow, 'stream' | 'plain'> = {}): FaultRow => ({
  stream: [expectation],
  plain: [expectation],
  ...rest,
})
const streamOnly = (expectation: Expectation, rest: Omit<FaultRow, 'stream' | 'plain'> = {}): FaultRow => ({
  stream: [expectation],
  ...rest,
})

/** Events come one by one, so that the stream has begun when the fault strikes. */
const APART = { intervalMs: 40 }
const limited = (headers: FaultRow['headers']): FaultRow =>
  both(error(429, 'upstream_error', 'rate_limit_exceeded'), headers === undefined ? {} : { headers })
/** The connection is lost in the body: with the events before it, or before them. */
const lost: readonly Expectation[] = [inBand('stream_truncated'), error(502, 'stream_truncated')]

/** Every fault of the mock: a new one does not compile until it has its row. */
export const FAULT_TABLE: Readonly<Record<FaultName, FaultRow>> = {
  'never-answer': both(error(504, 'first_byte_timeout')),
  'hang-mid-stream': { stream: [inBand('idle_timeout')], plain: [error(504, 'idle_timeout')] },
  'cut-mid-stream': { stream: [inBand('stream_truncated')], plain: [error(502, 'upstream_invalid')] },
  'cut-connection': { stream: lost, plain: [error(502, 'upstream_unreachable')], mock: APART },
  'cut-before-done': streamOnly(whole),
  'done-without-finish': streamOnly(whole),
  'error-in-200': both(error(502, 'upstream_error', 'overloaded')),
  'empty-choices': { stream: [error(502, 'upstream_invalid')], plain: [whole] },
  'not-json': both(error(502, 'upstream_invalid')),
  'empty-body': both(error(502, 'upstream_invalid')),
  'first-event-error': streamOnly(error(502, 'upstream_error', 'overloaded')),
  'error-event': {
    stream: [inBand('upstream_error', 'overloaded'), error(502, 'upstream_error', 'overloaded')],
    mock: APART,
  },
  status: both(error(500, 'upstream_error', null), { headers: { 'retry-after': null } }),
  overloaded: both(error(529, 'upstream_error', 'overloaded')),
  'rate-limited': limited({ 'retry-after': '1', 'retry-after-ms': '1000' }),
  'html-error': both(error(502, 'upstream_error', null)),
  'spend-cap': both(error(429, 'upstream_error', 'insufficient_quota'), { headers: { 'retry-after': null } }),
  'retry-after-ms': limited({ 'retry-after': '1', 'retry-after-ms': '250' }),
  'retry-after-date': limited(undefined),
  'retry-after-huge': limited({ 'retry-after': '86400' }),
  'retry-after-past': limited({ 'retry-after': null }),
  'retry-after-malformed': limited({ 'retry-after': null }),
  'newline-cr': streamOnly(whole),
  'newline-crlf': streamOnly(whole),
  'newline-mixed': streamOnly(whole),
  'no-final-blank-line': streamOnly(whole),
  'byte-order-mark': streamOnly(whole),
  comments: streamOnly(whole),
  'empty-data': streamOnly(whole),
  'multi-line-data': streamOnly(whole),
  'unknown-fields': streamOnly(whole),
  'giant-line': streamOnly(error(502, 'upstream_invalid')),
  'split-utf8': both(whole),
  'json-split': streamOnly(inBand('upstream_invalid')),
  // One malformed event, and the next one is sound.
  'two-in-one': streamOnly(whole),
  'truncated-json': streamOnly(whole),
  'huge-tool-arguments': both(whole),
  'deep-json': both(whole),
  'huge-body': both(error(502, 'upstream_too_large')),
  'tool-index-gaps': streamOnly(whole),
  'tool-name-split': streamOnly(whole),
  'tool-duplicate-ids': both(whole),
  'tool-interleaved': streamOnly(whole),
  'tool-bad-arguments': both(whole),
  'usage-missing': both(whole, { usage: false }),
  'usage-zero': both(whole),
  'usage-double': streamOnly(whole),
  'usage-cumulative': streamOnly(whole),
  'usage-late': streamOnly(whole),
  'wrong-content-type': { stream: [error(502, 'upstream_invalid')], plain: [whole] },
  gzip: both(whole),
  br: both(whole),
  zstd: both(whole),
  'decompression-bomb': {
    stream: [error(502, 'upstream_invalid')],
    plain: [error(502, 'upstream_too_large')],
  },
  // All of the answer is there before the connection breaks.
  'content-length-long': { stream: [whole, ...lost], plain: [error(502, 'upstream_unreachable')] },
  'content-length-short': { stream: [inBand('stream_truncated')], plain: [error(502, 'upstream_invalid')] },
  'bad-chunk': { stream: [error(502, 'stream_truncated')], plain: [error(502, 'upstream_unreachable')] },
  'not-http': both(error(502, 'upstream_unreachable')),
  'reset-before-head': both(error(502, 'upstream_unreachable')),
  'reset-mid-body': { stream: lost, plain: [error(502, 'upstream_unreachable')], mock: APART },
  'half-close': { stream: lost, plain: [error(502, 'upstream_unreachable')], mock: APART },
  'empty-deltas': streamOnly(whole, { mock: { count: 2_000 } }),
  'done-in-content': both(whole),
  redirect: both(error(502, 'upstream_error', null)),
}
