import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { nextPiece } from '../../core/bodies/ready-stream.ts'
import { ClientClosed } from '../../errors/gateway-error.ts'
import { ask, type Client, createClient, outcomeOf, textOf } from './test-support/client.ts'
import { PieceStream } from './test-support/piece-stream.ts'

interface Got {
  readonly length: string | null
  readonly coding: string | null
  readonly body: Buffer
}

let server: Bun.Server<undefined>
let answer: (request: Request) => Promise<Response>
const got: Got[] = []
let client: Client
let url: string
beforeAll(() => {
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, fetch: (request) => answer(request) })
  url = `http://127.0.0.1:${server.port}/files`
  client = createClient()
})
afterAll(async () => {
  client.close()
  await server.stop(true)
})
beforeEach(() => {
  got.length = 0
  answer = async (request) => {
    const { headers } = request
    const body = Buffer.from(await request.arrayBuffer())
    got.push({ length: headers.get('content-length'), coding: headers.get('transfer-encoding'), body })
    return new Response('ok')
  }
})

const LARGE = new Uint8Array(3_000_000).map((_, index) => index % 251)
const never = new Promise<never>(() => undefined)
const deadlines = { connectMs: 1_000, firstByteMs: 300, idleMs: 300, totalMs: 10_000 }

describe('a streamed body', () => {
  test.each([
    ['of known length', LARGE.length + 6],
    ['in chunks', undefined],
  ])('%s arrives as it is', async (_what, length) => {
    const stream = new PieceStream('be', 'gin', Bun.sleep(20), '', LARGE, Bun.sleep(1), '.')
    expect(await outcomeOf(ask(client, url, { method: 'POST', body: { stream, length } }))).toBe('ok')
    expect([got[0]?.length, got[0]?.coding]).toEqual(length === undefined ? [null, 'chunked'] : [String(length), null])
    expect(
      Buffer.compare(got[0]?.body ?? Buffer.of(), Buffer.concat([Buffer.from('begin'), LARGE, Buffer.from('.')])),
    ).toBe(0)
  })

  test.each([0, undefined])('of nothing, length %p', async (length) => {
    expect(await outcomeOf(ask(client, url, { method: 'PUT', body: { stream: new PieceStream(), length } }))).toBe('ok')
    expect(got[0]?.body.length).toBe(0)
  })

  test('leaves a connection that serves the next call', async () => {
    const before = server.pendingRequests
    for (let left = 3; left > 0; left--) {
      await outcomeOf(ask(client, url, { method: 'POST', body: { stream: new PieceStream('abc'), length: 3 } }))
      expect(await outcomeOf(ask(client, url))).toBe('ok')
    }
    expect(server.pendingRequests).toBe(before)
  })

  test.each([
    ['longer', 2],
    ['shorter', 4],
  ])('%s than announced is never taken for whole', async (_what, length) => {
    const stream = new PieceStream('abc')
    expect(await outcomeOf(ask(client, url, { method: 'POST', body: { stream, length } }))).toContain(
      'upstream_unreachable',
    )
    await Bun.sleep(20)
    expect(got).toEqual([])
  })

  test.each([10, undefined])(
    'that breaks off breaks the request, and its reason is told: length %p',
    async (length) => {
      const stream = new PieceStream('abc', Bun.sleep(5), new ClientClosed('It left.'))
      expect(await outcomeOf(ask(client, url, { method: 'POST', body: { stream, length } }))).toBe(
        'client_closed: It left.',
      )
      await Bun.sleep(20)
      expect(got).toEqual([])
    },
  )

  test('is given up when the call is', async () => {
    const stream = new PieceStream('abc', never)
    const controller = new AbortController()
    const asked = outcomeOf(
      ask(client, url, { method: 'POST', body: { stream, length: 9 }, signal: controller.signal }),
    )
    await Bun.sleep(20)
    controller.abort()
    expect(await asked).toContain('client_closed')
    expect(stream.cancelled).toBeGreaterThan(0)
  })

  test('is not read before there is a connection', async () => {
    const stream = new PieceStream('abc')
    const refused = ask(client, 'http://127.0.0.1:1/', { method: 'POST', body: { stream, length: 3 } })
    expect(await outcomeOf(refused)).toContain('upstream_unreachable')
    expect([stream.taken, stream.cancelled]).toEqual([0, 0])
  })
})

describe('the deadlines of an upload', () => {
  test('waits for whoever sends it are not the provider’s, and the answer is waited for when all is sent', async () => {
    const stream = new PieceStream('a', Bun.sleep(400), 'b', Bun.sleep(400), 'c')
    expect(await outcomeOf(ask(client, url, { method: 'POST', body: { stream, length: 3 }, deadlines }))).toBe('ok')
    answer = () => never
    const silent = ask(client, url, { method: 'POST', body: { stream: new PieceStream('abc'), length: 3 }, deadlines })
    expect(await outcomeOf(silent)).toContain('first_byte_timeout')
  })

  test('a server that takes nothing is left', async () => {
    const deaf = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { open: (socket) => socket.pause(), data() {} } })
    const stream = new PieceStream(...Array<Uint8Array>(20).fill(LARGE))
    const asked = ask(client, `http://127.0.0.1:${deaf.port}/`, {
      method: 'POST',
      body: { stream, length: 20 * LARGE.length },
      deadlines,
    })
    expect(await outcomeOf(asked)).toContain('took nothing of the request body for 300 ms')
    // What the system holds for it, and not what there is.
    expect(stream.taken).toBeLessThan(20 * LARGE.length)
    expect(stream.cancelled).toBeGreaterThan(0)
    deaf.stop(true)
  })
})

describe('an answer that comes before the body is sent', () => {
  test.each([413, 401, 302])('%i: the rest is not read', async (status) => {
    answer = async () => new Response('no', { status })
    const stream = new PieceStream('abc', never)
    const response = await ask(client, url, { method: 'POST', body: { stream, length: 9 } })
    expect([response.status, await textOf(response)]).toEqual([status, 'no'])
    expect(stream.cancelled).toBeGreaterThan(0)
    // The connection is of no use any more.
    expect(await outcomeOf(ask(client, url))).toBe('no')
  })

  test('200: its body comes beside the request', async () => {
    answer = async (request) => new Response(request.body)
    const { promise, resolve } = Promise.withResolvers<void>()
    const stream = new PieceStream('abc', promise, 'def')
    const response = await ask(client, url, { method: 'POST', body: { stream, length: undefined } })
    expect(Buffer.from((await nextPiece(response.body)) ?? []).toString()).toBe('abc')
    resolve()
    expect(await textOf(response)).toBe('def')
  })
})
