import { beforeAll, describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { createKey } from '../../../test/conformance/management/tenants.ts'
import { createWorld } from '../../../test/conformance/management/world.ts'
import { listAudit } from '../../store/objects/audit-log.ts'
import { defaultCollection } from '../../store/objects/collections.ts'
import { promptRows } from '../../store/objects/prompts.ts'
import { describeOnBothStores, promptContent, SLOW_START_MS } from '../../store/testing.ts'
import { defineRoute } from '../route.ts'
import { toShortSlug } from '../slug.ts'
import { promptPartialsRoutes } from './routes.ts'
import { type PartialsScene, setPartialsScene } from './test-support.ts'

test.each([
  ['House rules', 'pl-houser-0a1b2c'],
  ['Ünïcödé!', 'pl-unicod-0a1b2c'],
  ['日本', 'pl-partial-0a1b2c'],
  ['}} {{>x}}', 'pl-x-0a1b2c'],
])('the slug of a partial called %s is %s', (name, slug) => {
  expect(toShortSlug('pl', name, () => '3d-0a1b-2c', 'partial')).toBe(slug)
})

/** Served beside the partials, and never to be taken for one of them. */
const promptRoute = defineRoute({
  tag: 'Prompts',
  plane: 'workspace',
  method: 'GET',
  path: '/prompts/:promptId',
  summary: 'Stands for the route of one prompt',
  scopes: ['prompts.read'],
  changes: false,
  response: t.Object({ prompt: t.String() }),
  handle: async ({ params }) => ({ prompt: params.promptId }),
})

describeOnBothStores('prompt partials', (store) => {
  let scene: PartialsScene
  beforeAll(async () => {
    scene = await setPartialsScene(store(), [promptRoute])
  }, SLOW_START_MS)

  const send: PartialsScene['send'] = (...call) => scene.send(...call)
  const create: PartialsScene['create'] = (changes) => scene.create(changes)
  const show = async (slug: string, query = '') => (await send('GET', `/prompts/partials/${slug}${query}`)).body
  const versionsOf = async (slug: string) =>
    (await send('GET', `/prompts/partials/${slug}/versions`)).body.data as readonly Record<string, unknown>[]

  test('a whole life: created, read by slug and id, listed, changed, published, deleted', async () => {
    const body = { name: 'House rules', string: 'Be {{tone}}.', version_description: 'first' }
    const created = await send('POST', '/prompts/partials', body)
    const { id, slug, version_id: first } = created.body
    expect(created.body).toEqual({ id, slug, version_id: first })
    expect(slug).toMatch(/^pl-houser-[0-9a-f]{6}$/)

    const path = `/prompts/partials/${slug}`
    const row = {
      id,
      slug,
      name: 'House rules',
      organisation_id: scene.world.ours.organisationId,
      workspace_id: scene.world.ours.first.id,
      status: 'active',
      published_version: 1,
      latest_version: 1,
      owner_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      updated_by: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/Z$/),
      last_updated_at: expect.stringMatching(/Z$/),
      object: 'partial',
      version: 1,
    }
    const detail = {
      ...row,
      string: 'Be {{tone}}.',
      version_description: 'first',
      prompt_partial_version_id: first,
      prompt_version_status: 'active',
    }
    for (const reference of [slug, id]) {
      expect((await send('GET', `/prompts/partials/${reference}`)).body).toEqual(detail)
    }
    expect((await send('GET', '/prompts/partials')).body).toEqual({ object: 'list', total: 1, data: [row] })

    const changed = await send('PUT', path, { string: 'Be very {{tone}}.' })
    const second = changed.body.prompt_partial_version_id
    expect(changed.body).toEqual({ id, slug, prompt_partial_version_id: second })
    expect(second).not.toBe(first)
    // Not published: who names no version still gets the first.
    expect((await send('GET', path)).body).toEqual({ ...detail, latest_version: 2 })

    expect((await send('PUT', `${path}/makeDefault`, { version: 2 })).body).toEqual({})
    expect((await send('GET', path)).body).toMatchObject({
      string: 'Be very {{tone}}.',
      version: 2,
      published_version: 2,
      version_description: null,
      prompt_partial_version_id: second,
      prompt_version_status: 'active',
    })
    // And back.
    await send('PUT', `${path}/makeDefault`, { version: 1 })
    expect((await send('GET', path)).body).toMatchObject({ string: 'Be {{tone}}.', version: 1 })

    expect((await send('DELETE', path)).body).toEqual({})
    for (const gone of [path, `${path}/versions`, `/prompts/partials/${id}`]) {
      expectError(await send('GET', gone), 'management_not_found')
    }
    expectError(await send('PUT', `${path}/makeDefault`, { version: 1 }), 'management_not_found')
    expect((await send('GET', '/prompts/partials')).body).toMatchObject({ total: 0, data: [] })
  })

  test('every version stays as it was, the newest is listed first', async () => {
    const { id, slug, version_id } = await create({ name: 'old', version_description: 'the first' })
    await send('PUT', `/prompts/partials/${slug}`, { string: 'Be long.', version_description: 'the second' })
    await send('PUT', `/prompts/partials/${slug}`, { name: 'new', description: 'the same text once more' })
    const version = (number: number, string: string, description: string, status = 'archived') => ({
      prompt_partial_id: id,
      prompt_partial_version_id: number === 1 ? version_id : expect.stringMatching(/^[0-9a-f-]{36}$/),
      slug,
      version: number,
      string,
      description,
      prompt_version_status: status,
      owner_id: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      object: 'partial',
    })
    const versions = [
      version(3, 'Be long.', 'the same text once more'),
      version(2, 'Be long.', 'the second'),
      version(1, 'Be brief.', 'the first', 'active'),
    ]
    expect((await send('GET', `/prompts/partials/${slug}/versions`)).body).toEqual({
      object: 'list',
      total: 3,
      data: versions,
    })
    const page = await send('GET', `/prompts/partials/${id}/versions?page_size=2&current_page=1`)
    expect(page.body).toEqual({ object: 'list', total: 3, data: versions.slice(2) })
    expect(await show(slug, '?version=latest')).toMatchObject({ version: 3, prompt_version_status: 'archived' })
    expect(await show(slug, '?version=2')).toMatchObject({ version: 2, string: 'Be long.', name: 'new' })
    expectError(await send('GET', `/prompts/partials/${slug}?version=4`), 'management_not_found')
  })

  test('a new name or status makes no version, and the answer names the newest', async () => {
    const { id, slug } = await create()
    const { prompt_partial_version_id: newest } = (await send('PUT', `/prompts/partials/${slug}`, { string: 'x' })).body
    for (const body of [{ name: 'other' }, { status: 'archived' }, { status: 'active' }]) {
      const { body: answer } = await send('PUT', `/prompts/partials/${slug}`, body)
      expect(answer).toEqual({ id, slug, prompt_partial_version_id: newest })
      expect(await show(slug)).toMatchObject({ ...body, version: 1 })
    }
    expect(await versionsOf(slug)).toHaveLength(2)
  })

  test('changes at the same time get a version each', async () => {
    const { slug } = await create()
    const texts = Array.from({ length: 6 }, (_, index) => `text ${index}`)
    await Promise.all(texts.map((string) => send('PUT', `/prompts/partials/${slug}`, { string })))
    const versions = await versionsOf(slug)
    expect(versions.map(({ version }) => version)).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect(versions.map(({ string }) => string).toSorted()).toEqual(['Be brief.', ...texts].toSorted())
  })

  test('who made it and who changed it last are kept', async () => {
    const { userKey, serviceKey } = scene.world.ours.first
    const { slug } = (await send('POST', '/prompts/partials', { name: 'mine', string: '' }, userKey)).body
    const before = await show(String(slug))
    expect(before.updated_by).toBe(before.owner_id)
    await send('PUT', `/prompts/partials/${slug}/makeDefault`, { version: 1 }, serviceKey)
    const after = await show(String(slug))
    expect(after.owner_id).toBe(before.owner_id)
    expect(after.updated_by).not.toBe(before.updated_by)
  })

  test('lists are searched and paged; a collection is no filter', async () => {
    const workspace = `workspace_id=${scene.world.ours.second.slug}`
    const made = []
    for (const name of ['Alpha', 'Beta', 'Gamma']) {
      made.push((await create({ name, workspace_id: scene.world.ours.second.id })).slug)
    }
    const slugs = async (query: string) => {
      const { body } = await send('GET', `/prompts/partials?${workspace}&${query}`)
      return (body.data as { slug: string }[]).map(({ slug }) => slug)
    }
    expect(await slugs('page_size=2&current_page=1')).toEqual(made.slice(2))
    expect(await slugs('search=ET')).toEqual(made.slice(1, 2))
    expect(await slugs('search=pl-gamma')).toEqual(made.slice(2))
    expect(await slugs('collection_id=any')).toEqual(made)
  })

  test('of another workspace they are not there', async () => {
    const { second, first } = scene.world.ours
    const { slug, id } = await create({ workspace_id: second.slug })
    for (const token of [first.serviceKey, scene.world.theirs.admin, undefined]) {
      for (const path of [`/prompts/partials/${slug}`, `/prompts/partials/${id}`]) {
        expectError(await send('GET', path, undefined, token), 'management_not_found')
        expectError(await send('GET', `${path}/versions`, undefined, token), 'management_not_found')
        expectError(await send('PUT', path, { name: 'x' }, token), 'management_not_found')
        expectError(await send('PUT', `${path}/makeDefault`, { version: 1 }, token), 'management_not_found')
        expectError(await send('DELETE', path, undefined, token), 'management_not_found')
      }
    }
    const body = { version: 1, workspace_id: second.slug }
    expect((await send('PUT', `/prompts/partials/${slug}/makeDefault`, body)).status).toBe(200)
    expect((await send('GET', `/prompts/partials/${slug}?workspace_id=${second.id}`)).status).toBe(200)
    expect((await send('DELETE', `/prompts/partials/${slug}`, undefined, second.serviceKey)).status).toBe(200)
  })

  test('its paths are not those of a prompt, whatever the partial is called', async () => {
    expect((await send('GET', '/prompts/partials')).body).toMatchObject({ object: 'list' })
    for (const slug of ['partial', 'partials-of-mine', 'pp-a', 'p']) {
      expect((await send('GET', `/prompts/${slug}`)).body).toEqual({ prompt: slug })
    }
    for (const name of ['versions', 'makeDefault', 'partials']) {
      expectError(await send('GET', `/prompts/partials/${name}`), 'management_not_found')
    }
  })

  describe('what is refused', () => {
    test.each([
      ['a section that is never closed', 'Hello\n  {{#name}}you', 2, 3],
      ['a tag that is never closed', 'Hello {{name', 1, 7],
      ['a section closed twice', '{{#a}}x{{/a}}{{/a}}', 1, 14],
      ['a partial that could not be named', 'Hello\r\n{{>no such}}', 2, 1],
    ])('%s, with its line and column', async (_, string, line, column) => {
      const total = (await send('GET', '/prompts/partials')).body.total
      const { slug } = await create()
      for (const [method, path] of [
        ['POST', '/prompts/partials'],
        ['PUT', `/prompts/partials/${slug}`],
      ] as const) {
        const answer = await send(method, path, { name: 'broken', string })
        expectError(answer, 'management_invalid')
        expect(paramOf(answer)).toBe('string')
        expect(answer.text).toContain(`(line ${line}, column ${column})`)
      }
      expect(await versionsOf(slug)).toHaveLength(1)
      expect(await show(slug)).toMatchObject({ name: 'A partial' })
      expect((await send('GET', '/prompts/partials')).body.total).toBe(Number(total) + 1)
    })

    test('two descriptions that differ', async () => {
      const { slug } = await create()
      const both = { string: 'x', version_description: 'one', description: 'two' }
      const answer = await send('PUT', `/prompts/partials/${slug}`, both)
      expectError(answer, 'management_invalid')
      expect(paramOf(answer)).toBe('description')
      const same = { ...both, description: 'one' }
      expect((await send('PUT', `/prompts/partials/${slug}`, same)).status).toBe(200)
    })

    test('publishing a version that does not exist', async () => {
      const { slug } = await create()
      const answer = await send('PUT', `/prompts/partials/${slug}/makeDefault`, { version: 2 })
      expectError(answer, 'management_reference')
      expect(paramOf(answer)).toBe('version')
      expect(await show(slug)).toMatchObject({ version: 1 })
    })

    test('publishing by who may only change', async () => {
      const { organisationId, first } = scene.world.ours
      const owner = { organisationId, workspaceId: first.id }
      const token = await createKey(scene.world.db, 'workspace-service', owner, ['prompts.update', 'prompts.read'])
      const { slug } = await create()
      expect((await send('PUT', `/prompts/partials/${slug}`, { string: 'x' }, token)).status).toBe(200)
      const answer = await send('PUT', `/prompts/partials/${slug}/makeDefault`, { version: 2 }, token)
      expectError(answer, 'management_forbidden')
      expect(await show(slug)).toMatchObject({ version: 1 })
    })

    test('a slug that chance makes twice', async () => {
      const same = await createWorld(store(), promptPartialsRoutes({ randomId: () => '0000-00abcdef' }))
      const body = { name: 'Same', string: 'x' }
      const post = () => same.call({ method: 'POST', path: '/prompts/partials', token: same.ours.admin, body })
      expect((await post()).body.slug).toBe('pl-same-abcdef')
      const again = await post()
      expectError(again, 'management_conflict')
      expect(paramOf(again)).toBe('name')
    })
  })

  test('changes are in the audit log, a deletion with the prompts that named the partial', async () => {
    const { organisationId, first, second } = scene.world.ours
    const { id, slug } = await create({ name: 'shared' })
    const other = await create()
    const prompt = async (workspaceId: string, name: string, template: string) => {
      const { id: collectionId } = await defaultCollection(scene.world.db, { workspaceId, organisationId })
      const row = { organisationId, workspaceId, collectionId, slug: `pp-${name}`, name, by: 'somebody' }
      await promptRows.create(scene.world.db, { ...row, content: promptContent(template) })
    }
    const tags = {
      slug: `{{>${slug}}}`,
      pinned: `[{"role":"user","content":"Hello {{ > ${slug}@12 }}"}]`,
      id: `{{> ${id}@latest}}`,
      longer: `{{>${slug}0}}`,
      value: `{{${slug}}}`,
      another: `{{>${other.slug}}}`,
    }
    for (const [name, template] of Object.entries(tags)) await prompt(first.id, name, template)
    await prompt(second.id, 'elsewhere', tags.slug)
    await send('PUT', `/prompts/partials/${slug}`, { string: 'Be long.' })
    await send('PUT', `/prompts/partials/${slug}/makeDefault`, { version: 2 })
    await send('DELETE', `/prompts/partials/${slug}`)
    const { rows } = await listAudit(scene.world.db, { organisationId }, { offset: 0, limit: 3 })
    expect(rows.map(({ action, objectId }) => ({ action, objectId }))).toEqual(
      ['delete', 'publish', 'update'].map((verb) => ({ action: `prompt_partials.${verb}`, objectId: id })),
    )
    expect(rows[0]?.before).toMatchObject({
      string: 'Be long.',
      named_by: ['pp-id', 'pp-pinned', 'pp-slug'],
    })
    expect(rows[1]).toMatchObject({ before: { version: 1 }, after: { version: 2, prompt_version_status: 'active' } })
    expect(rows[2]).toMatchObject({
      before: { version: 1, string: 'Be brief.' },
      after: { version: 2, string: 'Be long.', prompt_version_status: 'archived' },
    })
  })
})
