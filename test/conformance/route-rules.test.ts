import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { FoundKey } from '#kit/plugin'
import { fakeHost } from '#kit/testing'
import { builtInEndpoints, builtInPlugins } from '../../plugins/built-in.ts'
import type { OperatorConfigInput } from '../../src/config/schema.ts'
import type { Route } from '../../src/core/route.ts'
import { routesOf } from '../../src/core/route.ts'
import type { RunningRoute } from '../../src/http/running-route.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { PROMPT, PROVIDER_HEADERS, providerHeaders, type RouteSample, samplesOf } from '../support/route-samples.ts'
import { SAMPLE_PROMPTS } from '../support/sample-prompts.ts'

const KEY = 'rules-workspace-key-0123456789abcdef'

const keyWith = (defaults: FoundKey['defaults'] = {}): FoundKey => ({
  principal: {
    keyId: 'key-1',
    keyName: 'test',
    kind: 'workspace-service',
    organisationId: 'organisation-1',
    workspaceId: 'workspace-1',
    scopes: new Set(['completions.write', 'prompts.render']),
  },
  defaults,
})

const SAVED = {
  id: 'id-1',
  slug: 'pc-saved-1',
  versionId: 'v-1',
  config: { provider: 'mock', cache: { mode: 'simple' } },
}

let key: FoundKey = keyWith()
const start = (plugins?: NonNullable<OperatorConfigInput['plugins']>, maxConcurrentCalls = 100) =>
  startTestGateway({
    config: { server: { maxConcurrentCalls }, ...(plugins === undefined ? {} : { plugins }) },
    keys: { find: (text) => (text === KEY ? key : undefined) },
    deps: {
      prompts: SAMPLE_PROMPTS,
      configs: { find: (_, name) => (name === SAVED.slug ? SAVED : undefined), defaultOf: () => undefined },
    },
  })

type Headers = Readonly<Record<string, string>>

const send = (at: TestGateway, { method, path, body }: RouteSample, headers: Headers): Promise<Response> =>
  at.gateway.handle(
    new Request(`http://gateway.test${path}`, {
      method,
      headers: { 'x-gateway-api-key': KEY, ...headers },
      ...(body === undefined ? {} : { body }),
    }),
  )

/** The answer in short. */
const answer = async (response: Response): Promise<readonly [number, string | undefined]> => {
  const text = await response.text()
  return [response.status, /"(?:code|reason)":\s*"([^"]+)"/.exec(text)?.[1]]
}

/** The body of a sample with other words in it; a form as it is. */
const replaced = ({ body = '' }: RouteSample, words: string, by: string): string | Blob =>
  typeof body === 'string' ? body.replace(words, by) : body

/** Those whose calls have a config. */
const configured = (at: TestGateway) => walk(at).filter(([, { reachesNobody }]) => reachesNobody !== true)

const walk = ({ gateway }: TestGateway): readonly (readonly [RunningRoute, RouteSample])[] =>
  gateway.routes.flatMap((route) => samplesOf(route).map((sample) => [route, sample] as const))

const expectDeprecation = (route: RunningRoute, { headers }: Response): void =>
  expect([route.path, headers.get('deprecation'), headers.get('link')]).toEqual(
    route.deprecated === undefined
      ? [route.path, null, null]
      : [
          route.path,
          `@${route.deprecated.since}`,
          `<${route.deprecated.successor.replace(':promptId', PROMPT)}>; rel="successor-version"`,
        ],
  )

let gateway: TestGateway
beforeAll(async () => {
  gateway = await start()
})
afterAll(() => gateway.close())

/** What names nobody is answered from the own list of models; the ways of a proxy to it are not sampled. */
const isOfOwnList = ({ endpoint: id }: RouteSample): boolean =>
  id !== 'proxy' && builtInEndpoints.some((endpoint) => endpoint.id === id && endpoint.fromCatalogue !== undefined)

describe('the config of a key, on every route', () => {
  test('is the only one where the key says so, wherever the call brings its own', async () => {
    key = keyWith({ allowConfigOverride: false })
    let inBodies = 0
    for (const [route, sample] of configured(gateway)) {
      const other = sample.bringsConfig ? {} : { 'x-gateway-config': '{"provider":"mock"}' }
      if (sample.bringsConfig) inBodies++
      const response = await send(gateway, sample, { ...providerHeaders(sample), ...other })
      expect([route.path, sample.body, ...(await answer(response))]).toEqual([
        route.path,
        sample.body,
        400,
        'invalid_config',
      ])
    }
    expect(inBodies).toBeGreaterThanOrEqual(6)
  })

  test('is used where the call brings none', async () => {
    key = keyWith({ configId: SAVED.slug })
    for (const [route, sample] of configured(gateway).filter(([, each]) => each.bringsConfig !== true)) {
      // A list of models that names nothing is our own.
      const named = isOfOwnList(sample) ? PROVIDER_HEADERS : {}
      const response = await send(gateway, sample, named)
      expect([route.path, response.status]).toEqual([route.path, sample.status])
      expect(response.headers.get('x-gateway-provider')).toBe('mock')
      await response.arrayBuffer()
    }
  })

  test('without one, a call that names nothing is refused', async () => {
    key = keyWith()
    for (const [route, sample] of configured(gateway).filter(([, each]) => each.bringsConfig !== true)) {
      if (isOfOwnList(sample)) continue
      expect([route.path, ...(await answer(await send(gateway, sample, {})))]).toEqual([
        route.path,
        400,
        'provider_required',
      ])
    }
  })
})

