import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { nextPiece } from '../../src/core/bodies/ready-stream.ts'
import { forwardableHeaders } from '../../src/upstream/headers.ts'
import { Exchange } from '../../src/upstream/http1/exchange.ts'
import type { WireRequest } from '../../src/upstream/http1/request-head.ts'
import { ask, type Client, createClient } from '../../src/upstream/http1/test-support/client.ts'
import {
  type ScriptedServer,
  type Step,
  startScriptedServer,
} from '../../src/upstream/http1/test-support/scripted-server.ts'
import { WireError } from '../../src/upstream/http1/wire-error.ts'

const GARBAGE_INPUTS = 100_000
const DIFFERENTIAL_ANSWERS = 300

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'))
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** An answer as a server may mean it. */
interface Meant {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
  /** Sizes of its chunks; none for a length. */
  readonly chunks: readonly number[] | undefined
  readonly extension: string
  readonly trailers: readonly string[]
  readonly interim: number
}

const token = fc.stringMatching(/^x-[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/)
const value = fc.stringMatching(/^[!-~\u00a1-\u00ff]([ \t!-~\u00a1-\u00ff]{0,20}[!-~\u00a1-\u00ff])?$/)
const meant: fc.Arbitrary<Meant> = fc.record({
  status: fc.constantFrom(200, 201, 202, 400, 404, 429, 500, 503, 529),
  headers: fc.array(fc.tuple(token, value), { maxLength: 8 }),
  body: fc.uint8Array({ maxLength: 2_000 }),
  chunks: fc.option(fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 20 }), { nil: undefined }),
  extension: fc.constantFrom('', '', ';a=b', ';x', '; q="y;z"'),
  trailers: fc.array(fc.constantFrom('X-T: 1', 'expires: never', 'a:'), { maxLength: 2 }),
  interim: fc.constantFrom(0, 0, 0, 1, 3),
})

/** Writes it down in full. */
const encode = ({ status, headers, body, chunks, extension, trailers, interim }: Meant): string => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(interim)
  const lines = [`HTTP/1.1 ${status} Some Reason`, ...headers.map(([name, text]) => `${name}: ${text}`)]
  if (chunks === undefined)
    return `${early}${[...lines, `Content-Length: ${body.length}`].join('\r\n')}\r\n\r\n${latin1(body)}`
  let text = `${early}${[...lines, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`
  for (let at = 0, index = 0; at < body.length; index++) {
    const piece = body.subarray(at, at + (chunks[index % chunks.length] ?? 1))
    text += `${piece.length.toString(16)}${extension}\r\n${latin1(piece)}\r\n`
    at += piece.length
  }
  return `${text}0${extension}\r\n${trailers.map((line) => `${line}\r\n`).join('')}\r\n`
}

/** Cuts the text; each number is the length of a piece, over and over. */
const cut = (text: string, lengths: readonly number[]): string[] => {
  const pieces: string[] = []
  for (let at = 0, index = 0; at < text.length; index++) {
    const length = lengths[index % lengths.length] ?? text.length
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return pieces
}
const cuts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 30 })

const REQUEST: WireRequest = { method: 'POST', head: '', body: undefined, bodyBytes: 0 }
const newExchange = (): Exchange => {
  const exchange = new Exchange(REQUEST, { resume: () => undefined, destroy: () => undefined })
  exchange.answered.catch(() => undefined)
  return exchange
}

describe('answers over HTTP/1.1', () => {
  test('are the same however a server frames them and the network cuts them', async () => {
    await fc.assert(
      fc.asyncProperty(
        meant,
        cuts,
        fc.constantFrom('', 'H', 'HTTP/1.1 200 OK\r\n\r\n'),
        async (answer, lengths, behind) => {
          const exchange = newExchange()
          for (const piece of cut(`${encode(answer)}${behind}`, lengths))
            if (!exchange.done) exchange.receive(bytesOf(piece))
          expect(exchange.done).toBe(true)
          const { head, body } = await exchange.answered
          const pieces: Uint8Array[] = []
          for (let piece = await nextPiece(body); piece !== undefined; piece = await nextPiece(body)) pieces.push(piece)
          expect(Buffer.concat(pieces).equals(answer.body)).toBe(true)
          expect(head.status).toBe(answer.status)
          expect(head.headers.slice(0, -1)).toEqual(answer.headers.map(([name, text]) => [name.toLowerCase(), text]))
        },
      ),
      { numRuns: 2_000 },
    )
  }, 60_000)

  test('that are cut short are never taken for whole', async () => {
    await fc.assert(
      fc.asyncProperty(meant, cuts, fc.nat(), fc.boolean(), async (answer, lengths, where, properly) => {
        const text = encode(answer)
        const exchange = newExchange()
        for (const piece of cut(text.slice(0, where % text.length), lengths)) exchange.receive(bytesOf(piece))
        exchange.closed(properly)
        const read = async (): Promise<void> => {
          const { body } = await exchange.answered
          while ((await nextPiece(body)) !== undefined);
        }
        await expect(read()).rejects.toThrow('ended before')
      }),
      { numRuns: 1_000 },
    )
  }, 60_000)
})

