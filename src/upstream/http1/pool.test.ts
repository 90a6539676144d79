import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { ask, type Client, createClient, outcomeOf, textOf } from './test-support/client.ts'
import { type ScriptedServer, startScriptedServer } from './test-support/scripted-server.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const reply = (...lines: string[]): string => ['HTTP/1.1 200 OK', 'content-length: 2', ...lines, '', 'ok'].join('\r\n')

let server: ScriptedServer
let client: Client
let nowMs = 0
let url: string
beforeEach(async () => {
  server = await startScriptedServer(() => [OK])
  nowMs = 0
  client = createClient({ now: () => performance.now() + nowMs })
  url = `http://127.0.0.1:${server.port}/v1`
})
afterEach(async () => {
  client.close()
  await server.close()
})

const call = (options: Parameters<typeof ask>[2] = { method: 'POST', body: 'x' }): Promise<string> =>
  outcomeOf(ask(client, url, options))
const until = async (holds: () => boolean): Promise<void> => {
  for (let left = 2_000; !holds() && left > 0; left--) await Bun.sleep(1)
  expect(holds()).toBe(true)
}
/** Connections by the order of the requests that came on them. */
const used = (): number[] => server.seen.map(({ connection }) => connection)

describe('connections', () => {
  test('serve one call after the other', async () => {
    for (let round = 0; round < 1_000; round++) expect(await call()).toBe('ok')
    expect(server.connections).toBe(1)
  })

  test('are as many as there are calls at once, and no more', async () => {
    server.play = () => [2, OK]
    for (let round = 0; round < 20; round++) {
      expect(await Promise.all(Array.from({ length: 50 }, () => call()))).toEqual(Array(50).fill('ok'))
    }
    expect(server.connections).toBeLessThanOrEqual(50)
  })

  test('carry 400 calls at once', async () => {
    let waiting = 0
    const all = Promise.withResolvers<void>()
    server.play = () => {
      if (++waiting === 400) all.resolve()
      return [all.promise, OK]
    }
    const calls = Array.from({ length: 400 }, () => call())
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['ok']))
    expect(server.connections).toBe(400)
  })

  test('are free as soon as the last byte is here, read or not', async () => {
    const first = await ask(client, url)
    await Bun.sleep(20)
    expect(await call()).toBe('ok')
    expect(await textOf(first)).toBe('ok')
    expect(server.connections).toBe(1)
  })

  test('that were used last are used first', async () => {
    server.play = () => [5, OK]
    await Promise.all([call(), call(), call()])
    const before = used().length
    for (let round = 0; round < 5; round++) await call()
    expect(new Set(used().slice(before)).size).toBe(1)
  })

  test('are kept to one address and port, whatever name they are for', async () => {
    const names = createClient({ lookup: async () => ['127.0.0.1'] })
    for (const name of ['a.test', 'b.test']) await textOf(await ask(names, `http://${name}:${server.port}/`))
    expect(server.connections).toBe(1)
    expect(server.seen.map(({ text }) => /host: (.*)\r/.exec(text)?.[1])).toEqual([
      `a.test:${server.port}`,
      `b.test:${server.port}`,
    ])
    names.close()
  })

  test.each<[string, string, readonly ('end' | 'stay')[]]>([
    ['says so', reply('connection: close'), ['stay']],
    ['speaks HTTP/1.0', OK.replace('1.1', '1.0'), ['stay']],
    ['keeps it for no time', reply('keep-alive: timeout=1'), ['stay']],
    ['ends its body with it', 'HTTP/1.1 200 OK\r\n\r\nok', ['end']],
    ['sends more than it said', `${OK}HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nevil`, ['stay']],
  ])('are not used again when the server %s', async (_why, answer, then) => {
    server.play = () => [answer, ...then]
    expect(await call()).toBe('ok')
    await until(() => server.open === 0)
    expect(await call()).toBe('ok')
    expect(used()).toEqual([1, 2])
  })

  test('are not used again when something comes on them unasked', async () => {
    server.play = ({ turn, connection }) => (turn === 1 && connection === 1 ? [OK, 20, OK, 'stay'] : [OK])
    expect(await call()).toBe('ok')
    await until(() => server.open === 0)
    expect(await call()).toBe('ok')
    expect(used()).toEqual([1, 2])
  })

  test('are not used again when the server closed them in the meantime', async () => {
    expect(await call()).toBe('ok')
    server.hangUp()
    await until(() => server.open === 0)
    expect(await call()).toBe('ok')
    expect(used()).toEqual([1, 2])
  })

  test.each([
    ['30 s', OK, 29_000, 31_000],
    ['a second less than the server', reply('keep-alive: timeout=5'), 3_000, 4_500],
    ['30 s at most', reply('keep-alive: timeout=600'), 29_000, 31_000],
  ])('are kept idle for %s', async (_name, answer, shortMs, longMs) => {
    server.play = () => [answer]
    await call()
    nowMs += shortMs
    await call()
    expect(server.connections).toBe(1)
    nowMs += longMs
    await call()
    expect(server.connections).toBe(2)
    await until(() => server.open === 1)
  })

  test('that are idle for too long are closed although nobody comes', async () => {
    await call()
    nowMs += 31_000
    await until(() => server.open === 0)
  }, 10_000)

  test('are closed with the client', async () => {
    server.play = () => [5, OK]
    await Promise.all([call(), call()])
    const running = call()
    await Bun.sleep(1)
    client.close()
    // What runs is not cut off, and leaves nothing behind.
    expect(await running).toBe('ok')
    await until(() => server.open === 0)
  })
})

describe('a connection that turns out to be dead', () => {
  /** The second request on the first connection meets its end. */
  const dying = (how: 'end' | 'reset', before: readonly string[] = []) => {
    server.play = ({ connection, turn }) => (connection === 1 && turn === 2 ? [...before, how] : [OK])
  }

  test.each(['end', 'reset'] as const)(
    'before a byte of an answer: what may be done twice is sent again (%s)',
    async (how) => {
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
        const fresh = await startScriptedServer(({ connection, turn }) =>
          connection === 1 && turn === 2 ? [how] : [OK],
        )
        const to = `http://127.0.0.1:${fresh.port}/`
        await outcomeOf(ask(client, to))
        expect(await outcomeOf(ask(client, to, { method }))).toBe(method === 'HEAD' ? '' : 'ok')
        expect(fresh.seen.map(({ connection }) => connection)).toEqual([1, 1, 2])
        await fresh.close()
      }
    },
  )

  test.each(['end', 'reset'] as const)('a POST that went out is not sent again (%s)', async (how) => {
    dying(how)
    await call()
    expect(await call()).toContain('upstream_unreachable')
    expect(used()).toEqual([1, 1])
  })

  test('in the middle of an answer is a failure for every method', async () => {
    dying('end', ['HTTP/1.1 200 OK\r\n'])
    await call()
    expect(await call({ method: 'GET' })).toContain('upstream_unreachable')
    expect(used()).toEqual([1, 1])
  })

  test('although it is new: nothing is sent again', async () => {
    server.play = () => ['end']
    expect(await call({ method: 'GET' })).toContain('upstream_unreachable')
    expect(server.connections).toBe(1)
  })

  test('twice: it is sent again once', async () => {
    server.play = ({ connection, turn }) => (connection === 1 && turn === 1 ? [OK] : ['end'])
    await call()
    expect(await call({ method: 'GET' })).toContain('upstream_unreachable')
    expect(used()).toEqual([1, 1, 2])
  })
})
