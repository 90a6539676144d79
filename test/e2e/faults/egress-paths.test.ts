import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { API_KEY } from '../../support/gateway.ts'
import { EGRESS_HOSTS, LOOKUPS } from './support/egress-corpus.ts'
import { BASE, callsOf, type EgressWorld, startEgressWorld } from './support/egress-world.ts'
import { CLOUD_HOSTS, pathTricks } from './support/path-tricks.ts'
import { expectNothingInternal, openWire } from './support/wire.ts'

const SLOW_MS = 60_000

/** Names below the domain of a provider that lead inside, as a resource with a private endpoint does. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  'inside.openai.azure.com': ['127.0.0.1'],
  'metadata.services.ai.azure.com': ['169.254.169.254'],
}

let world: EgressWorld
beforeAll(async () => {
  world = await startEgressWorld({ lookup: (hostname) => LOOKUPS[hostname] ?? INSIDE[hostname] })
})
afterAll(() => world.close())
beforeEach(() => {
  world.lookups.length = 0
})

type Headers = Readonly<Record<string, string>>

const PROBE: Headers = { 'x-gateway-provider': 'probe' }

/** One request as raw bytes, on a connection of its own. */
const raw = async (method: string, target: string, headers: Headers = PROBE, body = ''): Promise<string> => {
  const { port } = world.gateway.server
  const wire = await openWire(port ?? 0)
  const all = {
    host: 'gateway.test',
    connection: 'close',
    'x-gateway-api-key': API_KEY,
    ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  wire.write(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  const answer = await wire.closed()
  expectNothingInternal(answer)
  return answer
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])

/** Every reading of a path that a server could have, and none may lead out of the base URL of the provider. */
const staysInside = (path: string): boolean => {
  const decoded = (text: string): string => {
    try {
      return decodeURIComponent(text)
    } catch {
      return text
    }
  }
  const forms = [path, decoded(path), decoded(decoded(path)), decoded(path).normalize('NFKC')]
  return forms
    .flatMap((form) => [
      form,
      form.replaceAll('\\', '/'),
      form.replaceAll(/;[^/]*/g, ''),
      form.replaceAll(/[\s\0]/g, ''),
    ])
    .every((form) => {
      const [place = ''] = form.split(/[?#]/, 1)
      const { pathname, host } = new URL(`http://base.test${place}`)
      return host === 'base.test' && `${pathname}/`.startsWith(`${BASE}/`) && !pathname.includes('//')
    })
}

test('the check of this test knows a way out when it sees one', () => {
  expect(['/inner/v1', '/inner/v1/a/b', '/inner/v1/a%20b?x=//y'].map(staysInside)).toEqual([true, true, true])
  const out = ['/inner', '/inner/v1/../x', '/inner/v1/%252e%252e/x', '/inner/v1//evil', '/inner/v1/..;/x', '/inner/v12']
  for (const path of out) expect([path, staysInside(path)]).toEqual([path, false])
})

test(
  'no path leads to another host, or out of the base URL of the provider',
  async () => {
    const targets = pathTricks(world.canary.port)
    expect(new Set(targets).size).toBeGreaterThanOrEqual(600)
    const failures: string[] = []
    const seen = new Map<number, number>()
    for (const target of targets) {
      for (const method of ['GET', 'POST']) {
        const before = world.provider.requests.length
        const status = statusOf(await raw(method, target, PROBE, method === 'POST' ? '{"model":"m"}' : ''))
        const arrived = world.provider.requests.slice(before).map(({ path }) => path)
        seen.set(status, (seen.get(status) ?? 0) + 1)
        // 505 is the server's own word for a request line that it cannot read.
        const isAnswer = [200, 400, 404, 405, 505].includes(status)
        if (!isAnswer || !arrived.every(staysInside) || (status !== 200 && arrived.length > 0))
          failures.push(`${method} ${JSON.stringify(target)} → ${status} ${arrived.join(' ')}`)
      }
    }
    expect(failures).toEqual([])
    expect([world.canary.connects, world.lookups]).toEqual([0, []])
    // Some are plain paths after all, and most are not.
    expect(seen.get(200) ?? 0).toBeGreaterThan(50)
    expect(seen.get(400) ?? 0).toBeGreaterThan(600)
  },
  SLOW_MS,
)

test(
  'the first segment of an old proxy path is a host of the provider’s own domain, or no host at all',
  async () => {
    const segments = [...CLOUD_HOSTS, ...EGRESS_HOSTS.flatMap((host) => [host, `${host}:PORT`])]
    const failures: string[] = []
    for (const mode of ['proxy azure-openai', 'proxy probe']) {
      for (const segment of segments.map((each) => each.replaceAll('PORT', String(world.canary.port)))) {
        const target = `/v1/proxy/${segment}/openai/deployments/d/chat/completions?api-version=2024-10-21`
        const before = world.provider.requests.length
        const answer = await raw('POST', target, { 'x-gateway-mode': mode, 'api-key': 'a-key-of-the-caller' }, '{}')
        const status = statusOf(answer)
        const arrived = world.provider.requests.slice(before).map(({ path }) => path)
        const unknown = status === 502 && answer.includes('upstream_unreachable') && mode.endsWith('azure-openai')
        if (!([200, 400, 404, 505].includes(status) || unknown) || !arrived.every(staysInside))
          failures.push(`${mode}: ${JSON.stringify(segment)} → ${status} ${arrived.join(' ')}`)
      }
    }
    expect(failures).toEqual([])
    expect(world.canary.connects).toBe(0)
    // Only names below its domains were ever asked for, spelt plainly.
    const names = new Set(world.lookups)
    const ofAzure = /^[a-z0-9-]+\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/
    expect([...names].filter((name) => !ofAzure.test(name))).toEqual([])
    expect(names).toContain('inside.openai.azure.com')
  },
  SLOW_MS,
)

test('what a request says of hosts in its headers is nobody’s business', async () => {
  const evil = `127.0.0.1:${world.canary.port}`
  const headers: Headers = {
    ...PROBE,
    host: evil,
    'x-forwarded-host': evil,
    'x-forwarded-server': evil,
    'x-forwarded-for': '169.254.169.254',
    'x-forwarded-proto': 'gopher',
    'x-forwarded-prefix': '/outside',
    'x-original-url': `http://${evil}/outside`,
    'x-rewrite-url': '/outside',
    'x-http-method-override': 'DELETE',
    'x-real-ip': '127.0.0.1',
    forwarded: `host=${evil}`,
    via: `1.1 ${evil}`,
    'proxy-connection': 'keep-alive',
  }
  const calls = callsOf(world)
  for (const { method, path, body = '' } of calls) {
    for (const target of [path, `http://${evil}${path}`]) {
      const before = world.provider.requests.length
      const isForm = typeof body !== 'string'
      const text = isForm ? await body.text() : body.replace('"params"', '"config":{"provider":"probe"},"params"')
      await raw(method, target, isForm ? { ...headers, 'content-type': body.type } : headers, text)
      const [arrived, ...others] = world.provider.requests.slice(before)
      expect([target, others.length, arrived?.method]).toEqual([target, 0, method])
      expect(staysInside(arrived?.path ?? '')).toBe(true)
      const { host, ...rest } = Object.fromEntries(arrived?.headers ?? [])
      expect(host).toBe(`127.0.0.1:${world.provider.port}`)
      expect(JSON.stringify(rest)).not.toContain(evil)
      const kept = Object.keys(headers).filter(
        (name) => name !== 'host' && name !== 'x-gateway-provider' && Object.hasOwn(rest, name),
      )
      expect([target, kept]).toEqual([target, []])
    }
  }
  expect([world.canary.connects, world.lookups]).toEqual([0, []])
})

test('a host that is none is refused on every path, in our words', async () => {
  for (const host of ['', 'a@b', 'a/b', 'a b', '[::1', 'x:99999999', '%00', 'a?b', 'a#b', 'a\\b']) {
    for (const path of ['/v1/chat/completions', '/v1/gateway/x', '/v1/x', '/v1/proxy/x', '/v1/complete', '/nothing']) {
      const before = world.provider.requests.length
      const answer = await raw('POST', path, { ...PROBE, host }, '{}')
      expect([host, path, statusOf(answer)]).toEqual([host, path, 400])
      expect(world.provider.requests.length).toBe(before)
    }
  }
})
