import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { createServer, type Server } from 'node:net'
import { startMockServer } from '../../../plugins/providers/mock/server.ts'
import { text } from '../../../plugins/providers/mock/test-support/stream.ts'
import { systemClock } from '../../../src/observe/clock.ts'
import { egressCorpus, LOOKUPS } from './support/egress-corpus.ts'
import { ascii, fitsHeader } from './support/host-ways.ts'
import { CALL_HEADERS, chat, type Probe, startProbe } from './support/probe.ts'
import { expectNothingInternal } from './support/wire.ts'

/** Listens on every address of the machine and counts who comes. */
const canary = { connects: 0, port: 0 }
let listener: Server
let probe: Probe
const lookups: string[] = []
let clockMs = 0

beforeAll(async () => {
  listener = createServer((socket) => {
    canary.connects++
    socket.destroy()
  })
  await new Promise<void>((resolve) => listener.listen(0, resolve))
  const address = listener.address()
  canary.port = typeof address === 'object' && address !== null ? address.port : 0
  probe = await startProbe({
    config: { egress: { trustedHosts: [] } },
    deps: {
      lookup: async (hostname) => {
        const found = LOOKUPS[hostname]
        if (found === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
        return found
      },
    },
  })
})
afterAll(async () => {
  await probe.close()
  await new Promise((resolve) => listener.close(resolve))
})
beforeEach(() => {
  canary.connects = 0
  lookups.length = 0
})

const body = JSON.stringify(chat())
const post = async (headers: Readonly<Record<string, string>>) => {
  const response = await fetch(`${probe.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...CALL_HEADERS, ...headers },
    body,
  })
  const answer = await response.text()
  expectNothingInternal(answer)
  return { status: response.status, code: JSON.parse(answer).error?.code as string, answer }
}
describe('a host that the caller chose', () => {
  test('the canary can be reached, so its silence means something', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { connect } = await import('node:net')
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      connect({ host, port: canary.port })
        .on('close', () => resolve())
        .on('error', () => undefined)
      await promise
    }
    expect(canary.connects).toBeGreaterThan(0)
  })

  test('never leads inside, however it is written: by header and by config', async () => {
    const corpus = egressCorpus(canary.port)
    expect(new Set(corpus).size).toBeGreaterThanOrEqual(350)
    const failures: string[] = []
    for (const url of corpus) {
      const ways: Readonly<Record<string, string>>[] = [
        { 'x-gateway-config': ascii({ provider: 'probe', custom_host: url }) },
        { 'x-gateway-config': ascii({ targets: [{ provider: 'probe', customHost: url }] }) },
        ...(fitsHeader(url) ? [{ 'x-gateway-custom-host': url }] : []),
      ]
      for (const headers of ways) {
        const { status, code } = await post(headers)
        const refused = status === 400 && code === 'egress_refused'
        // A name that nobody knows is refused by the name service.
        const unknown = status === 502 && code === 'upstream_unreachable' && canary.connects === 0
        if (!refused && !(unknown && /nothing\.attacker/.test(url)))
          failures.push(`${JSON.stringify(headers)} → ${status} ${code}`)
      }
    }
    expect(failures).toEqual([])
    expect(canary.connects).toBe(0)
  }, 30_000)

  test('is the same for a stream, for embeddings and for the list of models', async () => {
    const host = { ...CALL_HEADERS, 'x-gateway-custom-host': `http://127.0.0.1:${canary.port}/v1` }
    for (const [method, path, payload] of [
      ['POST', '/v1/chat/completions', JSON.stringify(chat({}, { stream: true }))],
      ['POST', '/v2/embeddings', JSON.stringify({ model: 'm', input: 'x' })],
      ['GET', '/v1/models', undefined],
    ] as const) {
      const response = await fetch(`${probe.gateway.url}${path}`, {
        method,
        headers: host,
        ...(payload === undefined ? {} : { body: payload }),
      })
      expect([path, response.status]).toEqual([path, 400])
      expect(await response.text()).toContain('"egress_refused"')
    }
    expect(canary.connects).toBe(0)
  })
})

describe('redirects', () => {
  test('are never followed', async () => {
    const redirecting = await startMockServer({
      answer: () => ({
        head: { status: 307, headers: { location: `http://127.0.0.1:${canary.port}/v1/chat/completions` } },
        pieces: [],
        ending: 'end',
      }),
    })
    const trusting = await startProbe({
      config: { egress: { trustedHosts: [`127.0.0.1:${redirecting.port}`] } },
    }).catch(async (error: unknown) => {
      await redirecting.close()
      throw error
    })
    const answer = await trusting.call(chat(), { headers: { 'x-gateway-custom-host': `${redirecting.url}/v1` } })
    expect(answer.status).toBe(502)
    expect(answer.headers.has('location')).toBe(false)
    expect(text(answer)).not.toContain(String(canary.port))
    expect(redirecting.counters.received).toBe(1)
    expect(canary.connects).toBe(0)
    await trusting.close()
    await redirecting.close()
  })
})

