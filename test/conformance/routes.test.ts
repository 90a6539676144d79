import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { definePlugin, type Plugin, t } from '#kit'
import type { Principal } from '#kit/slots'
import { consolePaths } from '../../src/console/paths.ts'
import { publicRoutes } from '../../src/http/route-table.ts'
import type { RunningRoute } from '../../src/http/running-route.ts'
import { appPaths } from '../../src/management/apps/paths.ts'
import { describedRoutes } from '../../src/management/described-routes.ts'
import { MANAGEMENT_ROOTS } from '../../src/management/mount.ts'
import { createServing, servedPaths } from '../../src/management/serving.ts'
import { signInPaths } from '../../src/management/sign-in/paths.ts'
import type { Db } from '../../src/store/types.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { PROMPT, providerHeaders, type RouteSample, SAMPLED_ROUTES, samplesOf } from '../support/route-samples.ts'
import { SAMPLE_PROMPTS } from '../support/sample-prompts.ts'

const GOOD_KEY = 'workspace-key-0123456789abcdef0123'
const EXPIRED_KEY = 'expired-key-0123456789abcdef012345'
const ORGANISATION_KEY = 'organisation-key-0123456789abcdef0'
const SCOPELESS_KEY = 'scopeless-key-0123456789abcdef0123'
const UNKNOWN_KEY = 'unknown-key-0123456789abcdef012345'

const principal = (overrides: Partial<Principal> = {}): Principal => ({
  keyId: 'key-1',
  keyName: 'test',
  kind: 'workspace-service',
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  scopes: new Set(['completions.write', 'prompts.render', 'mcp.invoke']),
  ...overrides,
})
const { workspaceId: _, ...organisation } = principal({ kind: 'organisation-service' })
const KEYS = new Map([
  [GOOD_KEY, { principal: principal() }],
  [EXPIRED_KEY, { principal: principal(), expiresAtMs: 1 }],
  [ORGANISATION_KEY, { principal: organisation }],
  [SCOPELESS_KEY, { principal: principal({ scopes: new Set(['logs.write']) }) }],
])

/** Call ids that a stage has seen. */
const seen = { afterAuth: new Set<string>(), beforeProvider: new Set<string>() }
const probe = (name: string, placement: Plugin['placement'], ids: Set<string>): Plugin =>
  definePlugin({
    name,
    config: t.Object({}),
    ...(placement === undefined ? {} : { placement }),
    setup: () => ({
      stages: [
        {
          name,
          run(call, next) {
            ids.add(call.id)
            return next()
          },
        },
      ],
    }),
  })

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const BASE_PATH = '/llm'
interface ServedRoute {
  readonly method: string
  readonly path: string
}

/** The stored side, over a store that must not be asked: nobody in this file gets past its door. */
const notAsked = (): never => {
  throw new Error('the store was asked')
}
const storeNotAsked = new Proxy<Db>(Object.create(null), { get: notAsked })
/** Tokens of management calls that the routes were asked about. */
const managementTokens: string[] = []

let gateway: TestGateway
/** What the web framework itself says it serves. */
let served: readonly ServedRoute[]

beforeAll(async () => {
  gateway = await startTestGateway({
    config: { server: { basePath: BASE_PATH } },
    keys: { find: (key) => KEYS.get(key) },
    deps: {
      prompts: SAMPLE_PROMPTS,
      management: (_runtime, { server: { basePath } }) =>
        createServing({
          routes: describedRoutes(),
          basePath,
          version: 'test',
          endpoints: [],
          deps: {
            db: storeNotAsked,
            actors: {
              find(token) {
                managementTokens.push(token)
                return undefined
              },
            },
            log: { info: notAsked, warn: notAsked, error: notAsked },
            randomId: () => crypto.randomUUID(),
            arrivalOf: () => ({ origin: '', address: undefined }),
          },
          exchangeToken: () => Promise.resolve(Response.json({ error: 'invalid_client' }, { status: 401 })),
          metrics: async () => ({ type: 'text/plain', text: '' }),
          signIn: (add) => {
            for (const { method, path } of [...signInPaths(basePath), ...appPaths(basePath)]) {
              add(method, path, () => Response.json({}))
            }
          },
          console: (add) => {
            for (const { method, path } of consolePaths(basePath)) add(method, path, () => Response.json({}))
          },
        }),
    },
    plugins: [
      probe('probe-after-auth', { after: 'auth' }, seen.afterAuth),
      probe('probe-before-provider', { before: 'provider-call' }, seen.beforeProvider),
    ],
  })
  served = gateway.gateway.app.routes.map(({ method, path }) => ({ method, path }))
})
afterAll(() => gateway.close())

