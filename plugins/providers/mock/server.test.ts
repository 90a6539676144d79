import { afterEach, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { jsonPlan } from './plan.ts'
import { type MockServer, type MockServerOptions, startMockServer } from './server.ts'
import { requestBody } from './test-support/fault-kit.ts'
import { rawCall } from './test-support/raw-client.ts'
import { content, dataOf, text } from './test-support/stream.ts'

const servers: MockServer[] = []
const start = async (options?: MockServerOptions) => {
  const server = await startMockServer(options)
  servers.push(server)
  return server
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

describe('what arrived', () => {
  test('is kept as it came: headers, body, outcome', async () => {
    const server = await start()
    const headers = { 'X-One': 'a', 'x-one': 'b', Authorization: 'Bearer k' }
    const body = '{"model": "mock", "messages": [{"role":"user","content":"é"}]}'
    await rawCall({ port: server.port, body, headers })
    await server.idle()
    const [request] = server.requests
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions', outcome: 'completed' })
    expect(request?.headers.get('x-one')).toBe('a, b')
    expect(request?.rawHeaders).toContain('X-One')
    expect(Buffer.from(request?.body ?? []).toString()).toBe(body)
    expect(request?.bodyBytes).toBe(Buffer.byteLength(body))
    expect((request?.endedMs ?? 0) - (request?.arrivedMs ?? 0)).toBeGreaterThanOrEqual(0)
    expect(server.counters).toEqual({ received: 1, open: 0, completed: 1, aborted: 0 })
  })

  test('is bounded in number and in size', async () => {
    const server = await start({ maxRecorded: 2, maxRecordedBodyBytes: 10 })
    for (const path of ['/a', '/b', '/c']) await rawCall({ port: server.port, path, body: 'x'.repeat(1000) })
    expect(server.requests.map(({ path, body, bodyBytes }) => [path, body.length, bodyBytes])).toEqual([
      ['/b', 10, 1000],
      ['/c', 10, 1000],
    ])
    const silent = await start({ maxRecorded: 0 })
    await rawCall({ port: silent.port, path: '/a' })
    expect([silent.requests.length, silent.counters.received]).toEqual([0, 1])
  })

  test('tells a client that left during the body from one that was answered', async () => {
    const server = await start()
    const body = { ...requestBody(true), mock: { intervalMs: 3_600_000 } }
    await rawCall({ port: server.port, body, until: (seen) => seen.includes('data: ') })
    await server.idle()
    expect(server.counters).toMatchObject({ completed: 0, aborted: 1 })
  })

  test('counts a request that never came whole as aborted', async () => {
    const server = await start()
    const socket = connect({ port: server.port, host: '127.0.0.1' }, () => {
      socket.write('POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"model"')
    })
    while (server.counters.received === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(server.counters.open).toBe(1)
    socket.destroy()
    await server.idle()
    expect(server.counters).toEqual({ received: 1, open: 0, completed: 0, aborted: 1 })
    expect(server.requests[0]?.bodyBytes).toBe(0)
  })
})

describe('connections', () => {
  test('are reused', async () => {
    const server = await start()
    const ports = new Set<string | undefined>()
    for (let index = 0; index < 5; index++) {
      const answer = await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        body: JSON.stringify(requestBody(index % 2 === 0)),
      })
      await answer.text()
      ports.add(answer.headers.get('connection') ?? undefined)
    }
    expect([...ports]).toEqual(['keep-alive'])
    expect(server.counters.completed).toBe(5)
  })

  test('close ends all of them at once, waiting ones too', async () => {
    let arrived = 0
    const everyoneIsHere = Promise.withResolvers<void>()
    const server = await start({
      onRequest: () => {
        if (++arrived === 4) everyoneIsHere.resolve()
      },
    })
    const calls = [
      { fault: 'never-answer' },
      { fault: 'hang-mid-stream' },
      { latencyMs: 3_600_000 },
      { intervalMs: 3_600_000 },
    ].map((mock) => rawCall({ port: server.port, body: requestBody(true, mock) }))
    await everyoneIsHere.promise
    const startedMs = performance.now()
    await server.close()
    expect(performance.now() - startedMs).toBeLessThan(5_000)
    for (const answer of await Promise.all(calls)) expect(text(answer)).not.toContain('[DONE]')
    expect(server.counters).toMatchObject({ open: 0, completed: 0, aborted: 0 })
    expect(server.requests.map(({ outcome }) => outcome)).toEqual(['stopped', 'stopped', 'stopped', 'stopped'])
  })

  test('a client that does not read is waited for, and holds no memory', async () => {
    const written: number[] = []
    const server = await start({
      answer: () => ({
        head: { status: 200, headers: {} },
        pieces: (function* () {
          for (let index = 0; index < 2000; index++) {
            written.push(index)
            yield Buffer.alloc(64 * 1024)
          }
        })(),
        ending: 'end',
      }),
    })
    const socket = connect({ port: server.port, host: '127.0.0.1' }, () => {
      socket.pause()
      socket.write('GET /x HTTP/1.1\r\nHost: x\r\n\r\n')
    })
    // Written is only what the buffers of the two sockets take; then it stands still.
    let before = -1
    while (written.length === 0 || written.length > before) {
      before = written.length
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    expect(written.length).toBeLessThan(1000)
    socket.destroy()
    await server.idle()
    expect(server.counters.aborted).toBe(1)
  })
})

describe('pace', () => {
  test('latency and interval are kept', async () => {
    const server = await start()
    const startedMs = performance.now()
    const body = requestBody(true, { latencyMs: 30, intervalMs: 10 })
    const answer = await rawCall({ port: server.port, body })
    const events = dataOf(answer).length
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(30 + (events - 1) * 10 - events)
    expect(answer.reads).toBeGreaterThanOrEqual(events)
  })

  test('chunkBytes cuts the body without changing it', async () => {
    const server = await start()
    const whole = await rawCall({ port: server.port, body: requestBody(true, {}) })
    for (const chunkBytes of [1, 7, 100]) {
      const cut = await rawCall({ port: server.port, body: requestBody(true, { chunkBytes }) })
      expect(content(dataOf(cut))).toBe(content(dataOf(whole)))
      expect(cut.rawBody.toString('latin1')).toStartWith(`${chunkBytes.toString(16)}\r\n`)
    }
  })
})

describe('times', () => {
  const statuses = async (server: MockServer, bodies: readonly unknown[]) => {
    const seen: number[] = []
    for (const body of bodies) seen.push((await rawCall({ port: server.port, body })).status)
    return seen
  }

  test('lets a fault hit so many requests, then answers', async () => {
    const server = await start()
    const body = requestBody(false, { fault: 'overloaded', times: 2 })
    expect(await statuses(server, [body, body, body, body])).toEqual([529, 529, 200, 200])
  })

  test('counts each body, or each key, for itself', async () => {
    const server = await start()
    const withKey = (key: string, n: number) => requestBody(false, { fault: 'overloaded', times: 1, key }, { n })
    expect(await statuses(server, [withKey('a', 1), withKey('a', 2), withKey('b', 1)])).toEqual([529, 200, 529])
  })
})

describe('another upstream', () => {
  test('that fails says so', async () => {
    const server = await start({
      answer: () => {
        throw new Error('no plan')
      },
    })
    const answer = await rawCall({ port: server.port })
    expect(answer.status).toBe(500)
    expect(text(answer)).toContain('no plan')
  })

  test('may answer in its own wire format, or leave it to the mock', async () => {
    const server = await start({
      answer: ({ path }, body) =>
        path === '/messages' ? jsonPlan(201, { type: 'message', bytes: body.length }) : undefined,
    })
    const own = await rawCall({ port: server.port, path: '/messages', body: 'abc' })
    expect([own.status, text(own)]).toEqual([201, '{"type":"message","bytes":3}'])
    expect((await rawCall({ port: server.port, body: requestBody(false) })).status).toBe(200)
  })
})