describe('a name that changes its address between the check and the call', () => {
  /** A gateway that trusts one loopback address and not the other. */
  const withTwoAddresses = async (use: (probe: Probe, port: number, served: () => number) => Promise<void>) => {
    let served = 0
    const { promise, resolve } = Promise.withResolvers<number>()
    // A port on 127.0.0.2 only; the canary of this test holds the same port on 127.0.0.1.
    const inner = createServer((socket) => {
      served++
      socket.on('error', () => undefined)
      socket.once('data', () => {
        socket.end(
          'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}',
        )
      })
    })
    inner.listen(0, '127.0.0.2', () => {
      const address = inner.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
    const port = await promise
    const trap = createServer((socket) => {
      canary.connects++
      socket.destroy()
    })
    await new Promise<void>((done) => trap.listen(port, '127.0.0.1', done))
    const trusting = await startProbe({
      config: { egress: { trustedHosts: ['127.0.0.2/32'] } },
      deps: {
        clock: { now: () => Date.now(), monotonicMs: () => systemClock.monotonicMs() + clockMs },
        lookup: async (hostname) => {
          lookups.push(hostname)
          return lookups.length === 1 ? ['127.0.0.2'] : ['127.0.0.1']
        },
      },
    })
    try {
      await use(trusting, port, () => served)
    } finally {
      clockMs = 0
      await trusting.close()
      inner.close()
      trap.close()
    }
  }

  test('is dialled at the address that was checked, without asking again', async () => {
    await withTwoAddresses(async (trusting, port, served) => {
      const headers = { 'x-gateway-custom-host': `http://rebind.attacker.test:${port}/v1` }
      for (let round = 1; round <= 3; round++) {
        expect((await trusting.call(chat(), { headers })).status).toBe(200)
        expect(served()).toBe(round)
      }
      expect(lookups).toEqual(['rebind.attacker.test'])
      expect(canary.connects).toBe(0)
    })
  })

  test('is checked again once the answer is no longer fresh', async () => {
    await withTwoAddresses(async (trusting, port, served) => {
      const headers = { 'x-gateway-custom-host': `http://rebind.attacker.test:${port}/v1` }
      expect((await trusting.call(chat(), { headers })).status).toBe(200)
      clockMs = 31_000
      // Nobody waits while the name is asked for again: the address that was checked is good for this call.
      expect((await trusting.call(chat(), { headers })).status).toBe(200)
      const answer = await trusting.call(chat(), { headers })
      expect([answer.status, JSON.parse(text(answer)).error.code]).toEqual([400, 'egress_refused'])
      expect([served(), lookups.length, canary.connects]).toEqual([2, 2, 0])
    })
  })
})

describe('what the operator trusts', () => {
  test.each([
    ['an address', (port: number) => ({ trusted: '127.0.0.1', url: `http://127.0.0.1:${port}/v1` })],
    [
      'an address with a port',
      (port: number) => ({ trusted: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/v1` }),
    ],
    ['a block', (port: number) => ({ trusted: '127.0.0.0/8', url: `http://127.0.0.1:${port}/v1` })],
    ['a name', (port: number) => ({ trusted: 'llm.internal', url: `http://llm.internal:${port}/v1` })],
    [
      'a name with a port',
      (port: number) => ({ trusted: `llm.internal:${port}`, url: `http://llm.internal:${port}/v1` }),
    ],
    [
      'a block that a name resolves into',
      (port: number) => ({ trusted: '127.0.0.1/32', url: `http://llm.attacker.test:${port}/v1` }),
    ],
  ])('is reached: %s', async (_form, make) => {
    const inside = await startMockServer()
    const { trusted, url } = make(inside.port)
    const trusting = await startProbe({
      config: { egress: { trustedHosts: [trusted] } },
      deps: { lookup: async () => ['127.0.0.1'] },
    })
    const answer = await trusting.call(chat(), { headers: { 'x-gateway-custom-host': url } })
    expect([answer.status, inside.counters.received]).toEqual([200, 1])
    // The same host on another port is somebody else.
    if (trusted.includes(`:${inside.port}`)) {
      const other = await trusting.call(chat(), {
        headers: { 'x-gateway-custom-host': url.replace(String(inside.port), String(canary.port)) },
      })
      expect(other.status).toBe(400)
    }
    expect(canary.connects).toBe(0)
    await trusting.close()
    await inside.close()
  })

  test('an IPv6 address is reached by its bracketed form', async () => {
    const six = Bun.serve({ hostname: '::1', port: 0, fetch: () => Response.json({}) })
    const trusting = await startProbe({ config: { egress: { trustedHosts: [`[::1]:${six.port}`] } } })
    const url = `http://[::1]:${six.port}/v1`
    expect((await trusting.call(chat(), { headers: { 'x-gateway-custom-host': url } })).status).toBe(200)
    const other = `http://[::1]:${canary.port}/v1`
    expect((await trusting.call(chat(), { headers: { 'x-gateway-custom-host': other } })).status).toBe(400)
    await trusting.close()
    await six.stop(true)
  })
})