const stored = servedPaths(describedRoutes(), BASE_PATH)
/** Behind a token. */
const managed = stored.filter(({ guard }) => guard.startsWith('token > '))

/** Whether a path is one that the pattern of a route stands for. */
const fits = (pattern: string, path: string): boolean => {
  const segments = path.split('/')
  const names = pattern.split('/')
  return names.length === segments.length && names.every((name, at) => name === segments[at] || name.startsWith(':'))
}

type Through = 'socket' | 'handle'
const WAYS: readonly Through[] = ['socket', 'handle']

const sendTo = (url: string, init: RequestInit, through: Through = 'socket'): Promise<Response> =>
  through === 'socket' ? fetch(url, init) : gateway.gateway.handle(new Request(url, init))

const send = ({ method, path }: ServedRoute, headers: Record<string, string>, through?: Through): Promise<Response> =>
  sendTo(`${gateway.url}${path}`, { method, headers }, through)

const sendSample = (
  sample: RouteSample,
  headers: Readonly<Record<string, string>>,
  through?: Through,
): Promise<Response> =>
  sendTo(
    `${gateway.url}${BASE_PATH}${sample.path}`,
    {
      method: sample.method,
      headers: { ...providerHeaders(sample), ...headers },
      ...(sample.body === undefined ? {} : { body: sample.body }),
    },
    through,
  )

/** Every route of calls, and what is sent to it. */
const walk = (): readonly (readonly [RunningRoute, RouteSample])[] =>
  gateway.gateway.routes.flatMap((route) => samplesOf(bare(route)).map((sample) => [route, sample] as const))

/** As it is without the operator's prefix. */
const bare = ({ method, path }: ServedRoute): ServedRoute => ({ method, path: path.slice(BASE_PATH.length) })

const namesOf = (routes: readonly ServedRoute[]): readonly string[] => routes.map(nameOf)
const nameOf = ({ method, path }: ServedRoute): string => `${method} ${path}`

test('the routes served are the public ones, those of calls and those of the stored side, and nothing else', () => {
  const { routes } = gateway.gateway
  expect(namesOf(served).toSorted()).toEqual(namesOf([...publicRoutes(BASE_PATH), ...routes, ...stored]).toSorted())
  expect(new Set(namesOf(served)).size).toBe(served.length)
  expect(managed.length).toBeGreaterThan(100)
})

test('every route of calls has a sample that the walk sends, and no sample is of a route that is gone', () => {
  const names = namesOf(gateway.gateway.routes.map(bare))
  expect(names.length).toBeGreaterThanOrEqual(15)
  expect(names.toSorted()).toEqual([...SAMPLED_ROUTES].toSorted())
})

test('every route runs all stages of the plain chain in their order, with its own between auth and config alone', () => {
  const stages = gateway.gateway.runtime.stages.map(({ stage }) => stage)
  const added = gateway.gateway.routes.map(({ chain, endpoint }) => {
    const plain = stages.filter(({ endpoints }) => endpoints?.includes(endpoint.id) ?? true).map(({ name }) => name)
    expect(chain.filter((name) => plain.includes(name))).toEqual(plain)
    const own = chain.filter((name) => !plain.includes(name))
    const between = chain.slice(chain.indexOf('auth') + 1, chain.indexOf('config'))
    for (const name of own) expect(between).toContain(name)
    return own.length
  })
  expect(added.filter((count) => count > 0).length).toBeGreaterThanOrEqual(7)
})

