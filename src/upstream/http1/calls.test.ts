import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { nextPiece } from '../../core/bodies/ready-stream.ts'
import { ClientClosed } from '../../errors/gateway-error.ts'
import { ask, type Client, createClient, outcomeOf, textOf } from './test-support/client.ts'
import { type ScriptedServer, type Step, startScriptedServer } from './test-support/scripted-server.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'

let server: ScriptedServer
let client: Client
let url: string
beforeEach(async () => {
  server = await startScriptedServer(() => [OK])
  client = createClient()
  url = `http://127.0.0.1:${server.port}/v1`
})
afterEach(async () => {
  client.close()
  await server.close()
})

const until = async (holds: () => boolean): Promise<void> => {
  for (let left = 2_000; !holds() && left > 0; left--) await Bun.sleep(1)
  expect(holds()).toBe(true)
}

describe('a call', () => {
  test('brings status, headers and body as they were sent', async () => {
    server.play = () => [
      'HTTP/1.1 418 x\r\nX-A: \u00e9\r\nx-a: 2\r\ncontent-length: 3\r\nserver: s\r\n\r\n\u0000\u00ff\n',
    ]
    const answer = await ask(client, `${url}?a=%20`, { method: 'PATCH', headers: { 'x-own': 'y' }, body: 'b\u00f6dy' })
    expect([answer.status, [...answer.headers]]).toEqual([418, [['x-a', '\u00e9, 2']]])
    expect(await textOf(answer)).toBe('\u0000\u00ff\n')
    expect(server.seen[0]?.text).toBe(
      `PATCH /v1?a=%20 HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\naccept-encoding: identity\r\nx-own: y\r\naccept: */*\r\ncontent-length: 5\r\n\r\nb\u00c3\u00b6dy`,
    )
  })

  test('sends a body of any size, to a server that takes its time', async () => {
    for (const body of [
      '',
      'x',
      new Uint8Array(70_000).fill(7),
      '\u20ac'.repeat(2_000_000),
      new Uint8Array(8_000_000),
    ]) {
      expect(await outcomeOf(ask(client, url, { method: 'POST', body }))).toBe('ok')
      const { text = '' } = server.seen.at(-1) ?? {}
      const sent = Buffer.from(text.slice(text.indexOf('\r\n\r\n') + 4), 'latin1')
      expect(Buffer.compare(sent, typeof body === 'string' ? Buffer.from(body) : Buffer.from(body))).toBe(0)
    }
    expect(server.connections).toBe(1)
  })

  test('may be answered before its body is sent; then the connection is of no use any more', async () => {
    const early = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open(socket) {
          socket.pause()
          socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\n\r\nbig')
        },
        data() {},
      },
    })
    const answer = await ask(client, `http://127.0.0.1:${early.port}/`, {
      method: 'POST',
      body: new Uint8Array(50_000_000),
    })
    expect([answer.status, await textOf(answer)]).toEqual([413, 'big'])
    early.stop(true)
  })

  test('a header that could be read as two is never sent', async () => {
    await expect(ask(client, `${url}/a\r\nx: y`)).rejects.toThrow('refused')
    expect(server.seen).toEqual([])
  })

  test('reads an answer byte by byte', async () => {
    const text = `HTTP/1.1 100 Continue\r\n\r\n${CHUNKED}3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`
    server.play = () => [...text].flatMap((byte): Step[] => [byte, 1])
    expect(await outcomeOf(ask(client, url))).toBe('hello')
    server.play = () => [OK]
    expect(await outcomeOf(ask(client, url))).toBe('ok')
    expect(server.connections).toBe(1)
  })

  test.each<[string, readonly Step[]]>([
    ['no HTTP', ['SSH-2.0-OpenSSH\r\n', 'stay']],
    ['two lengths', ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok', 'stay']],
    ['a length and chunks', [`${CHUNKED.slice(0, -2)}content-length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`, 'stay']],
    ['a bad chunk', [`${CHUNKED}2\r\nok\r\nzz\r\n`, 'stay']],
    ['a head without an end', [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(70_000)}`, 'stay']],
    ['too many headers', [`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(300)}\r\n`, 'stay']],
    ['half a head', ['HTTP/1.1 200 OK\r\nx:', 'end']],
    ['half a body', ['HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nok', 'end']],
    ['half a chunk', [`${CHUNKED}5\r\nok`, 'end']],
    ['no last chunk', [`${CHUNKED}2\r\nok\r\n`, 'end']],
    ['a reset', ['HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nok', 20, 'reset']],
    ['a reset at its end', ['HTTP/1.1 200 OK\r\n\r\nok', 20, 'reset']],
    ['nothing', ['end']],
  ])('fails, and closes its connection, when the server sends %s', async (_name, steps) => {
    server.play = () => steps
    expect(await outcomeOf(ask(client, url))).toMatch(
      /^upstream_unreachable: No answer from '127\.0\.0\.1:\d+': [A-Z_]+\.$/,
    )
    await until(() => server.open === 0)
  })
})

describe('a call that is given up', () => {
  const giveUp = () => {
    const controller = new AbortController()
    return { signal: controller.signal, leave: () => controller.abort(new ClientClosed('left')) }
  }

  test('before it began makes no connection', async () => {
    const { signal, leave } = giveUp()
    leave()
    await expect(ask(client, url, { signal })).rejects.toThrow('left')
    expect(server.connections).toBe(0)
  })

  test('while its name is looked up does not wait for that', async () => {
    const never = createClient({ lookup: () => new Promise(() => undefined) })
    const { signal, leave } = giveUp()
    const answer = ask(never, `http://a.test:${server.port}/`, { signal })
    leave()
    await expect(answer).rejects.toThrow('left')
    const late = ask(never, `http://a.test:${server.port}/`, {
      deadlines: { connectMs: 5_000, firstByteMs: 20, idleMs: 5_000, totalMs: 5_000 },
    })
    await expect(late).rejects.toThrow('did not begin to answer within 20 ms')
    expect(server.connections).toBe(0)
    never.close()
  })

  test('before it is answered breaks its connection', async () => {
    server.play = () => ['stay']
    const { signal, leave } = giveUp()
    const answer = ask(client, url, { signal })
    await until(() => server.seen.length === 1)
    leave()
    await expect(answer).rejects.toThrow('left')
    await until(() => server.open === 0)
  })

  test('in the middle of its body breaks its connection, whoever waits or comes later', async () => {
    server.play = () => [`${CHUNKED}1\r\na\r\n`, 'stay']
    const { signal, leave } = giveUp()
    const { body } = await ask(client, url, { signal })
    await nextPiece(body)
    const waiting = nextPiece(body)
    leave()
    await expect(waiting).rejects.toThrow('left')
    await expect(nextPiece(body)).rejects.toThrow('left')
    await until(() => server.open === 0)
  })

  test('when all of its body is here gives none of it, and leaves the connection to others', async () => {
    const { signal, leave } = giveUp()
    const { body } = await ask(client, url, { signal })
    await Bun.sleep(10)
    leave()
    await expect(nextPiece(body)).rejects.toThrow('left')
    expect(await outcomeOf(ask(client, url))).toBe('ok')
    expect(server.connections).toBe(1)
  })

  test('after its body was read changes nothing', async () => {
    const { signal, leave } = giveUp()
    const answer = await ask(client, url, { signal })
    expect(await textOf(answer)).toBe('ok')
    leave()
    expect(await nextPiece(answer.body)).toBeUndefined()
    expect(await outcomeOf(ask(client, url))).toBe('ok')
    expect(server.connections).toBe(1)
  })

  test('by its reader frees the connection too', async () => {
    server.play = () => [`${CHUNKED}1\r\na\r\n`, 'stay']
    for (let round = 0; round < 50; round++) {
      const { body } = await ask(client, url)
      await nextPiece(body)
      body.cancel()
      body.cancel()
      expect(await nextPiece(body)).toBeUndefined()
    }
    await until(() => server.open === 0)
  })

  test('while it is dialled leaves its connection to the next call', async () => {
    const { signal, leave } = giveUp()
    const answer = ask(client, url, { signal })
    await Promise.resolve()
    leave()
    await expect(answer).rejects.toThrow('left')
    await Bun.sleep(20)
    expect(await outcomeOf(ask(client, url))).toBe('ok')
    expect(server.connections).toBeLessThanOrEqual(2)
  })
})

