import { beforeAll, describe, expect, test } from 'bun:test'
import { check } from '../../../src/core/json/check.ts'
import { pathsOf } from '../../../src/management/mount.ts'
import type { AnyRoute } from '../../../src/management/route.ts'
import { StoreUnavailable } from '../../../src/store/errors.ts'
import { type AuditRow, listAudit, verifyAuditChain } from '../../../src/store/objects/audit-log.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../../src/store/testing.ts'
import type { Db } from '../../../src/store/types.ts'
import { hashTables } from './dump.ts'
import { expectError } from './expect-error.ts'
import { nameOf, routesUnderTest } from './routes-under-test.ts'
import { fillPath, keyFor, missingFrom, sampleOf } from './samples.ts'
import { actorsOf } from './tenants.ts'
import { caller, createWorld, rootOf, SOURCE_ADDRESS, type World } from './world.ts'

/** Routes that work without the database: what they need is in the records. */
const ASKS_NOTHING: ReadonlySet<string> = new Set([
  'POST /feedback',
  'PUT /feedback/:id',
  'POST /logs',
  'GET /model-configs/pricing',
  'GET /model-configs/pricing/:provider/:model',
])

/** So do those that tell what SCIM is here. */
const asksNothing = (route: AnyRoute): boolean =>
  ASKS_NOTHING.has(nameOf(route)) || /^\/scim\/v2\/(ServiceProviderConfig|ResourceTypes|Schemas)/.test(route.path)

/** What a call that was done is answered with. */
const doneOf = (route: Pick<AnyRoute, 'status'>): number => route.status ?? 200

/** Routes that change nothing, and yet owe a row. */
const ALWAYS_TOLD: ReadonlySet<string> = new Set(['GET /logs/exports/:exportId/download'])

/** A database on which whatever is asked for fails. */
const failing = (db: Db, error: Error): Db =>
  new Proxy(db, {
    get: () => () => {
      throw error
    },
  })

/** Every route, often more than once: that takes a while on a busy machine. */
const WALK_MS = 240_000

