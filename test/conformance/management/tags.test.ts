import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { isOf, shownBy } from '../../../src/management/preconditions/shown-by.ts'
import type { AnyRoute } from '../../../src/management/route.ts'
import { changeUser } from '../../../src/people/users.ts'
import { tryChangesLock } from '../../../src/store/locks.ts'
import { policyRows } from '../../../src/store/objects/rate-limit-policies.ts'
import { userRows } from '../../../src/store/objects/users.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../../src/store/testing.ts'
import { hashTables } from './dump.ts'
import { expectError, paramOf } from './expect-error.ts'
import { nameOf, routesUnderTest } from './routes-under-test.ts'
import { fillPath, isOfProtocol, keyFor, type Sample, sampleOf } from './samples.ts'
import { createKey } from './tenants.ts'
import { createWorld, type World } from './world.ts'

/** What shows a part of what is there, or what nobody stored. */
const SHOWS_NO_OBJECT: ReadonlySet<string> = new Set([
  'GET /model-configs/pricing/:provider/:model',
  'GET /analytics/graphs/cost/metadata/:metadataKey',
  'GET /analytics/groups/metadata/:metadataKey',
])

const WALK_MS = 240_000
const WRONG = '"of-something-else"'

/** Whether a query asks for a page of a list. */
const isPaged = ({ query }: AnyRoute): boolean =>
  Object.keys(query?.properties ?? {}).some((name) => /^(page|page_size|current_page)$/.test(name))