describe('addresses', () => {
  test('are tried in order while they refuse', async () => {
    const many = createClient({ lookup: async () => ['127.0.0.3', '127.0.0.2', '127.0.0.1'] })
    expect(await outcomeOf(ask(many, `http://many.test:${server.port}/`))).toBe('ok')
    // An idle connection to any of them is better than a new one.
    expect(await outcomeOf(ask(many, `http://many.test:${server.port}/`))).toBe('ok')
    expect(server.connections).toBe(1)
    many.close()
  })

  test('that all refuse are told with the reason', async () => {
    const many = createClient({ lookup: async () => ['127.0.0.3', '127.0.0.2'] })
    expect(await outcomeOf(ask(many, `http://many.test:${server.port}/`))).toBe(
      `upstream_unreachable: No answer from 'many.test:${server.port}': ECONNREFUSED.`,
    )
    many.close()
  })

  test('are not tried further once one was reached', async () => {
    server.play = () => ['end']
    const many = createClient({ lookup: async () => ['127.0.0.1', '127.0.0.2'] })
    expect(await outcomeOf(ask(many, `http://many.test:${server.port}/`))).toContain('ECONNRESET')
    expect(server.connections).toBe(1)
    many.close()
  })

  test('of IPv6 are dialled as they are', async () => {
    const six = Bun.serve({ hostname: '::1', port: 0, fetch: (request) => new Response(request.headers.get('host')) })
    expect(await outcomeOf(ask(client, `http://[::1]:${six.port}/`))).toBe(`[::1]:${six.port}`)
    await six.stop(true)
  })
})