/** Where the link of an invite is accepted: a call without one is not valid. */
const ACCEPT_PATHS = ['v1', 'v2', 'admin/v2'].map((root) => `${BASE_PATH}/${root}/invites/accept`)

const PRICE_PATHS = [':model', '*'].flatMap((model) =>
  ['/v2', '/v1', '/admin/v2', ''].map((root) => `/llm${root}/model-configs/pricing/:provider/${model}`),
)

/** Files of exports, whose link is its own key. */
const FILE_PATHS = MANAGEMENT_ROOTS.map((root) => `${BASE_PATH}${root}/logs/exports/:exportId/file`)

const openStatus = (path: string): number => {
  if (FILE_PATHS.includes(path)) return 400
  // Without a plugin that knows prices, none is known.
  if (ACCEPT_PATHS.includes(path)) return 400
  return PRICE_PATHS.includes(path) ? 404 : 200
}

/** Where apps learn how people let them in. */
const METADATA_PATHS = ['', BASE_PATH].flatMap((root) =>
  ['authorization-server', 'authorization-server/*', 'protected-resource/*'].map(
    (name) => `${root}/.well-known/oauth-${name}`,
  ),
)

/** Of what is signed for MCP servers. */
const SIGNING_KEYS = 'GET /llm/.well-known/jwks.json'

test('the public routes are these, and answer without a key', async () => {
  const open = stored.filter(({ guard }) => guard === 'public')
  const routes = [...publicRoutes(BASE_PATH), ...open]
  expect(namesOf(routes)).toEqual([
    'GET /llm/v1/health',
    'GET /health',
    'GET /healthz',
    'GET /readyz',
    'GET /llm/sign-in',
    'GET /llm/v2/sign-in/issuers',
    ...METADATA_PATHS.map((path) => `GET ${path}`),
    'GET /llm/',
    'GET /llm/console',
    'GET /llm/console/*',
    'GET /llm/openapi.json',
    'GET /llm/docs',
    ...ACCEPT_PATHS.map((path) => `POST ${path}`),
    ...PRICE_PATHS.map((path) => `GET ${path}`),
    SIGNING_KEYS,
    ...FILE_PATHS.map((path) => `GET ${path}`),
  ])
  for (const route of routes) {
    // They are in the store, which is not to be asked here.
    if (nameOf(route) === SIGNING_KEYS) continue
    const response = await send(route, {})
    expect([route.path, response.status]).toEqual([route.path, openStatus(route.path)])
    expect(response.headers.get('x-request-id')).toMatch(UUID)
  }
})

test('the ways in have guards of their own', () => {
  const ways = stored.filter(({ path }) => path.includes('/sign-in'))
  expect(ways.map(({ method, path, guard }) => [`${method} ${path}`, guard])).toEqual([
    ['GET /llm/sign-in', 'public'],
    ['GET /llm/v2/sign-in/issuers', 'public'],
    ['GET /llm/v2/sign-in/start', 'rate limit'],
    ['GET /llm/v2/sign-in/callback/:issuer', 'rate limit > sealed cookie > issuer'],
    ['POST /llm/v2/sign-in/key', 'rate limit > same site > key of the organisation'],
    ['POST /llm/v2/sign-in/out', 'session > CSRF token'],
  ])
})

test('the ways of apps have guards of their own', () => {
  const ways = stored.filter(({ path }) => /\/oauth\/(?!token)/.test(path))
  expect(ways.map(({ method, path, guard }) => [`${method} ${path}`, guard])).toEqual([
    ['GET /llm/oauth/authorize', 'rate limit > session'],
    ['POST /llm/oauth/authorize', 'rate limit > session > CSRF token'],
    ['POST /llm/oauth/register', 'rate limit'],
    ['POST /llm/oauth/revoke', 'the token in the request'],
    ['GET /llm/oauth/mcp/start', 'rate limit > sealed ticket > session'],
    ['GET /llm/oauth/mcp/callback', 'rate limit > sealed cookie > server'],
  ])
})