describeOnBothStores('what calls do', (store) => {
  let world: World
  let routes: readonly AnyRoute[]

  beforeAll(async () => {
    routes = await routesUnderTest(store())
    world = await createWorld(store(), routes)
  }, SLOW_START_MS)

  const audit = (limit: number) =>
    listAudit(world.db, { organisationId: world.ours.organisationId }, { offset: 0, limit })
  const auditCount = async (): Promise<number> => (await audit(1)).total
  /** Rows that were written since there were so many, the newest first. */
  const auditSince = async (before: number): Promise<readonly AuditRow[]> => {
    const { rows, total } = await audit(10)
    expect(total - before).toBeLessThanOrEqual(rows.length)
    return rows.slice(0, total - before)
  }

  const perform = async (route: AnyRoute) => {
    const sample = await sampleOf(route, world)
    const before = await auditCount()
    const path = fillPath(route, sample)
    const call = { method: route.method, path, token: keyFor(route, world), body: sample.body }
    const answer = await world.call(call)
    return { answer, call, written: await auditSince(before) }
  }

  test(
    'every route answers as its schema says, and every change writes one row that tells of it',
    async () => {
      for (const route of routes) {
        const { answer, call, written } = await perform(route)
        const name = nameOf(route)
        expect({ name, status: answer.status, text: answer.text }).toMatchObject({ name, status: doneOf(route) })
        const isJson = route.responseType === undefined || route.responseType.endsWith('json')
        const checked = check(route.response, isJson ? answer.body : answer.text)
        expect({ name, violations: checked.ok ? [] : checked.violations }).toEqual({ name, violations: [] })
        if (!route.changes && !ALWAYS_TOLD.has(name)) {
          expect({ name, rows: written.length }).toEqual({ name, rows: 0 })
          continue
        }
        expect({ name, rows: written.length }).toEqual({ name, rows: 1 })
        const [row] = written
        expect(row).toMatchObject({
          organisationId: world.ours.organisationId,
          ...(route.isPublic === true
            ? { actorKind: 'user' }
            : { actorKind: 'organisation-service', actorName: 'a key of the kind organisation-service' }),
          method: route.method,
          path: `${rootOf(call.path)}${call.path.split('?')[0]}`,
          requestId: answer.headers.get('x-gateway-request-id') ?? '',
          sourceAddress: SOURCE_ADDRESS,
        })
        expect(row?.action).toMatch(
          /^[a-z_]+\.(create|update|publish|delete|rotate|collect|start|cancel|download|resend|accept)$/,
        )
        expect(row?.objectId).not.toBe('')
        const isPart = row?.action.endsWith('.update') === true
        expect({ name, hasBefore: row?.before !== null }).toEqual({ name, hasBefore: !row?.action.endsWith('.create') })
        if (row?.action.endsWith('.create'))
          expect({ name, hasAfter: row.after !== null }).toEqual({ name, hasAfter: true })
        if (isPart && route.method === 'PUT')
          expect({ name, hasAfter: row.after !== null }).toEqual({ name, hasAfter: true })
      }
      expect(await verifyAuditChain(world.db, world.ours.organisationId)).toBeUndefined()
    },
    WALK_MS,
  )

  test(
    'every path of a route does the same',
    async () => {
      for (const route of routes) {
        // What only reads finds the same again.
        const same = route.changes ? undefined : await sampleOf(route, world)
        for (const path of pathsOf(route, '')) {
          const sample = same ?? (await sampleOf(route, world))
          const call = { method: route.method, path: fillPath({ path }, sample), token: keyFor(route, world), root: '' }
          const { status, text } = await world.call({ ...call, body: sample.body })
          expect({ path, status, text }).toMatchObject({ path, status: doneOf(route) })
        }
      }
      expect(await verifyAuditChain(world.db, world.ours.organisationId)).toBeUndefined()
    },
    WALK_MS,
  )

  test(
    'what is done twice is refused the second time, or changes nothing',
    async () => {
      for (const route of routes.filter(({ method, path }) => method === 'DELETE' && path.includes(':'))) {
        const { answer, call } = await perform(route)
        expect(answer.status).toBe(doneOf(route))
        const before = await hashTables(world.db)
        const again = await world.call(call)
        const status = missingFrom(route) === 'management_forbidden' ? 403 : 404
        expect({ name: nameOf(route), status: again.status }).toEqual({ name: nameOf(route), status })
        expect(await hashTables(world.db)).toEqual(before)
      }
    },
    WALK_MS,
  )

  test('a slug that is taken is a conflict', async () => {
    const creating = routes.filter(({ body, method }) => method === 'POST' && body?.properties?.slug !== undefined)
    expect(creating.map(nameOf).toSorted()).toEqual([
      'POST /deployments',
      'POST /integrations',
      'POST /mcp-integrations',
      'POST /mcp-servers',
      'POST /providers',
      'POST /secret-references',
      'POST /virtual-keys',
    ])
    for (const route of creating) {
      const { answer, call } = await perform(route)
      expect(answer.status).toBe(200)
      const before = await hashTables(world.db)
      // The interface has a code of its own for it, except here.
      const isInvalid = route.path === '/secret-references'
      expectError(await world.call(call), isInvalid ? 'management_invalid' : 'management_conflict')
      expect(await hashTables(world.db)).toEqual(before)
    }
  })

  test('changes at the same time make one chain', async () => {
    const creating = routes.filter(({ method, path, changes }) => changes && method === 'POST' && !path.includes(':'))
    const calls = await Promise.all(
      [...creating, ...creating, ...creating].map(async (route) => {
        const sample = await sampleOf(route, world)
        return { method: route.method, path: fillPath(route, sample), token: world.ours.admin, body: sample.body }
      }),
    )
    const before = await auditCount()
    const answers = await Promise.all(calls.map((call) => world.call(call)))
    expect(answers.map(({ status }) => (status === 201 ? 200 : status))).toEqual(calls.map(() => 200))
    expect(await auditCount()).toBe(before + calls.length)
    expect(await verifyAuditChain(world.db, world.ours.organisationId)).toBeUndefined()
  })

  describe('when the store fails', () => {
    const callOn = (db: Db, lines: string[] = []) =>
      caller(store(), routes, lines, { db, actors: actorsOf(store().db) })

    test(
      'away: 503 on every route, and a time to try again',
      async () => {
        const call = callOn(failing(world.db, new StoreUnavailable('The database at secret-host cannot be used.')))
        for (const route of routes) {
          const sample = await sampleOf(route, world)
          const path = fillPath(route, sample)
          const answer = await call({ method: route.method, path, token: keyFor(route, world), body: sample.body })
          if (asksNothing(route)) {
            expect(answer.status).toBe(200)
            continue
          }
          expectError(answer, 'management_unavailable')
          expect(answer.headers.get('retry-after')).toBe('1')
          expect(answer.text).not.toContain('secret-host')
        }
      },
      WALK_MS,
    )

    test('away while the token is looked up: 503, never 401', async () => {
      const find = async () => Promise.reject(new StoreUnavailable('The database is away.'))
      const call = caller(store(), routes, [], { actors: { find } })
      for (const { method, path } of routes.filter(({ isPublic }) => isPublic !== true)) {
        const answer = await call({ method, path: path.replaceAll(/:[a-zA-Z_]+/g, 'any'), token: world.ours.admin })
        expectError(answer, 'management_unavailable')
      }
    })

    test(
      'broken: 500 without a word of why, which the log has',
      async () => {
        const lines: string[] = []
        const call = callOn(failing(world.db, new Error('the-reason')), lines)
        for (const route of routes) {
          const sample = await sampleOf(route, world)
          lines.length = 0
          const path = fillPath(route, sample)
          const answer = await call({ method: route.method, path, token: keyFor(route, world), body: sample.body })
          if (asksNothing(route)) continue
          expectError(answer, 'management_internal')
          expect(answer.text).not.toContain('the-reason')
          expect(lines.join()).toContain('the-reason')
          expect(lines.join()).toContain(answer.headers.get('x-gateway-request-id') ?? 'none')
        }
      },
      WALK_MS,
    )
  })
})
