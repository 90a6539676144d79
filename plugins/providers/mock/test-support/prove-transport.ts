import { expect } from 'bun:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { FaultName } from '../faults.ts'
import { startMockServer } from '../server.ts'
import {
  ANSWER,
  type Call,
  expectAborted,
  expectRightReply,
  expectRightStream,
  type Proof,
  requestBody,
  WITH_USAGE,
} from './fault-kit.ts'
import { content, dataOf, finished, text, usages } from './stream.ts'

/** Faults of the way the bytes travel. */
export const TRANSPORT = {
  'never-answer': async ({ server }) => {
    const before = server.counters.aborted
    const controller = new AbortController()
    const arrived = await startMockServer({ onRequest: () => setImmediate(() => controller.abort()) })
    const outcome = await fetch(`${arrived.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(requestBody(false, { fault: 'never-answer' })),
      signal: controller.signal,
    }).then(
      () => 'answered',
      (error: Error) => error.name,
    )
    expect(outcome).toBe('AbortError')
    await arrived.idle()
    expect(arrived.counters).toEqual({ received: 1, open: 0, completed: 0, aborted: 1 })
    await arrived.close()
    expect(server.counters.aborted).toBe(before)
  },
  'hang-mid-stream': async ({ call, server }) => {
    const before = server.counters.aborted
    const answer = await call(
      'hang-mid-stream',
      true,
      { at: 3 },
      { until: (seen) => seen.split('data: ').length === 4 },
    )
    expect(answer.ending).toBe('left')
    expect(answer.terminated).toBe(false)
    expect(dataOf(answer)).toHaveLength(3)
    await expectAborted(server, before)
    const plain = await call('hang-mid-stream', false, {}, { until: (seen) => seen.includes('chatcmpl') })
    expect(plain.ending).toBe('left')
    expect(() => JSON.parse(text(plain))).toThrow()
    await expectAborted(server, before + 1)
  },
  'cut-mid-stream': async ({ call }) => {
    const answer = await call('cut-mid-stream', true, { at: 4 })
    expect(answer.terminated).toBe(true)
    expect(dataOf(answer)).toHaveLength(4)
    expect(finished(dataOf(answer))).toBe(false)
    for (const atBytes of [0, 1, 7, 300]) {
      expect((await call('cut-mid-stream', true, { atBytes })).body).toHaveLength(atBytes)
    }
    const plain = await call('cut-mid-stream', false)
    expect(plain.terminated).toBe(true)
    expect(() => JSON.parse(text(plain))).toThrow()
  },
  'cut-connection': async ({ call, server }) => {
    const answer = await call('cut-connection', true, { at: 4 }, { afterEnd: () => server.idle() })
    expect(answer.terminated).toBe(false)
    expect(answer.ending).toBe('end')
    expect(dataOf(answer)).toHaveLength(4)
    const plain = await call('cut-connection', false, { atBytes: 10 })
    expect(plain.terminated).toBe(false)
    expect(plain.body).toHaveLength(10)
  },
  'cut-before-done': async ({ call }) => {
    const answer = await call('cut-before-done', true, {}, WITH_USAGE)
    expect(answer.terminated).toBe(true)
    expect(finished(dataOf(answer))).toBe(true)
    expect(usages(dataOf(answer))).toHaveLength(1)
    expect(text(answer)).not.toContain('[DONE]')
  },
  'done-without-finish': async ({ call }) => {
    const data = dataOf(await call('done-without-finish', true))
    expect(content(data)).toBe(ANSWER)
    expect(finished(data)).toBe(false)
    expect(data.at(-1)).toBe('[DONE]')
  },
  'wrong-content-type': async ({ call }) => {
    const answer = await call('wrong-content-type', true)
    expect(answer.headers.get('content-type')).toStartWith('text/plain')
    expectRightStream(answer)
  },
  gzip: async ({ call }) => expectCompressed(call, 'gzip', gunzipSync),
  br: async ({ call }) => expectCompressed(call, 'br', brotliDecompressSync),
  zstd: async ({ call }) => expectCompressed(call, 'zstd', zstdDecompressSync),
  'decompression-bomb': async ({ call }) => {
    const answer = await call('decompression-bomb', false, { bytes: 20_000_000 })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(answer.body.length).toBeLessThan(200_000)
    expect(JSON.parse(gunzipSync(answer.body).toString()).padding).toHaveLength(20_000_000)
  },
  'content-length-long': async ({ call }) => {
    const answer = await call('content-length-long', false)
    expect(Number(answer.headers.get('content-length'))).toBe(answer.body.length + 100)
    expectRightReply(answer.body)
    expect(answer.ending).toBe('end')
  },
  'content-length-short': async ({ call }) => {
    const answer = await call('content-length-short', false)
    expect(Number(answer.headers.get('content-length'))).toBe(answer.body.length >> 1)
    expectRightReply(answer.body)
  },
  'bad-chunk': async ({ call }) => {
    const answer = await call('bad-chunk', true)
    expect(answer.rawBody.toString()).toEndWith('\r\nzz\r\n')
    expect(dataOf(answer)).toHaveLength(1)
  },
  'not-http': async ({ call }) =>
    expect((await call('not-http', false)).bytes.toString()).toBe('this is not HTTP\r\n\r\n'),
  'reset-before-head': async ({ call }) => {
    const answer = await call('reset-before-head', false)
    expect([answer.ending, answer.bytes.length]).toEqual(['reset', 0])
  },
  'reset-mid-body': async ({ call }) => {
    const answer = await call('reset-mid-body', true, { at: 3 })
    expect(answer.ending).toBe('reset')
    expect(dataOf(answer)).toHaveLength(3)
  },
  'half-close': async ({ call, server }) => {
    for (const stream of [false, true]) {
      const before = server.counters.completed
      const answer = await call(
        'half-close',
        stream,
        { at: 3 },
        {
          afterEnd: async (socket) => {
            // A mock that had closed both halves would be done by now, and answer this write with a reset.
            await new Promise((resolve) => socket.write('still here', resolve))
            await new Promise((resolve) => setTimeout(resolve, 20))
            expect(server.counters.open).toBe(1)
          },
        },
      )
      await server.idle()
      expect(server.counters.completed).toBe(before + 1)
      expect(answer.ending).toBe('end')
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(answer.body.length)
      expect(stream ? dataOf(answer).length : text(answer).length * 2).toBeGreaterThanOrEqual(3)
    }
  },
} as const satisfies Readonly<Record<string, Proof>>

const expectCompressed = async (call: Call, encoding: FaultName, decompress: (bytes: Uint8Array) => Uint8Array) => {
  const more = { headers: { 'Accept-Encoding': 'identity' } }
  const plain = await call(encoding, false, {}, more)
  expect(plain.headers.get('content-encoding')).toBe(encoding)
  expectRightReply(decompress(plain.body))
  const stream = await call(encoding, true, {}, more)
  expectRightStream({ ...stream, body: Buffer.from(decompress(stream.body)) })
}