test('the token exchange takes its key from the request, at the root and below each version', () => {
  const exchange = stored.filter(({ guard }) => guard === 'the key in the request')
  expect(namesOf(exchange)).toEqual(['POST /llm/oauth/token', 'POST /llm/v1/oauth/token', 'POST /llm/v2/oauth/token'])
  expect(
    exchange.length +
      managed.length +
      ACCEPT_PATHS.length +
      PRICE_PATHS.length +
      FILE_PATHS.length +
      METADATA_PATHS.length +
      18,
  ).toBe(stored.length)
})

describe('every route of the stored side', () => {
  test('is refused without a token, and with an unknown one, before the store is asked', async () => {
    for (const route of managed) {
      const place = { ...route, path: route.path.replaceAll(/:[a-z]+/g, 'something') }
      managementTokens.length = 0
      const without = await send(place, {}, 'handle')
      expect([nameOf(route), without.status, await without.json()]).toMatchObject([
        nameOf(route),
        401,
        route.path.includes('/scim/v2/') ? { status: '401' } : { error: { code: 'AB05' } },
      ])
      expect(managementTokens).toEqual([])
      for (const headers of [{ authorization: `Bearer ${UNKNOWN_KEY}` }, { 'x-gateway-api-key': UNKNOWN_KEY }]) {
        expect([nameOf(route), (await send(place, headers, 'handle')).status]).toEqual([nameOf(route), 401])
      }
      expect(managementTokens).toEqual([UNKNOWN_KEY, UNKNOWN_KEY])
    }
  })

  test('is answered 405 for a method that its path does not have', async () => {
    for (const { path } of managed) {
      const methods = managed.filter((route) => route.path === path).map(({ method }) => method)
      const method = path.includes('/scim/v2/') ? 'OPTIONS' : 'PATCH'
      const response = await send({ method, path: path.replaceAll(/:[a-z]+/g, 'something') }, {}, 'handle')
      expect([path, response.status]).toEqual([path, 405])
      for (const method of methods) expect(response.headers.get('allow')?.split(', ')).toContain(method)
    }
  })
})

