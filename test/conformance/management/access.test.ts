import { beforeAll, describe, expect, test } from 'bun:test'
import { namePath, pathsOf } from '../../../src/management/mount.ts'
import type { AnyRoute } from '../../../src/management/route.ts'
import { describeKey } from '../../../src/store/key-material.ts'
import { findApiKeyByPublicId } from '../../../src/store/objects/api-keys.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../../src/store/testing.ts'
import { dumpTables } from './dump.ts'
import { expectError } from './expect-error.ts'
import { type ForeignObjects, makeForeignObjects } from './foreign.ts'
import { nameOf, routesUnderTest } from './routes-under-test.ts'
import {
  FREE_PARAMETERS,
  fillPath,
  keyFor,
  missingFrom,
  SAMPLE_NAMES,
  type Sample,
  sampleOf,
  samplesOf,
  UNCHECKED_PARAMETERS,
} from './samples.ts'
import { createKey, rememberedActorsOf, SCOPES_OF_KIND } from './tenants.ts'
import { caller, createWorld, type World } from './world.ts'

/** Routes to which `workspace_id` is a filter over what may be gone, or a field that is always refused. */
const IN_ITS_OWN_WAY: ReadonlySet<string> = new Set([
  'GET /audit-logs',
  'PUT /policies/rate-limits/:rateLimitsPolicyId',
  'PUT /policies/usage-limits/:policyUsageLimitsId',
  'GET /workspaces/:workspace/users',
  'POST /workspaces/:workspace/users',
  'PUT /workspaces/:workspace/users/:userId',
])

/** Every route with every object of another: that takes a while on a busy machine. */
const TABLE_MS = 240_000

const UNKNOWN_TOKENS = ['x', 'a-token-that-nobody-knows-0123456789', `weir_${'a'.repeat(12)}_${'a'.repeat(43)}`]