describe('routes on their way out', () => {
  test('say so on an answer of the provider, good or bad, and on a refusal of ours', async () => {
    key = keyWith()
    let legacy = 0
    for (const [route, sample] of walk(gateway)) {
      if (route.deprecated !== undefined) legacy++
      const asked: readonly (readonly [Headers, RouteSample])[] = [
        [providerHeaders(sample), sample],
        [providerHeaders(sample), { ...sample, body: replaced(sample, '"mock"', '"nobody-has-this-model"') }],
        [{ ...providerHeaders(sample), 'x-gateway-config': '{' }, sample],
        [{ 'x-gateway-provider': 'nobody' }, sample],
        [{ 'x-gateway-api-key': 'no-such-key-0123456789abcdef0123' }, sample],
      ]
      for (const [headers, { body, ...rest }] of asked) {
        const request: RouteSample = rest.method === 'GET' || body === undefined ? rest : { ...rest, body }
        const response = await send(gateway, request, headers)
        expectDeprecation(route, response)
        await response.arrayBuffer()
      }
    }
    expect(legacy).toBeGreaterThanOrEqual(12)
  }, 30_000)

  test('say so when the provider has had enough', async () => {
    for (const [route, sample] of configured(gateway).filter(
      ([, { body, reachesNobody }]) =>
        typeof body === 'string' &&
        body.includes('"model":"mock') &&
        // No model is asked by them: the fault of one is none of theirs.
        !body.includes('"type":"realtime"') &&
        reachesNobody !== true,
    )) {
      const body = replaced(sample, '"model":"mock', '"mock":{"fault":"rate-limited"},"model":"mock')
      const response = await send(gateway, { ...sample, body }, providerHeaders(sample))
      expectDeprecation(route, response)
      expect([route.path, response.status]).toEqual([route.path, sample.status === 404 ? 404 : 429])
      await response.arrayBuffer()
    }
  })

  test('say so at the limit of concurrent calls, and while the gateway stops', async () => {
    const busy = await start(undefined, 1)
    const [waiting] = samplesOf({ method: 'POST', path: '/v1/chat/completions' })
    const slow = {
      ...waiting,
      body: '{"model":"mock","messages":[{"role":"user","content":"x"}],"mock":{"latencyMs":60000}}',
    }
    const running = send(busy, slow, PROVIDER_HEADERS)
    for (const [route, sample] of walk(busy)) {
      const response = await send(busy, sample, providerHeaders(sample))
      expectDeprecation(route, response)
      expect([route.path, ...(await answer(response))]).toEqual([route.path, 503, 'overloaded'])
    }
    await busy.gateway.drain(0)
    expect((await running).status).toBe(503)
    for (const [route, sample] of walk(busy)) {
      const response = await send(busy, sample, providerHeaders(sample))
      expectDeprecation(route, response)
      expect([route.path, ...(await answer(response))]).toEqual([route.path, 503, 'shutting_down'])
    }
    await busy.close()
  })
})

/** Plugins that bring routes, and which. */
const bringing = async (): Promise<readonly (readonly [string, readonly Route[]])[]> => {
  const found: (readonly [string, readonly Route[]])[] = []
  for (const plugin of builtInPlugins.filter(({ name }) =>
    /^legacy-|^pass-through$|^prompt$|^azure-paths$/.test(name),
  )) {
    const { routes = [] } = await plugin.setup({}, fakeHost())
    found.push([plugin.name, routes])
  }
  return found
}

describe('a plugin that brings routes', () => {
  test('can be left out: its paths then pass through, or are nobody’s, as those of management always are', async () => {
    key = keyWith()
    const plugins = await bringing()
    expect(plugins.length).toBeGreaterThanOrEqual(5)
    for (const [name, routes] of plugins) {
      expect([name, routes.length > 0]).toEqual([name, true])
      for (const others of [[], ['pass-through']]) {
        const without = [...new Set([name, ...others])]
        const at = await start([{ defaults: { without } }, 'mock'])
        const left = at.gateway.routes.map(({ method, path }) => `${method} ${path}`)
        for (const route of routes) {
          expect(left).not.toContain(`${route.method} ${route.path}`)
          const [sample] = samplesOf(route)
          const response = await send(at, sample, PROVIDER_HEADERS)
          expect(response.headers.has('deprecation')).toBe(false)
          const passes = !without.includes('pass-through') && /^\/v1\/(?!prompts\/)/.test(route.path)
          // The mock has none of these, and says so in its own words.
          expect([route.path, response.status, response.headers.get('x-gateway-provider')]).toEqual([
            route.path,
            404,
            passes ? 'mock' : null,
          ])
          expect(await answer(response)).toEqual([404, passes ? 'unknown_url' : 'not_found'])
        }
        await at.close()
      }
    }
  })

  test('is no part of the others: without all of them the built-in routes are left, with the plain chain', async () => {
    const without = [...(await bringing()).map(([name]) => name), 'realtime']
    const at = await start([{ defaults: { without } }, 'mock'])
    const stages = at.gateway.runtime.stages.map(({ stage }) => stage)
    expect(at.gateway.routes.map(({ method, path }) => `${method} ${path}`)).toEqual(
      builtInEndpoints.flatMap(routesOf).map(({ method, path }) => `${method} ${path}`),
    )
    for (const { chain, endpoint } of at.gateway.routes) {
      const own = endpoint.stages?.map(({ name }) => name) ?? []
      const plain = stages.filter(({ endpoints }) => endpoints?.includes(endpoint.id) ?? true).map(({ name }) => name)
      expect(chain.filter((name) => !own.includes(name))).toEqual(plain)
    }
    await at.close()
  })
})
