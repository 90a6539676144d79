import { beforeAll, describe, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { createTenant } from '../../../test/conformance/management/tenants.ts'
import { createWorld, type TestAnswer, type World } from '../../../test/conformance/management/world.ts'
import { listAudit } from '../../store/objects/audit-log.ts'
import { defaultCollection } from '../../store/objects/collections.ts'
import { promptRows } from '../../store/objects/prompts.ts'
import { collections } from '../../store/schema/collections.ts'
import { describeOnBothStores, promptContent, SLOW_START_MS } from '../../store/testing.ts'
import type { Method } from '../route.ts'
import { collectionsRoutes } from './routes.ts'

describeOnBothStores('collections', (store) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(store(), collectionsRoutes({ randomId: () => crypto.randomUUID() }))
  }, SLOW_START_MS)

  const send = (method: Method, path: string, body?: unknown, token = world.ours.admin): Promise<TestAnswer> =>
    world.call({ method, path, token, ...(body === undefined ? {} : { body }) })

  const create = async (changes: Readonly<Record<string, unknown>> = {}) => {
    const answer = await send('POST', '/collections', { name: 'Support', ...changes })
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 })
    return { id: String(answer.body.id), slug: String(answer.body.slug) }
  }

  const names = async (query: string): Promise<readonly string[]> => {
    const { body } = await send('GET', `/collections?${query}`)
    return (body.data as { name: string }[]).map(({ name }) => name)
  }

  const row = (overrides: Readonly<Record<string, unknown>>) => ({
    organisation_id: world.ours.organisationId,
    workspace_id: world.ours.first.id,
    parent_collection_id: null,
    is_default: 0,
    status: 'active',
    created_at: expect.stringMatching(/Z$/),
    last_updated_at: expect.stringMatching(/Z$/),
    object: 'collection',
    ...overrides,
  })

  test('a whole life: created, read by slug and id, listed, renamed, deleted', async () => {
    const answer = await send('POST', '/collections', { name: 'Customer care' })
    const { id, slug } = answer.body
    expect(answer.body).toEqual({ id, slug })
    expect(slug).toMatch(/^customer-care-[0-9a-f]{6}$/)
    const inner = await create({ name: 'Inner', parent_collection_id: slug })

    const shown = row({ id, slug, name: 'Customer care' })
    for (const reference of [slug, id]) expect((await send('GET', `/collections/${reference}`)).body).toEqual(shown)
    expect((await send('GET', `/collections/${inner.id}`)).body).toMatchObject({ parent_collection_id: id })
    const list = await send('GET', '/collections?search=CUSTOMER')
    expect(list.body).toEqual({ object: 'list', total: 1, data: [shown] })

    expect((await send('PUT', `/collections/${slug}`, { name: 'Care' })).body).toEqual({})
    expect((await send('GET', `/collections/${id}`)).body).toEqual({ ...shown, name: 'Care' })

    const refused = await send('DELETE', `/collections/${slug}`)
    expectError(refused, 'management_conflict')
    expect(refused.text).toContain('it holds 1 collection.')
    await send('DELETE', `/collections/${inner.slug}`)
    expect((await send('DELETE', `/collections/${slug}`)).body).toEqual({})
    expectError(await send('GET', `/collections/${slug}`), 'management_not_found')
    expectError(await send('PUT', `/collections/${id}`, { name: 'x' }), 'management_not_found')
  })

  test('lists are paged, by age, and searched by name and slug with nothing as a wildcard', async () => {
    const workspace = `workspace_id=${world.ours.second.slug}`
    for (const name of ['One 100%', 'Two', 'Three']) await create({ name, workspace_id: world.ours.second.slug })
    const all = await names(workspace)
    expect(all.filter((name) => name !== 'Default')).toEqual(['One 100%', 'Two', 'Three'])
    expect(await names(`${workspace}&page_size=2&current_page=1`)).toEqual(all.slice(2))
    expect(await names(`${workspace}&search=0%25`)).toEqual(['One 100%'])
    expect(await names(`${workspace}&search=_`)).toEqual([])
    expect(await names(`${workspace}&search=two-`)).toEqual(['Two'])
  })

  describe('the default one', () => {
    const workspaceOf = async () => {
      const tenant = await createTenant(world.db, 'fresh')
      return { tenant, owner: { workspaceId: tenant.first.id, organisationId: tenant.organisationId } }
    }

    test('is there in a new workspace, by its slug and in the list, and can be a parent', async () => {
      for (const path of ['/collections', '/collections/default']) {
        const { tenant } = await workspaceOf()
        const { body } = await send('GET', path, undefined, tenant.first.serviceKey)
        const found = path === '/collections' ? (body.data as readonly unknown[])[0] : body
        expect(found).toMatchObject({ name: 'Default', slug: 'default', is_default: 1 })
      }
      const { tenant } = await workspaceOf()
      const body = { name: 'x', parent_collection_id: 'default' }
      expect((await send('POST', '/collections', body, tenant.first.userKey)).status).toBe(200)
    })

    test('is one, also when many ask for it at the same time', async () => {
      const { owner } = await workspaceOf()
      const found = await Promise.all(Array.from({ length: 8 }, () => defaultCollection(world.db, owner)))
      expect(new Set(found.map(({ id }) => id)).size).toBe(1)
      const again = await world.db.transaction((transaction) => defaultCollection(transaction, owner))
      expect(again.id).toBe(String(found[0]?.id))
    })

    test('can be renamed and is never deleted', async () => {
      const { tenant } = await workspaceOf()
      const token = tenant.first.serviceKey
      expect((await send('PUT', '/collections/default', { name: 'Ours' }, token)).status).toBe(200)
      expectError(await send('DELETE', '/collections/default', undefined, token), 'management_not_found')
      expect((await send('GET', '/collections/default', undefined, token)).body).toMatchObject({ name: 'Ours' })
    })
  })

  test('one that holds something is not deleted: 409 says how much', async () => {
    const { id: collectionId, slug } = await create()
    const inner = await create({ parent_collection_id: slug })
    const { organisationId, first } = world.ours
    for (const each of ['pp-a', 'pp-b']) {
      await promptRows.create(world.db, {
        organisationId,
        workspaceId: first.id,
        collectionId,
        slug: `${each}-${collectionId}`,
        name: each,
        content: promptContent('Hello'),
        by: 'somebody',
      })
    }
    const refused = await send('DELETE', `/collections/${slug}`)
    expectError(refused, 'management_conflict')
    expect(refused.text).toContain('it holds 2 prompts and 1 collection.')
    await send('DELETE', `/collections/${inner.slug}`)
    expect((await send('DELETE', `/collections/${slug}`)).text).toContain('it holds 2 prompts.')
    expect((await send('GET', `/collections/${slug}`)).status).toBe(200)
  })

  test('of another workspace they are not there, also as a parent', async () => {
    const { second, first } = world.ours
    const { slug, id } = await create({ workspace_id: second.slug })
    for (const reference of [slug, id]) {
      for (const token of [first.serviceKey, world.theirs.admin, world.ours.admin]) {
        const path = `/collections/${reference}`
        expectError(await send('GET', path, undefined, token), 'management_not_found')
        expectError(await send('PUT', path, { name: 'x' }, token), 'management_not_found')
        expectError(await send('DELETE', path, undefined, token), 'management_not_found')
        const inside = await send('POST', '/collections', { name: 'x', parent_collection_id: reference }, token)
        expectError(inside, 'management_reference')
        expect(paramOf(inside)).toBe('parent_collection_id')
      }
    }
    expect((await send('PUT', `/collections/${slug}`, { name: 'x', workspace_id: second.id })).status).toBe(200)
    expect((await send('DELETE', `/collections/${slug}?workspace_id=${second.id}`)).status).toBe(200)
  })

  test('a slug that chance makes twice is a conflict, not a second collection', async () => {
    const same = await createWorld(store(), collectionsRoutes({ randomId: () => '0000-00abcdef' }))
    const post = () =>
      same.call({ method: 'POST', path: '/collections', token: same.ours.admin, body: { name: 'Same' } })
    expect((await post()).body.slug).toBe('same-abcdef')
    const again = await post()
    expectError(again, 'management_conflict')
    expect(paramOf(again)).toBe('name')
  })

  test('changes are in the audit log, with the object before and after', async () => {
    const { id, slug } = await create()
    await send('PUT', `/collections/${slug}`, { name: 'Renamed' })
    await send('DELETE', `/collections/${slug}`)
    const { rows } = await listAudit(world.db, { organisationId: world.ours.organisationId }, { offset: 0, limit: 3 })
    expect(rows.map(({ action, objectKind, objectId }) => ({ action, objectKind, objectId }))).toEqual(
      ['delete', 'update', 'create'].map((verb) => ({
        action: `collections.${verb}`,
        objectKind: 'collection',
        objectId: id,
      })),
    )
    expect(rows[1]).toMatchObject({ before: { name: 'Support' }, after: { name: 'Renamed' } })
  })

  test('an empty workspace has no row of them until somebody asks', async () => {
    const { first } = await createTenant(world.db, 'quiet')
    const stored = async () =>
      (await world.db.select().from(collections)).filter(({ workspaceId }) => workspaceId === first.id).length
    expect(await stored()).toBe(0)
    await send('GET', '/collections', undefined, first.userKey)
    expect(await stored()).toBe(1)
  })
})