describeOnBothStores('who may call', (store) => {
  let world: World
  let routes: readonly AnyRoute[]
  let other: ForeignObjects
  let neighbour: ForeignObjects
  /** Calls the same routes, and looks each key up once: for those that are refused, which change no key. */
  let refused: Pick<World, 'call'>

  beforeAll(async () => {
    routes = await routesUnderTest(store())
    world = await createWorld(store(), routes)
    refused = { call: caller(store(), routes, world.lines, { actors: rememberedActorsOf(world.db) }) }
    other = await makeForeignObjects(world.db, world.theirs)
    neighbour = await makeForeignObjects(world.db, world.ours)
  }, SLOW_START_MS)

  /** Public routes are for anybody, and of nobody's objects. */
  const guarded = () => routes.filter(({ isPublic }) => isPublic !== true)

  /** Any value will do where the call is refused before it is looked at. */
  const anyPath = (route: Pick<AnyRoute, 'path' | 'roots'>): string => namePath(route).replaceAll(/:[a-zA-Z_]+/g, 'any')

  test('every route has a sample, and every sample a route', () => {
    expect(SAMPLE_NAMES.toSorted()).toEqual(routes.map(nameOf).toSorted())
  })

  test(
    'without a token, or with an unknown one: 401 on every path of every route',
    async () => {
      for (const route of guarded()) {
        for (const path of pathsOf(route, '')) {
          const call = { method: route.method, path: anyPath({ path }), root: '' }
          expectError(await world.call(call), 'management_unauthorized')
          for (const token of UNKNOWN_TOKENS) {
            const answer = await world.call({ ...call, token })
            expectError(answer, 'management_unauthorized')
            if (token.length > 1) expect(answer.text).not.toContain(token)
          }
        }
      }
    },
    SLOW_START_MS,
  )

  test('a public route answers anybody, whatever token comes with the call', async () => {
    const open = routes.filter(({ isPublic }) => isPublic === true)
    expect(open.length).toBeGreaterThan(0)
    for (const route of open) {
      const { method } = route
      for (const token of [undefined, ...UNKNOWN_TOKENS, world.theirs.admin]) {
        const sample = await sampleOf(route, world)
        const call = { method, path: fillPath(route, sample), body: sample.body }
        const answer = await world.call({ ...call, ...(token === undefined ? {} : { token }) })
        expect([nameOf(route), answer.status]).toEqual([nameOf(route), 200])
      }
    }
  })

  describe.each(['organisation-service', 'workspace-service', 'workspace-user'] as const)('a key %s', (kind) => {
    const owner = () => ({
      organisationId: world.ours.organisationId,
      ...(kind === 'organisation-service' ? {} : { workspaceId: world.ours.first.id }),
    })

    test(
      'with every scope but those of the route is refused: 403',
      async () => {
        for (const route of guarded().filter((each) => each.scopes.length > 0)) {
          const needed: ReadonlySet<string> = new Set(route.scopes)
          const scopes = SCOPES_OF_KIND[kind].filter((scope) => !needed.has(scope))
          const token = await createKey(world.db, kind, owner(), scopes)
          const answer = await world.call({ method: route.method, path: anyPath(route), token })
          expectError(answer, 'management_forbidden')
        }
      },
      SLOW_START_MS,
    )

    test('that lost its life is unknown: 401', async () => {
      const token = await createKey(world.db, kind, owner())
      const found = await findApiKeyByPublicId(world.db, describeKey(token).publicId)
      expect((await world.call({ method: 'GET', path: '/workspaces', token })).status).not.toBe(401)
      const path = `/api-keys/${found?.record.id}`
      expect((await world.call({ method: 'DELETE', path, token: world.ours.admin })).status).toBe(200)
      expectError(await world.call({ method: 'GET', path: '/workspaces', token }), 'management_unauthorized')
    })
  })

  test('a key of a workspace is refused on every route that only an organisation may call: 403', async () => {
    const names: string[] = []
    for (const route of routes.filter(({ plane }) => plane === 'organisation')) {
      for (const [kind, token] of [
        ['workspace-service', world.ours.first.serviceKey],
        ['workspace-user', world.ours.first.userKey],
      ] as const) {
        if (route.scopes.some((scope) => SCOPES_OF_KIND[kind].includes(scope))) continue
        expectError(await world.call({ method: route.method, path: anyPath(route), token }), 'management_forbidden')
        names.push(nameOf(route))
      }
    }
    expect(new Set(names)).toContain('GET /audit-logs')
    expect(new Set(names)).toContain('POST /workspaces')
  })

  const objectsOf = ({ params = {} }: Sample) =>
    Object.keys(params).filter((name) => !FREE_PARAMETERS.has(name) && !UNCHECKED_PARAMETERS.has(name))
  const isForWorkspaces = ({ scopes }: AnyRoute) =>
    scopes.some((scope) => SCOPES_OF_KIND['workspace-service'].includes(scope))
  const withParameters = () => guarded().filter(({ path }) => path.includes(':'))

  test(
    "another organisation's objects are not there",
    async () => {
      const samples = await samplesOf(withParameters(), world)
      const before = await dumpTables(world.db)
      for (const [route, sample] of samples) {
        const { method } = route
        const token = keyFor(route, world)
        for (const name of objectsOf(sample)) {
          for (const reference of other.references) {
            const path = fillPath(route, { ...sample, params: { ...sample.params, [name]: reference } })
            expectError(await refused.call({ method, path, token, body: sample.body }), missingFrom(route))
          }
        }
      }
      expect(await dumpTables(world.db)).toEqual(before)
    },
    TABLE_MS,
  )

  test(
    "another workspace's objects are not there for a workspace key",
    async () => {
      const samples = await samplesOf(withParameters().filter(isForWorkspaces), world)
      const before = await dumpTables(world.db)
      const token = world.ours.first.serviceKey
      for (const [route, { body, params = {}, query = {} }] of samples) {
        const { method } = route
        for (const name of objectsOf({ params })) {
          for (const reference of neighbour.references) {
            const path = fillPath(route, { query, params: { ...params, [name]: reference } })
            expectError(await refused.call({ method, path, token, body }), missingFrom(route))
          }
        }
      }
      expect(await dumpTables(world.db)).toEqual(before)
    },
    TABLE_MS,
  )

  test(
    'naming another workspace: 403 for a workspace key, 404 for one of another organisation',
    async () => {
      const places = ['query', 'body'] as const
      const naming = (route: AnyRoute) =>
        places.filter(
          (place) => route[place]?.properties?.workspace_id !== undefined && !IN_ITS_OWN_WAY.has(nameOf(route)),
        )
      const samples = await samplesOf(
        routes.filter((route) => naming(route).length > 0),
        world,
      )
      const before = await dumpTables(world.db)
      let named = 0
      for (const [route, sample] of samples) {
        for (const place of naming(route)) {
          const { first, second } = world.ours
          const send = (token: string, workspace: string) => {
            const changed = { ...sample, [place]: { ...sample[place], workspace_id: workspace } }
            return refused.call({ method: route.method, path: fillPath(route, changed), token, body: changed.body })
          }
          if (isForWorkspaces(route)) {
            for (const workspace of [second.id, second.slug, world.theirs.first.id, 'ws-none']) {
              expectError(await send(first.serviceKey, workspace), 'management_forbidden')
            }
          }
          for (const workspace of [world.theirs.first.id, 'ws-none']) {
            expectError(await send(keyFor(route, world), workspace), 'management_reference')
          }
          named++
        }
      }
      expect(named).toBeGreaterThan(10)
      expect(await dumpTables(world.db)).toEqual(before)
    },
    SLOW_START_MS,
  )
})
