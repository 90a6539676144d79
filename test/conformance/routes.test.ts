import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { definePlugin, type Plugin, t } from '#kit'
import type { Principal } from '#kit/slots'
import { inferenceRoutes, PUBLIC_ROUTES } from '../../src/http/route-table.ts'
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

let gateway: TestGateway
/** What the web framework itself says it serves. */
let served: readonly ServedRoute[]

beforeAll(async () => {
  gateway = await startTestGateway({
    config: { server: { basePath: BASE_PATH } },
    keys: { find: (key) => KEYS.get(key) },
    plugins: [
      probe('probe-after-auth', { after: 'auth' }, seen.afterAuth),
      probe('probe-before-provider', { before: 'provider-call' }, seen.beforeProvider),
    ],
  })
  served = gateway.gateway.app.routes.map(({ method, path }) => ({ method, path }))
})
afterAll(() => gateway.close())

const listed = inferenceRoutes(BASE_PATH)
const isPublic = ({ method, path }: ServedRoute): boolean =>
  PUBLIC_ROUTES.some((route) => route.method === method && route.path === path)

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

const guarded = (): readonly ServedRoute[] => served.filter((route) => !isPublic(route))
const nameOf = ({ method, path }: ServedRoute): string => `${method} ${path}`

test('the routes served are the public ones and the table, and nothing else', () => {
  expect(served.map(nameOf).toSorted()).toEqual([...PUBLIC_ROUTES, ...listed].map(nameOf).toSorted())
  expect(guarded().length).toBe(6)
})

test('the public routes are these two, and answer without a key', async () => {
  expect(PUBLIC_ROUTES.map(nameOf)).toEqual(['GET /healthz', 'GET /readyz'])
  for (const route of PUBLIC_ROUTES) expect((await send(route, {})).status).toBe(200)
})

describe('every other route', () => {
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
