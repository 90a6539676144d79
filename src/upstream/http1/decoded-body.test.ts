import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { nextPiece } from '../../core/bodies/ready-stream.ts'
import { ask, type Client, createClient, outcomeOf, textOf } from './test-support/client.ts'
import { type ScriptedServer, type Step, startScriptedServer } from './test-support/scripted-server.ts'

const TEXT = Array.from({ length: 5_000 }, (_, index) => `event ${index} ${Math.sin(index)}\n`).join('')
const CODINGS: readonly (readonly [string, (text: string) => Uint8Array])[] = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
]

let server: ScriptedServer
let client: Client
let url: string
beforeEach(async () => {
  server = await startScriptedServer(() => [])
  client = createClient()
  url = `http://127.0.0.1:${server.port}/`
})
afterEach(async () => {
  client.close()
  await server.close()
})

const head = (coding: string, length: number): string =>
  `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${length}\r\n\r\n`
const call = (...steps: readonly Step[]): Promise<string> => {
  server.play = () => steps
  return outcomeOf(ask(client, url))
}
const until = async (holds: () => boolean): Promise<void> => {
  for (let left = 2_000; !holds() && left > 0; left--) await Bun.sleep(1)
  expect(holds()).toBe(true)
}
/** The same bytes in pieces, with a pause behind each. */
const inPieces = (bytes: Uint8Array, length: number): Step[] =>
  Array.from({ length: Math.ceil(bytes.length / length) }, (_, index): Step[] => [
    bytes.subarray(index * length, (index + 1) * length),
    1,
  ]).flat()

describe('a server that compresses although it was asked not to', () => {
  test.each(CODINGS)('is understood: %s', async (coding, compress) => {
    const bytes = compress(TEXT)
    expect(await call(head(coding, bytes.length), bytes)).toBe(TEXT)
    expect(await call(head(coding, bytes.length), ...inPieces(bytes, 3_001))).toBe(TEXT)
    expect(await call(head(coding, bytes.length), bytes.subarray(0, 1), 5, bytes.subarray(1))).toBe(TEXT)
    // The connection is of use afterwards, and the answer does not say what is no longer true.
    const { headers } = await ask(client, url)
    expect(headers.has('content-encoding')).toBe(false)
    expect(server.connections).toBe(1)
  })

  test('may send events one by one', async () => {
    const bytes = gzipSync('data: one\n\n', { finishFlush: 2 })
    const { promise, resolve } = Promise.withResolvers<void>()
    server.play = () => [
      `HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n`,
      bytes,
      promise,
      gzipSync('data: two\n\n'),
      'end',
    ]
    const { body } = await ask(client, url)
    expect(Buffer.from((await nextPiece(body)) ?? []).toString()).toBe('data: one\n\n')
    body.cancel()
    resolve()
  })

  test.each([
    ['identity', 'hello'],
    ['identity, identity', 'hello'],
    ['', 'hello'],
    ['gzip', ''],
    ['br', ''],
  ])('in a coding that changes nothing, or nothing in a coding: %p %p', async (coding, body) => {
    expect(await call(head(coding, body.length), body)).toBe(body)
  })

  test.each(CODINGS)('fails when the end is missing: %s', async (coding, compress) => {
    const bytes = compress(TEXT)
    for (const length of [1, 5, 1_000, bytes.length - 10, bytes.length - 1]) {
      const cut = bytes.subarray(0, length)
      expect(await call(head(coding, length), cut)).toContain('upstream_invalid')
      expect(await call(head(coding, bytes.length), cut, 'end')).toContain('ECONNRESET')
    }
  })

  test.each(CODINGS)(
    'fails when something comes behind the end, and closes its connection: %s',
    async (coding, compress) => {
      const bytes = compress(TEXT)
      const open = `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\n\r\n`
      expect(await call(open, bytes, 'junk', 'stay')).toContain('upstream_invalid')
      expect(await call(open, Buffer.concat([bytes, Buffer.from('junk')]), 'stay')).toContain('upstream_invalid')
      await until(() => server.open === 0)
    },
  )

  test.each(CODINGS)('fails when it is something else, and closes its connection: %s', async (coding) => {
    const open = `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\n\r\n`
    // The server would go on for good.
    for (let calls = 0; calls < 20; calls++) {
      expect(await call(open, 'x this is plain text, is it not?', 'stay')).toContain('upstream_invalid')
    }
    await until(() => server.open === 0)
  })

  test.each([
    ['in a coding that nobody knows', ['content-encoding: x-own']],
    ['in two codings', ['content-encoding: gzip, br']],
    ['in one coding twice', ['content-encoding: gzip', 'content-encoding: gzip']],
  ])('%s is left as it is, and says so', async (_name, lines) => {
    const bytes = gzipSync(gzipSync(TEXT))
    server.play = () => [['HTTP/1.1 200 OK', ...lines, `content-length: ${bytes.length}`, '', ''].join('\r\n'), bytes]
    const answer = await ask(client, url)
    expect(answer.headers.get('content-encoding')).toBe(lines.map((line) => line.slice(18)).join(', '))
    expect(await textOf(answer)).toBe(bytes.toString('latin1'))
  })

  test('fails when it does not', async () => {
    for (const coding of ['gzip', 'deflate', 'br', 'zstd']) {
      expect(await call(head(coding, 20), 'this is plain text..')).toContain('upstream_invalid')
    }
  })

  test('with what unpacks to a lot is unpacked as it is read, and no further', async () => {
    const bomb = gzipSync(new Uint8Array(200 * 1024 * 1024))
    server.play = () => [head('gzip', bomb.length), bomb]
    Bun.gc(true)
    const before = process.memoryUsage().rss
    const { body } = await ask(client, url)
    for (let reads = 0; reads < 10; reads++) expect((await nextPiece(body))?.length).toBeLessThanOrEqual(64 * 1024)
    await Bun.sleep(200)
    expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(60)
    body.cancel()
    expect(await nextPiece(body)).toBeUndefined()
  }, 20_000)

  test('and is given up lets nobody wait', async () => {
    const bytes = gzipSync(TEXT)
    server.play = () => [head('gzip', bytes.length), bytes.subarray(0, 20), 'stay']
    const { body } = await ask(client, url)
    const waiting = nextPiece(body)
    setTimeout(() => body.cancel(), 20)
    await waiting.catch(() => undefined)
    for (let left = 1_000; server.open > 0 && left > 0; left--) await Bun.sleep(1)
    expect(server.open).toBe(0)
  })
})