describe('bytes that are no answer', () => {
  /** A quick generator of our own: a hundred thousand inputs are too many for shrinking ones. */
  const random = (seed: number): (() => number) => {
    let state = seed
    return () => {
      state = (Math.imul(state ^ (state >>> 15), state | 1) + 0x6d2b79f5) | 0
      return ((state ^ (state >>> 14)) >>> 0) / 2 ** 32
    }
  }
  const SAMPLES = [
    'HTTP/1.1 200 OK\r\ncontent-length: 12\r\nx: y\r\n\r\nhello, world',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n7\r\n, world\r\n0\r\nt: x\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404 Not Found\r\nconnection: close\r\n\r\nnothing',
    'HTTP/1.1 204 No Content\r\nkeep-alive: timeout=5\r\n\r\n',
  ]
  const ALPHABET = '\r\n\r\n\r\n:; \t0159afAFxHTTP/.-,\u0000\u007f\u00ff'

  const garbage = (next: () => number): string => {
    const pick = (length: number): number => Math.floor(next() * length)
    const noise = (length: number): string =>
      Array.from({ length }, () =>
        next() < 0.5 ? ALPHABET[pick(ALPHABET.length)] : String.fromCharCode(pick(256)),
      ).join('')
    if (next() < 0.1) return noise(pick(60))
    let text = SAMPLES[pick(SAMPLES.length)] ?? ''
    for (let edits = 1 + pick(4); edits > 0; edits--) {
      const at = pick(text.length)
      const kind = pick(4)
      if (kind === 0) text = text.slice(0, at) + noise(1) + text.slice(at + 1)
      else if (kind === 1) text = text.slice(0, at) + noise(1 + pick(3)) + text.slice(at)
      else if (kind === 2) text = text.slice(0, at) + text.slice(at + 1 + pick(5))
      else text = text.slice(0, at) + text.slice(pick(text.length))
    }
    return text
  }

  test(`never do more than fail: ${GARBAGE_INPUTS} of them`, async () => {
    const next = random(20_261_121)
    let refused = 0
    let whole = 0
    for (let count = 0; count < GARBAGE_INPUTS; count++) {
      const text = garbage(next)
      const exchange = newExchange()
      try {
        for (const piece of cut(text, [1 + Math.floor(next() * 40)]))
          if (!exchange.done) exchange.receive(bytesOf(piece))
      } catch (thrown) {
        if (!(thrown instanceof WireError)) throw thrown
        refused++
        exchange.fail(thrown)
      }
      if (exchange.done && !exchange.surplus) whole++
      exchange.closed(next() < 0.5)
      // Whatever it was, nobody waits for ever.
      expect(exchange.done).toBe(true)
      if (count % 100 !== 0) continue
      const answer = await exchange.answered.catch(() => undefined)
      for (let reads = 0; answer !== undefined && reads < 100; reads++) {
        if ((await nextPiece(answer.body).catch(() => undefined)) === undefined) break
      }
    }
    // The inputs reach both sides of every line.
    expect(refused).toBeGreaterThan(GARBAGE_INPUTS / 10)
    expect(whole).toBeGreaterThan(GARBAGE_INPUTS / 100)
  }, 60_000)
})

describe('beside fetch', () => {
  let server: ScriptedServer
  let client: Client
  beforeAll(async () => {
    server = await startScriptedServer(() => [])
    client = createClient()
  })
  afterAll(async () => {
    client.close()
    await server.close()
  })

  test('valid answers come out the same', async () => {
    const url = `http://127.0.0.1:${server.port}/`
    await fc.assert(
      fc.asyncProperty(meant, cuts, async (answer, lengths) => {
        const steps = cut(encode(answer), lengths).slice(0, 20)
        const rest = encode(answer).slice(steps.join('').length)
        server.play = (): Step[] => [...steps, rest]
        const ours = await ask(client, url)
        const pieces: Uint8Array[] = []
        for (let piece = await nextPiece(ours.body); piece !== undefined; piece = await nextPiece(ours.body))
          pieces.push(piece)
        const theirs = await fetch(url, { proxy: '' })
        expect(Buffer.concat(pieces).equals(Buffer.from(await theirs.arrayBuffer()))).toBe(true)
        expect(ours.status).toBe(theirs.status)
        // Native headers are sorted.
        expect([...ours.headers].sort()).toEqual([...forwardableHeaders(theirs.headers)].sort())
      }),
      { numRuns: DIFFERENTIAL_ANSWERS },
    )
  }, 60_000)
})
