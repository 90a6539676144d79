import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { definePlugin, type Plugin, t } from '#kit'
import type { Principal } from '#kit/slots'
import { inferenceRoutes, PUBLIC_ROUTES } from '../../src/http/route-table.ts'
import { describedRoutes } from '../../src/management/described-routes.ts'
import { createServing, servedPaths } from '../../src/management/serving.ts'
import type { Db } from '../../src/store/types.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'

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
  scopes: new Set(['completions.write']),
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

const BASE_PATH = '/llm'
const BODIES = {
  chat: '{"model":"mock","messages":[{"role":"user","content":"Hello"}]}',
  embeddings: '{"model":"mock-embedding","input":"Hello"}',
  models: undefined,
} as const

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
      management: (_runtime, basePath) =>
        createServing({
          routes: describedRoutes(),
          basePath,
          version: 'test',
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
            addressOf: () => undefined,
          },
          exchangeToken: () => Promise.resolve(Response.json({ error: 'invalid_client' }, { status: 401 })),
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

const listed = inferenceRoutes(BASE_PATH)
const stored = servedPaths(describedRoutes(), BASE_PATH)
/** Behind a token. */
const managed = stored.filter(({ guard }) => guard.startsWith('token > '))

const send = (
  { method, path }: ServedRoute,
  headers: Record<string, string>,
  through: 'socket' | 'handle' = 'socket',
): Promise<Response> => {
  const endpoint = listed.find((route) => route.path === path && route.method === method)?.endpoint
  const body = endpoint === undefined ? undefined : BODIES[endpoint]
  const init = { method, headers, ...(body === undefined ? {} : { body }) }
  const url = `${gateway.url}${path}`
  return through === 'socket' ? fetch(url, init) : gateway.gateway.handle(new Request(url, init))
}

const guarded = (): readonly ServedRoute[] => served.filter((route) => namesOf(listed).includes(nameOf(route)))
const namesOf = (routes: readonly ServedRoute[]): readonly string[] => routes.map(nameOf)
const nameOf = ({ method, path }: ServedRoute): string => `${method} ${path}`

test('the routes served are the public ones, those of calls and those of the stored side, and nothing else', () => {
  expect(namesOf(served).toSorted()).toEqual(namesOf([...PUBLIC_ROUTES, ...listed, ...stored]).toSorted())
  expect(new Set(namesOf(served)).size).toBe(served.length)
  expect(guarded().length).toBe(6)
  expect(managed.length).toBeGreaterThan(100)
})

test('the public routes are these, and answer without a key', async () => {
  const open = stored.filter(({ guard }) => guard === 'public')
  expect(namesOf([...PUBLIC_ROUTES, ...open])).toEqual([
    'GET /healthz',
    'GET /readyz',
    'GET /llm/openapi.json',
    'GET /llm/docs',
  ])
  for (const route of [...PUBLIC_ROUTES, ...open]) expect((await send(route, {})).status).toBe(200)
})

test('the token exchange takes its key from the request, at the root and below each version', () => {
  const exchange = stored.filter(({ guard }) => guard === 'the key in the request')
  expect(namesOf(exchange)).toEqual(['POST /llm/oauth/token', 'POST /llm/v1/oauth/token', 'POST /llm/v2/oauth/token'])
  expect(exchange.length + managed.length + 2).toBe(stored.length)
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
        { error: { code: 'AB05' } },
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
      const response = await send({ method: 'PATCH', path: path.replaceAll(/:[a-z]+/g, 'something') }, {}, 'handle')
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
    test.each(['socket', 'handle'] as const)(`refuses ${what} at the door: %s`, async (through) => {
      const before = [seen.afterAuth.size, seen.beforeProvider.size]
      for (const route of guarded()) {
        const response = await send(route, { 'x-gateway-provider': 'mock', ...headers }, through)
        expect([nameOf(route), response.status]).toEqual([nameOf(route), status])
        expect(await response.json()).toMatchObject({ status: 'failure', error: { code } })
      }
      expect([seen.afterAuth.size, seen.beforeProvider.size]).toEqual(before)
    })
  }

  test('runs the whole chain with a good key', async () => {
    for (const route of guarded()) {
      const response = await send(route, { 'x-gateway-api-key': GOOD_KEY, 'x-gateway-provider': 'mock' })
      await response.arrayBuffer()
      expect([nameOf(route), response.status]).toEqual([nameOf(route), 200])
      const id = response.headers.get('x-gateway-request-id') ?? ''
      expect(seen.afterAuth).toContain(id)
      expect(seen.beforeProvider).toContain(id)
      await gateway.record((record) => record.id === id && record.status === 200)
    }
  })

  test('is answered 405 for another method and 404 for another path, never by a hidden handler', async () => {
    for (const route of guarded()) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => each !== route.method)) {
        const response = await send({ method, path: route.path }, { 'x-gateway-api-key': GOOD_KEY })
        expect([method, route.path, response.status, response.headers.get('allow')]).toEqual([
          method,
          route.path,
          405,
          route.method,
        ])
      }
    }
    for (const path of ['/', '/v1/chat/completions', `${BASE_PATH}/v3/models`, `${BASE_PATH}/healthz`, '/readyz/x']) {
      expect([path, (await send({ method: 'GET', path }, {})).status]).toEqual([path, 404])
    }
  })
})
