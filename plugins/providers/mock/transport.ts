import { Readable } from 'node:stream'
import { brotliCompressSync, createGzip, gzipSync, zstdCompressSync } from 'node:zlib'
import { eventsBefore } from './events.ts'
import type { FaultName } from './faults.ts'
import type { MockOptions } from './options.ts'
import type { Ending, Piece, Plan, WholePlan } from './plan.ts'
import { hugeJson } from './refusing.ts'

type Transport = (plan: WholePlan, options: MockOptions) => Plan

const MEBIBYTE = 1024 ** 2

/** Faults that send the right answer the wrong way. */
export const TRANSPORTS: { readonly [Name in FaultName]?: Transport } = {
  'never-answer': (plan) => ({ ...withoutHead(plan), pieces: [], ending: 'hang' }),
  'hang-mid-stream': (plan, options) => cut(plan, options, 'hang'),
  'cut-mid-stream': (plan, options) => cut(plan, options, 'end'),
  'cut-connection': (plan, options) => cut(plan, options, 'close'),
  'reset-before-head': (plan) => ({ ...withoutHead(plan), pieces: [], ending: 'reset' }),
  'reset-mid-body': (plan, options) => cut(plan, options, 'reset'),
  'split-utf8': (plan) => ({ ...plan, chunkBytes: 1 }),
  'wrong-content-type': (plan) => withHeaders(plan, { 'content-type': 'text/plain; charset=utf-8' }),
  gzip: (plan) => compressed(plan, 'gzip', gzipSync),
  br: (plan) => compressed(plan, 'br', brotliCompressSync),
  zstd: (plan) => compressed(plan, 'zstd', zstdCompressSync),
  'decompression-bomb': (plan, { bytes }) => ({
    ...withHeaders(plan, { 'content-encoding': 'gzip' }),
    pieces: Readable.from(hugeJson(bytes ?? 100 * MEBIBYTE)).pipe(createGzip()),
  }),
  'content-length-long': (plan) => {
    const body = joined(plan.pieces)
    return { ...raw(plan, body.length + 100, [body]), ending: 'close' }
  },
  'content-length-short': (plan) => {
    const body = joined(plan.pieces)
    return { ...raw(plan, body.length >> 1, [body]), ending: 'close' }
  },
  'half-close': (plan, options) => {
    const pieces = Array.from(plan.pieces)
    return { ...raw(plan, joined(pieces).length, beginning({ ...plan, pieces }, options)), ending: 'half-close' }
  },
  'bad-chunk': (plan) => {
    const [first = ''] = plan.pieces
    const bytes = Buffer.from(first)
    const framed = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\nzz\r\n')])
    return { ...raw(plan, undefined, [framed]), ending: 'close' }
  },
}

const withoutHead = ({ head: _, ...rest }: WholePlan): Plan => rest

/** New headers, and no `content-length`: the body may have another length now. */
const withHeaders = (plan: WholePlan, headers: Readonly<Record<string, string>>): WholePlan => {
  const { 'content-length': _, ...kept } = plan.head.headers
  return { ...plan, head: { status: plan.head.status, headers: { ...kept, ...headers } } }
}

const joined = (pieces: Iterable<Piece>): Buffer => Buffer.concat(Array.from(pieces, (piece) => Buffer.from(piece)))

const compressed = (plan: WholePlan, encoding: string, compress: (bytes: Uint8Array) => Uint8Array): Plan => {
  const bytes = compress(joined(plan.pieces))
  return {
    ...withHeaders(plan, { 'content-encoding': encoding, 'content-length': String(bytes.length) }),
    pieces: [bytes],
  }
}

const cut = (plan: WholePlan, options: MockOptions, ending: Ending): Plan => ({
  ...withHeaders(plan, {}),
  pieces: beginning(plan, options),
  ending,
})

/** The body as far as the fault lets it come: so many bytes, so many events, or half of a plain body. */
function* beginning(plan: WholePlan, options: MockOptions): Generator<Piece> {
  const declared = plan.head.headers['content-length']
  const half = declared === undefined ? undefined : Math.floor(Number(declared) / 2)
  let bytesLeft = options.atBytes ?? half ?? Number.POSITIVE_INFINITY
  let eventsLeft =
    options.atBytes !== undefined || half !== undefined ? Number.POSITIVE_INFINITY : eventsBefore(options)
  for (const piece of plan.pieces) {
    if (eventsLeft-- <= 0 || bytesLeft <= 0) return
    const bytes = Buffer.from(piece)
    yield bytes.subarray(0, bytesLeft)
    bytesLeft -= bytes.length
  }
}

/** The answer as raw bytes, head included: with a declared length that need not be true, or as chunks framed by hand. */
const raw = (plan: WholePlan, contentLength: number | undefined, pieces: Iterable<Piece>): Plan => {
  const { 'content-length': _, ...headers } = plan.head.headers
  const framing = contentLength === undefined ? 'transfer-encoding: chunked' : `content-length: ${contentLength}`
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${plan.head.status} OK`, ...lines, framing, '', ''].join('\r\n')
  return { ...withoutHead(plan), pieces: prepended(head, pieces) }
}

function* prepended(first: Piece, rest: Iterable<Piece>): Generator<Piece> {
  yield first
  yield* rest
}