describe('every route of calls', () => {
  const refusals: readonly (readonly [string, Record<string, string>, number, string])[] = [
    ['no key', {}, 401, '03'],
    ['an empty key', { 'x-gateway-api-key': '' }, 401, '03'],
    ['an unknown key', { 'x-gateway-api-key': UNKNOWN_KEY }, 401, '03'],
    ['an unknown bearer', { authorization: `Bearer ${UNKNOWN_KEY}` }, 401, '03'],
    ['an expired key', { 'x-gateway-api-key': EXPIRED_KEY }, 401, '01'],
    ['an organisation key', { 'x-gateway-api-key': ORGANISATION_KEY }, 403, '033'],
    ['a key without the scope', { 'x-gateway-api-key': SCOPELESS_KEY }, 403, '033'],
    [
      'a bad key beside a good bearer',
      { 'x-gateway-api-key': UNKNOWN_KEY, authorization: `Bearer ${GOOD_KEY}` },
      401,
      '03',
    ],
  ]
  for (const [what, headers, status, code] of refusals) {
    test.each(WAYS)(`refuses ${what} at the door: %s`, async (through) => {
      const before = [seen.afterAuth.size, seen.beforeProvider.size]
      for (const [route, sample] of walk()) {
        const response = await sendSample(sample, headers, through)
        expect([nameOf(route), response.status]).toEqual([nameOf(route), status])
        const body = await response.json()
        // In the envelope of its clients the code stands where that has a place for it.
        if (route.endpoint.errors !== undefined) expect(JSON.stringify(body)).toContain(`"${code}"`)
        else expect(body).toMatchObject({ status: 'failure', error: { code } })
        expectDeprecation(route, response)
      }
      expect([seen.afterAuth.size, seen.beforeProvider.size]).toEqual(before)
    })
  }

  test.each(WAYS)('refuses a call without a key whatever its method, where any method will do: %s', async (through) => {
    const before = [seen.afterAuth.size, seen.beforeProvider.size]
    const open = gateway.gateway.routes.filter(({ method }) => method === 'ALL')
    expect(open.length).toBeGreaterThanOrEqual(4)
    for (const route of open) {
      const [{ path }] = samplesOf(bare(route))
      for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const place = { method, path: `${BASE_PATH}${path}` }
        const response = await send(place, { 'x-gateway-provider': 'mock' }, through)
        await response.arrayBuffer()
        expect([method, route.path, response.status]).toEqual([method, route.path, 401])
        expectDeprecation(route, response)
      }
    }
    expect([seen.afterAuth.size, seen.beforeProvider.size]).toEqual(before)
  })

  test.each(WAYS)('runs the whole chain with a good key, and writes its line: %s', async (through) => {
    for (const [route, sample] of walk()) {
      const response = await sendSample(sample, { 'x-gateway-api-key': GOOD_KEY }, through)
      await response.arrayBuffer()
      expect([nameOf(route), sample.path, response.status]).toEqual([nameOf(route), sample.path, sample.status])
      expectDeprecation(route, response)
      const id = response.headers.get('x-gateway-request-id') ?? ''
      // The list of models that names no provider is ours; these name one.
      expect(seen.afterAuth).toContain(id)
      expect([route.path, seen.beforeProvider.has(id)]).toEqual([route.path, sample.reachesNobody !== true])
      const record = await gateway.record((each) => each.id === id)
      expect(record).toMatchObject({
        method: sample.method,
        route: route.path,
        endpoint: sample.endpoint,
        status: sample.status,
        ...(sample.reachesNobody ? {} : { provider: 'mock' }),
        workspace_id: 'workspace-1',
      })
      expect(record.legacy_calls !== undefined).toBe(route.deprecated !== undefined)
    }
  })

  test('is answered 405 for another method, also where a pass-through would take it', async () => {
    const routes = gateway.gateway.routes.filter(({ method }) => method !== 'ALL')
    for (const route of routes) {
      // What has a name of its own may also be one of many: a thread could be called `runs`.
      const there = [
        ...routes.filter(({ path }) => path === route.path),
        ...routes.filter(({ path }) => fits(path, route.path)),
      ]
      const allowed: readonly string[] = [...new Set(there.map(({ method }) => method))]
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => !allowed.includes(each))) {
        for (const path of [route.path, `${route.path}/`]) {
          const response = await send({ method, path }, { 'x-gateway-api-key': GOOD_KEY })
          expect([method, path, response.status, response.headers.get('allow')]).toEqual([
            method,
            path,
            405,
            allowed.join(', '),
          ])
          expect(response.headers.get('x-request-id')).toMatch(UUID)
          expectDeprecation(route, response, path.split('/')[4])
        }
      }
    }
  })

  test('is answered 404 for a path that is none of ours, never by a hidden handler', async () => {
    const paths = ['/', '/v1/chat/completions', '/v1/gateway/x', '/readyz/x', '/LLM/v1/models']
    const below = ['/v1', '/V1/models', '/v2/gateway/x', '/v2/images', '/v3/models', '/healthz']
    for (const path of [...paths, ...below.map((rest) => `${BASE_PATH}${rest}`)]) {
      for (const method of ['GET', 'POST']) {
        const response = await send({ method, path }, { 'x-gateway-api-key': GOOD_KEY, 'x-gateway-provider': 'mock' })
        expect([method, path, response.status]).toEqual([method, path, 404])
        expect(await response.json()).toMatchObject({ ok: false, error: { code: 'not_found' } })
      }
    }
    // Pages are for people: no client of an API is told to use GET there.
    for (const path of ['', '/', '/console', '/console/', '/console/records'].map((rest) => `${BASE_PATH}${rest}`)) {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        expect([method, path, (await send({ method, path }, {})).status]).toEqual([method, path, 404])
      }
    }
  })
})

/** 8 December 2023, in the words of RFC 9745 and RFC 5829; other routes never say so. */
const expectDeprecation = ({ deprecated }: RunningRoute, { headers }: Response, promptId = PROMPT): void => {
  const expected =
    deprecated === undefined
      ? [null, null]
      : [
          `@${deprecated.since}`,
          `<${BASE_PATH}${deprecated.successor.replace(':promptId', promptId)}>; rel="successor-version"`,
        ]
  expect([headers.get('deprecation'), headers.get('link')]).toEqual(expected)
}