describeOnBothStores('tags of what is stored', (store) => {
  let world: World
  let routes: readonly AnyRoute[]

  beforeAll(async () => {
    routes = await routesUnderTest(store())
  }, SLOW_START_MS)
  // Nobody has set anything yet in a new one, so that what is set is a change.
  beforeEach(async () => {
    world = await createWorld(store(), routes)
  }, SLOW_START_MS)

  const tagged = (): readonly AnyRoute[] => routes.filter(({ etag }) => etag === true)
  /** Changes of what a route with a tag shows, each with that. */
  const changing = (): readonly (readonly [AnyRoute, AnyRoute])[] =>
    routes.flatMap((route): [AnyRoute, AnyRoute][] => {
      const shown = shownBy(route, routes)
      return shown !== undefined && isOf(route, shown) ? [[route, shown]] : []
    })

  const call = (route: AnyRoute, sample: Sample, headers: Readonly<Record<string, string>> = {}) =>
    world.call({
      method: route.method,
      path: fillPath(route, sample),
      token: keyFor(route, world),
      body: sample.body,
      headers,
    })

  /** What is there for a change, and its tag. */
  const look = async (shown: AnyRoute, { params = {} }: Sample) => {
    const { status, text, headers } = await call(shown, { params })
    expect({ name: nameOf(shown), status, text }).toMatchObject({ name: nameOf(shown), status: 200 })
    return headers.get('etag') ?? ''
  }

  test('whatever shows one object has one, and so has whatever a change of the same path is about', () => {
    const shows = routes.filter(
      (route) => route.method === 'GET' && !isOfProtocol(route) && route.responseType === undefined,
    )
    const changed = new Set(
      routes.filter(({ method, changes }) => changes && method !== 'POST').map(({ roots, path }) => `${roots} ${path}`),
    )
    const owing = shows.filter(
      (route) =>
        !isPaged(route) &&
        !SHOWS_NO_OBJECT.has(nameOf(route)) &&
        (/:[^/]+$/.test(route.path) || changed.has(`${route.roots} ${route.path}`)),
    )
    expect(owing.length).toBeGreaterThan(30)
    expect(owing.filter(({ etag }) => etag !== true).map(nameOf)).toEqual([])
    expect(tagged().filter(isPaged).map(nameOf)).toEqual([])
  })

  test(
    'they are the same as long as nothing is changed, and known ones are answered with 304',
    async () => {
      for (const route of tagged()) {
        const name = nameOf(route)
        const sample = await sampleOf(route, world)
        const first = await call(route, sample)
        const tag = first.headers.get('etag') ?? ''
        expect({ name, status: first.status, tag }).toEqual({
          name,
          status: 200,
          tag: expect.stringMatching(/^"[A-Za-z0-9_-]{43}"$/),
        })
        expect(first.headers.get('cache-control')).toBe('no-store')
        for (const known of [tag, `W/${tag}`, `${WRONG}, ${tag}`, '*']) {
          const again = await call(route, sample, { 'if-none-match': known })
          expect({ name, status: again.status, text: again.text }).toEqual({ name, status: 304, text: '' })
          expect(again.headers.get('etag')).toBe(tag)
        }
        const other = await call(route, sample, { 'if-none-match': WRONG })
        expect({ name, status: other.status, tag: other.headers.get('etag') }).toEqual({ name, status: 200, tag })
        expectError(await call(route, sample, { 'if-match': WRONG }), 'precondition_failed')
        const odd = await call(route, sample, { 'if-none-match': 'no tag' })
        expectError(odd, 'management_invalid')
        expect(paramOf(odd)).toBe('If-None-Match')
      }
    },
    WALK_MS,
  )

  test(
    'a change with another tag is refused and changes nothing, one with the right tag is done',
    async () => {
      const all = changing()
      expect(all.length).toBeGreaterThan(50)
      for (const [route, shown] of all) {
        const name = nameOf(route)
        const sample = await sampleOf(route, world)
        const tag = await look(shown, sample)
        const before = await hashTables(world.db)
        for (const wrong of [WRONG, `W/${tag}`, `${WRONG}, W/${tag}`]) {
          const refused = await call(route, sample, { 'if-match': wrong })
          expect({ name, status: refused.status, text: refused.text }).toMatchObject({ name, status: 412 })
          expectError(refused, 'precondition_failed')
          expect(paramOf(refused)).toBe('If-Match')
        }
        expectError(await call(route, sample, { 'if-none-match': '*' }), 'precondition_failed')
        const odd = await call(route, sample, { 'if-match': tag.slice(1) })
        expectError(odd, 'management_invalid')
        expect(paramOf(odd)).toBe('If-Match')
        expect(await hashTables(world.db)).toEqual(before)

        const done = await call(route, sample, { 'if-match': `${WRONG}, ${tag}` })
        expect({ name, status: done.status, text: done.text }).toMatchObject({ name, status: route.status ?? 200 })
      }
    },
    WALK_MS,
  )

  test(
    'of two changes with the same tag at the same time one is done, whatever it is that they change',
    async () => {
      for (const [route, shown] of changing()) {
        const name = nameOf(route)
        const sample = await sampleOf(route, world)
        const tag = await look(shown, sample)
        const answers = await Promise.all([1, 2].map(() => call(route, sample, { 'if-match': tag })))
        const statuses = answers.map(({ status }) => status).toSorted()
        // What is gone is no longer there to be compared.
        const lost = statuses[1] !== 412 && route.method === 'DELETE' ? expect.any(Number) : 412
        expect({ name, statuses }).toEqual({ name, statuses: [200, lost] })
        expect(statuses[1]).toBeGreaterThan(400)
      }
    },
    WALK_MS,
  )

  test(
    '`*` stands for whatever is there, and what is gone stays not found',
    async () => {
      for (const [route, shown] of changing()) {
        const name = nameOf(route)
        const sample = await sampleOf(route, world)
        await look(shown, sample)
        const done = await call(route, sample, { 'if-match': '*' })
        expect({ name, status: done.status, text: done.text }).toMatchObject({ name, status: route.status ?? 200 })
      }
      const gone = { method: 'PUT', path: '/labels/of-nobody', token: world.ours.admin, body: { name: 'any' } } as const
      for (const known of ['*', WRONG]) {
        expectError(await world.call({ ...gone, headers: { 'if-match': known } }), 'management_not_found')
      }
    },
    WALK_MS,
  )

  test(
    'where nothing has a tag, nobody is left to think that theirs was compared',
    async () => {
      const others = routes.filter(
        (route) =>
          route.changes && !isOfProtocol(route) && !isOf(route, shownBy(route, routes)) && route.isPublic !== true,
      )
      expect(others.length).toBeGreaterThan(30)
      for (const route of others) {
        const sample = await sampleOf(route, world)
        const before = await hashTables(world.db)
        const refused = await call(route, sample, { 'if-match': '*' })
        expectError(refused, 'management_invalid')
        expect({ name: nameOf(route), param: paramOf(refused) }).toEqual({ name: nameOf(route), param: 'If-Match' })
        expect(await hashTables(world.db)).toEqual(before)
      }
    },
    WALK_MS,
  )

  test('what a change or a creation answers with has the tag that it is shown with', async () => {
    const answering = routes.filter((route) => route.changes && shownBy(route, routes)?.response === route.response)
    expect(answering.map(nameOf)).toContain('POST /workspaces')
    expect(answering.map(nameOf)).toContain('PUT /organisation/defaults')
    for (const route of answering) {
      const shown = shownBy(route, routes) as AnyRoute
      const sample = await sampleOf(route, world)
      const { headers, body } = await call(route, sample)
      const params = { ...sample.params, ...(route.method === 'POST' ? { workspace: String(body.slug) } : {}) }
      expect({ name: nameOf(route), tag: headers.get('etag') }).toEqual({
        name: nameOf(route),
        tag: await look(shown, { params }),
      })
    }
  })

  describe('who may', () => {
    test('change and not see is told nothing of what is there', async () => {
      const { params = {} } = await sampleOf(route('PUT /labels/:labelId'), world)
      const token = await createKey(world.db, 'organisation-service', world.ours, ['prompts.update'])
      const change = { method: 'PUT', path: `/labels/${params.labelId}`, token, body: { description: 'new' } } as const
      const tag = await look(route('GET /labels/:labelId'), { params })
      for (const known of [tag, WRONG, '*']) {
        expectError(await world.call({ ...change, headers: { 'if-match': known } }), 'management_forbidden')
      }
      expect((await world.call(change)).status).toBe(200)
    })
  })

  const route = (name: string): AnyRoute => {
    const found = routes.find((each) => nameOf(each) === name)
    if (found === undefined) throw new Error(`there is no ${name}`)
    return found
  }

  const policyOf = async () => {
    const sample = await sampleOf(route('PUT /policies/rate-limits/:rateLimitsPolicyId'), world)
    const path = fillPath(route('GET /policies/rate-limits/:rateLimitsPolicyId'), { params: sample.params ?? {} })
    return { id: sample.params?.rateLimitsPolicyId ?? '', path }
  }

  test('a change without a tag that began before is seen by one with a tag', async () => {
    if (store().kind === 'pglite') return
    const { id, path } = await policyOf()
    const token = world.ours.admin
    const tag = (await world.call({ method: 'GET', path, token })).headers.get('etag') ?? ''
    const written = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const first = world.db.transaction(async (transaction) => {
      expect(await tryChangesLock(transaction, world.ours.organisationId, false)).toBe(true)
      await policyRows.update(transaction, { id, value: 7 })
      written.resolve()
      await mayEnd.promise
    })
    await written.promise
    const second = world.call({ method: 'PUT', path, token, body: { value: 8 }, headers: { 'if-match': tag } })
    await Bun.sleep(50)
    mayEnd.resolve()
    await first
    expectError(await second, 'precondition_failed')
    expect((await world.call({ method: 'GET', path, token })).body.value).toBe(7)
  })

  test('what changes by itself, or is only shown when it is asked for, breaks no edit', async () => {
    const token = world.ours.admin
    const tagAt = async (path: string) =>
      (await world.call({ method: 'GET', path, token })).headers.get('etag') ?? 'none'

    const { params: { userId = '' } = {} } = await sampleOf(route('GET /users/:userId'), world)
    const before = await tagAt(`/users/${userId}`)
    await world.db.transaction(async (transaction) => {
      const { organisationId } = world.ours
      const user = await userRows.find(transaction, { organisationId, reference: userId })
      if (user === undefined) throw new Error('the user of the sample is gone')
      await changeUser(transaction, user, { lastSignInAt: new Date() })
    })
    expect(await tagAt(`/users/${userId}`)).toBe(before)

    for (const [name, query] of [
      ['GET /deployments/:deploymentId', 'include_credentials=false'],
      ['GET /api-keys/:id', 'include_usage=true'],
      ['GET /policies/usage-limits/:policyUsageLimitsId', 'include_usage=true'],
    ] as const) {
      const { params = {} } = await sampleOf(route(name), world)
      const path = fillPath(route(name), { params })
      expect({ name, tag: await tagAt(`${path}?${query}`) }).toEqual({ name, tag: await tagAt(path) })
    }
  })

  test('an archived policy is restored by the tag that it is shown with', async () => {
    const { path } = await policyOf()
    const token = world.ours.admin
    await world.call({ method: 'DELETE', path, token })
    const shown = await world.call({ method: 'GET', path: `${path}?status=archived`, token })
    const restore = { method: 'PUT', path, token, body: { status: 'active' } } as const
    expectError(await world.call({ ...restore, headers: { 'if-match': WRONG } }), 'precondition_failed')
    const headers = { 'if-match': shown.headers.get('etag') ?? '' }
    expect((await world.call({ ...restore, headers })).status).toBe(200)
  })

  test('a prompt and a partial are changed by the tag of the published version, or of the newest', async () => {
    const token = world.ours.admin
    for (const [name, newest, body] of [
      ['PUT /prompts/:promptId', '@latest', { patch: true, string: 'Hello.' }],
      ['PUT /prompts/partials/:partialId', '?version=latest', { string: 'Hello.' }],
    ] as const) {
      const { params = {} } = await sampleOf(route(name), world)
      const path = fillPath(route(name), { params })
      for (const view of ['', newest]) {
        const shown = await world.call({ method: 'GET', path: `${path}${view}`, token })
        const headers = { 'if-match': shown.headers.get('etag') ?? '' }
        const change = { method: 'PUT', path, token, headers } as const
        expect((await world.call({ ...change, body })).status).toBe(200)
        expectError(await world.call({ ...change, body }), 'precondition_failed')
      }
    }
  })
})
