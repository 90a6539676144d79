import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import { nextPiece } from '../../core/bodies/ready-stream.ts'
import { ask, type Client, createClient, outcomeOf, textOf } from './test-support/client.ts'
import { type ScriptedServer, type Step, startScriptedServer } from './test-support/scripted-server.ts'

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
const FOREIGN = 'HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nforeign'

let server: ScriptedServer
let client: Client
let nowMs = 0
let url: string
beforeEach(async () => {
  server = await startScriptedServer(() => [OK])
  nowMs = 0
  client = createClient({ now: () => performance.now() + nowMs, probationMs: 1_000 })
  url = `http://127.0.0.1:${server.port}/`
})
afterEach(async () => {
  client.close()
  await server.close()
})

const call = (hostOwner?: string): Promise<string> =>
  outcomeOf(ask(client, url, { method: 'POST', body: 'x', hostOwner }))
const until = async (holds: () => boolean): Promise<void> => {
  for (let left = 2_000; !holds() && left > 0; left--) await Bun.sleep(1)
  expect(holds()).toBe(true)
}
/** The server becomes known for sending what it should. */
const trust = async (): Promise<void> => {
  for (let round = 0; round <= 100; round++) {
    await call()
    nowMs += 1_001
  }
}
const used = (): number[] => server.seen.map(({ connection }) => connection)

describe('a connection is used again', () => {
  test('once it was left alone for a while', async () => {
    await call()
    nowMs += 500
    await call()
    nowMs += 600
    await call()
    await call()
    expect(used()).toEqual([1, 2, 1, 3])
  })

  test('at once, when its server has done so a hundred times', async () => {
    await trust()
    await call()
    await call()
    expect(server.connections).toBe(1)
  })

  test('only after the network was looked at behind the answer', async () => {
    await trust()
    expect(await textOf(await ask(client, url))).toBe('ok')
    const answer = await ask(client, url)
    expect(Buffer.from((await nextPiece(answer.body)) ?? []).toString()).toBe('ok')
    expect(await call()).toBe('ok')
    expect(used().slice(-3)).toEqual([1, 1, 2])
  })

  test.each<[string, string, string]>([
    ['HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'],
    ['a 204', 'POST', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['a 304', 'GET', 'HTTP/1.1 304 Not Modified\r\n\r\n'],
  ])('never behind %s', async (_name, method, answer) => {
    await trust()
    server.play = () => [answer, 'stay']
    expect(await outcomeOf(ask(client, url, { method }))).toBe('')
    expect(server.seen.at(-1)?.connection).toBe(1)
    await until(() => server.open === 0)
  })

  test('by calls of one workspace alone, where that chose the host', async () => {
    await call('a')
    await call('b')
    await call()
    nowMs += 1_001
    for (const owner of ['a', 'b', undefined]) await call(owner)
    expect(used()).toEqual([1, 2, 3, 1, 2, 3])
  })
})

describe('where a server sends what nobody asked for', () => {
  const surplus = (...steps: readonly Step[]): void => {
    server.play = ({ connection }) => (connection === 2 ? steps : [OK])
  }
  /** The server is trusted, and has two connections. */
  const twoConnections = async (): Promise<void> => {
    await trust()
    await Promise.all([call(), call()])
  }

  test.each<[string, readonly Step[]]>([
    ['in one go with its answer', [OK + FOREIGN]],
    ['behind its answer', [OK, 5, FOREIGN]],
  ])('no connection is used again for ten minutes: %s', async (_name, steps) => {
    surplus(...steps, 'stay')
    await twoConnections()
    await until(() => server.open === 0)
    const before = server.connections
    expect([await call(), await call()]).toEqual(['ok', 'ok'])
    nowMs += 599_000
    expect([await call(), await call()]).toEqual(['ok', 'ok'])
    expect(server.connections).toBe(before + 4)
    nowMs += 2_000
    await call()
    nowMs += 1_001
    await call()
    expect(server.connections).toBe(before + 5)
  })

  test('long after its answer, that connection alone is closed: it says goodbye', async () => {
    await twoConnections()
    const goodbye = Promise.withResolvers<void>()
    server.play = ({ connection }) => (connection === 1 ? [OK] : [OK, goodbye.promise, FOREIGN, 'end'])
    await Promise.all([call(), call()])
    nowMs += 1_001
    goodbye.resolve()
    await until(() => server.open === 1)
    expect(await call()).toBe('ok')
    expect(server.connections).toBe(2)
  })

  test('instead of an answer, none is kept', async () => {
    await trust()
    server.play = ({ turn }) => (turn === 102 ? ['rest of a body\r\n\r\n', 'stay'] : [OK])
    expect(await call()).toContain('MALFORMED_ANSWER')
    await call()
    nowMs += 1_001
    await call()
    expect(used().slice(-3)).toEqual([1, 2, 3])
  })
})

/** More by hand: `SURPLUS_ANSWERS=200000 bun test src/upstream/http1/surplus.test.ts` takes some minutes. */
const ANSWERS = Number(process.env.SURPLUS_ANSWERS ?? 4_000)
const CALLS_PER_SERVER = 80

/** A clock that stands still while the machine does: the servers are late by as much then. */
const unfrozen = (): (() => number) => {
  let atMs = 0
  let readMs = performance.now()
  return () => {
    const nowMs = performance.now()
    atMs += Math.min(nowMs - readMs, 5)
    readMs = nowMs
    return atMs
  }
}

describe('servers that send more than they should, at random', () => {
  let random: Server
  beforeEach(async () => {
    random = createServer((socket) => {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('data', (bytes) => {
        const [method = '', path = ''] = bytes.toString('latin1').split(' ')
        const own = `own ${path}`
        const often = Number(new URL(path, 'http://x').searchParams.get('often'))
        const late = Math.random() < often
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${own.length}\r\n\r\n${method === 'HEAD' ? '' : own}`)
        if (!late) return
        const wait = Math.random()
        const more = (): void => void (socket.destroyed || socket.write(FOREIGN))
        if (wait < 0.2) more()
        else if (wait < 0.4) setImmediate(more)
        else setTimeout(more, Math.floor(wait * 6))
      })
    })
    await new Promise<void>((resolve) => random.listen(0, '0.0.0.0', 1_024, resolve))
  })
  afterEach(() => random.close())

  test(`never give one call what belongs to another, in ${ANSWERS} answers`, async () => {
    const address = random.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    let answers = 0
    let foreign = 0
    for (let host = 0; answers < ANSWERS; host++) {
      // Every address is another server to the client, and every client knows none of them yet.
      const fresh = createClient({ now: unfrozen(), probationMs: 50 })
      const base = `http://127.0.${1 + (Math.floor(host / 250) % 250)}.${1 + (host % 250)}:${port}/${host}`
      const often = [1, 0.5, 0.2][host % 3]
      const lane = async (name: number): Promise<void> => {
        for (let turn = 0; turn < CALLS_PER_SERVER / 8; turn++) {
          const to = `${base}/${name}/${turn}?often=${often}`
          const method = turn % 7 === 6 ? 'HEAD' : 'POST'
          const text = await outcomeOf(ask(fresh, to, { method, body: 'x' }))
          answers++
          if (text !== (method === 'HEAD' ? '' : `own ${new URL(to).pathname}${new URL(to).search}`)) foreign++
          if (Math.random() < 0.2) await Bun.sleep(Math.random() * 12)
        }
      }
      await Promise.all(Array.from({ length: 8 }, (_, name) => lane(name)))
      fresh.close()
    }
    expect(foreign).toBe(0)
  }, 1_800_000)
})
