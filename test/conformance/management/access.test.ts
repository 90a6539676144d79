import { beforeAll, describe, expect, test } from 'bun:test'
import { pathsOf } from '../../../src/management/mount.ts'
import type { AnyRoute } from '../../../src/management/route.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../../src/store/testing.ts'
import { dumpTables } from './dump.ts'
import { expectError } from './expect-error.ts'
import { type ForeignObjects, makeForeignObjects } from './foreign.ts'
import { nameOf, routesUnderTest } from './routes-under-test.ts'
import { fillPath, SAMPLE_NAMES, sampleOf } from './samples.ts'
import { createKey, SCOPES_OF_KIND } from './tenants.ts'
import { createWorld, type World } from './world.ts'

/** Routes to which `workspace_id` is a filter over what may be gone, or a field that is always refused. */
const IN_ITS_OWN_WAY: ReadonlySet<string> = new Set([
  'GET /audit-logs',
  'PUT /policies/rate-limits/:rateLimitsPolicyId',
])

const UNKNOWN_TOKENS = ['x', 'a-token-that-nobody-knows-0123456789', `weir_${'a'.repeat(12)}_${'a'.repeat(43)}`]

describeOnBothStores('who may call', (store) => {
  let world: World
  let routes: readonly AnyRoute[]
  let other: ForeignObjects
  let neighbour: ForeignObjects

  beforeAll(async () => {
    routes = await routesUnderTest(store())
    world = await createWorld(store(), routes)
    other = await makeForeignObjects(world.db, world.theirs)
    neighbour = await makeForeignObjects(world.db, world.ours)
  }, SLOW_START_MS)

  /** Any value will do where the call is refused before it is looked at. */
  const anyPath = ({ path }: Pick<AnyRoute, 'path'>): string => path.replaceAll(/:[a-zA-Z_]+/g, 'any')

  test('every route has a sample, and every sample a route', () => {
    expect(SAMPLE_NAMES.toSorted()).toEqual(routes.map(nameOf).toSorted())
  })

  test('without a token, or with an unknown one: 401 on every path of every route', async () => {
    for (const route of routes) {
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
  })

  describe.each(['organisation-service', 'workspace-service', 'workspace-user'] as const)('a key %s', (kind) => {
    const owner = () => ({
      organisationId: world.ours.organisationId,
      ...(kind === 'organisation-service' ? {} : { workspaceId: world.ours.first.id }),
    })

    test('with every scope but those of the route is refused: 403', async () => {
      for (const route of routes) {
        const needed: ReadonlySet<string> = new Set(route.scopes)
        const scopes = SCOPES_OF_KIND[kind].filter((scope) => !needed.has(scope))
        const token = await createKey(world.db, kind, owner(), scopes)
        const answer = await world.call({ method: route.method, path: anyPath(route), token })
        expectError(answer, 'management_forbidden')
      }
    })

    test('that lost its life is unknown: 401', async () => {
      const token = await createKey(world.db, kind, owner())
      const listed = await world.call({ method: 'GET', path: '/api-keys?page_size=1000', token: world.ours.admin })
      const id = (listed.body.data as { id: string }[]).at(-1)?.id
      await world.call({ method: 'DELETE', path: `/api-keys/${id}`, token: world.ours.admin })
      expectError(await world.call({ method: 'GET', path: '/workspaces', token }), 'management_unauthorized')
    })
  })

  test('a key of a workspace is refused on every route that only an organisation may call: 403', async () => {
    const refused: string[] = []
    for (const route of routes.filter(({ plane }) => plane === 'organisation')) {
      for (const [kind, token] of [
        ['workspace-service', world.ours.first.serviceKey],
        ['workspace-user', world.ours.first.userKey],
      ] as const) {
        if (route.scopes.some((scope) => SCOPES_OF_KIND[kind].includes(scope))) continue
        expectError(await world.call({ method: route.method, path: anyPath(route), token }), 'management_forbidden')
        refused.push(nameOf(route))
      }
    }
    expect(new Set(refused)).toContain('GET /audit-logs')
    expect(new Set(refused)).toContain('POST /workspaces')
  })

  const withParameters = () => routes.filter(({ path }) => path.includes(':'))

  test(
    "another organisation's objects are not there: 404",
    async () => {
      for (const route of withParameters()) {
        const sample = await sampleOf(route, world)
        const before = await dumpTables(world.db)
        for (const name of Object.keys(sample.params ?? {})) {
          for (const reference of other.references) {
            const path = fillPath(route, { ...sample, params: { ...sample.params, [name]: reference } })
            const answer = await world.call({ method: route.method, path, token: world.ours.admin, body: sample.body })
            expectError(answer, 'management_not_found')
          }
        }
        expect(await dumpTables(world.db)).toEqual(before)
      }
    },
    SLOW_START_MS,
  )

  test(
    "another workspace's objects are not there for a workspace key: 404",
    async () => {
      for (const route of withParameters()) {
        if (!route.scopes.some((scope) => SCOPES_OF_KIND['workspace-service'].includes(scope))) continue
        const { body, params = {}, query = {} } = await sampleOf(route, world)
        const before = await dumpTables(world.db)
        for (const name of Object.keys(params)) {
          for (const reference of neighbour.references) {
            const path = fillPath(route, { query, params: { ...params, [name]: reference } })
            const token = world.ours.first.serviceKey
            expectError(await world.call({ method: route.method, path, token, body }), 'management_not_found')
          }
        }
        expect(await dumpTables(world.db)).toEqual(before)
      }
    },
    SLOW_START_MS,
  )

  test(
    'naming another workspace: 403 for a workspace key, 404 for one of another organisation',
    async () => {
      let named = 0
      for (const route of routes) {
        for (const place of ['query', 'body'] as const) {
          if (route[place]?.properties?.workspace_id === undefined || IN_ITS_OWN_WAY.has(nameOf(route))) continue
          const { first, second } = world.ours
          const sample = await sampleOf(route, world)
          const send = (token: string, workspace: string) => {
            const changed = { ...sample, [place]: { ...sample[place], workspace_id: workspace } }
            return world.call({ method: route.method, path: fillPath(route, changed), token, body: changed.body })
          }
          const before = await dumpTables(world.db)
          if (route.scopes.some((scope) => SCOPES_OF_KIND['workspace-service'].includes(scope))) {
            for (const workspace of [second.id, second.slug, world.theirs.first.id, 'ws-none']) {
              expectError(await send(first.serviceKey, workspace), 'management_forbidden')
            }
          }
          for (const workspace of [world.theirs.first.id, 'ws-none']) {
            expectError(await send(world.ours.admin, workspace), 'management_reference')
          }
          expect(await dumpTables(world.db)).toEqual(before)
          named++
        }
      }
      expect(named).toBeGreaterThan(10)
    },
    SLOW_START_MS,
  )
})
