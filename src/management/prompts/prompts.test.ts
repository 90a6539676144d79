import { beforeAll, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { promptRows } from '../../store/objects/prompts.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { CHAT, type PromptsScene, setPromptsScene } from './test-support.ts'

const CONTENT = {
  string: CHAT,
  parameters: { temperature: 0.5, max_tokens: 10 },
  virtual_key: 'team-openai',
  model: 'gpt-4o',
  functions: [{ name: 'f', parameters: { type: 'object' } }],
  tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: { z: {}, a: {} } } } }],
  tool_choice: { type: 'function', function: { name: 'f' } },
  template_metadata: { editor: 'x' },
  is_raw_template: 1,
  variables_schema: { type: 'object', required: ['name'] },
  strict: true,
}

const ALL_TIMES = 'start_time=2020-01-01T00:00:00Z&end_time=2090-01-01T00:00:00Z'

interface AuditRecord {
  readonly resource_id: string
  readonly action: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

describeOnBothStores('prompts', (store) => {
  let scene: PromptsScene
  beforeAll(async () => {
    scene = await setPromptsScene(store())
  }, SLOW_START_MS)

  const send: PromptsScene['send'] = (...call) => scene.send(...call)
  const create: PromptsScene['create'] = (changes) => scene.create(changes)
  const show = async (reference: string) => (await send('GET', `/prompts/${reference}`)).body

  test('a whole life: created, read by slug and id, listed, changed, published, deleted', async () => {
    const created = await send('POST', '/prompts', {
      name: 'Écho of the day',
      ...CONTENT,
      parameters: { ...CONTENT.parameters, stream: true },
      version_description: 'the first',
    })
    const { id, slug, version_id } = created.body
    expect(created.body).toEqual({ id, slug, version_id, object: 'prompt' })
    expect(slug).toMatch(/^pp-echoof-[0-9a-f]{6}$/)

    const collection = (await send('GET', '/collections/default')).body
    const row = {
      id,
      slug,
      name: 'Écho of the day',
      collection_id: collection.id,
      organisation_id: scene.world.ours.organisationId,
      workspace_id: scene.world.ours.first.id,
      status: 'active',
      published_version: 1,
      latest_version: 1,
      owner_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      updated_by: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/Z$/),
      last_updated_at: expect.stringMatching(/Z$/),
      object: 'prompt',
    }
    const shown = {
      ...row,
      ...CONTENT,
      prompt_version: 1,
      prompt_version_id: version_id,
      prompt_version_status: 'active',
      prompt_version_description: 'the first',
      prompt_version_label_id: null,
      prompt_version_labels: [],
      prompt_version_owner_id: row.owner_id,
      prompt_version_created_at: row.created_at,
    }
    for (const reference of [slug, id]) expect(await show(String(reference))).toEqual(shown)
    expect(JSON.stringify((await show(String(slug))).tools)).toBe(JSON.stringify(CONTENT.tools))
    expect((await send('GET', '/prompts?search=ÉCHO')).body).toEqual({
      object: 'list',
      total: 1,
      data: [{ ...row, prompt_version: 1, prompt_version_id: version_id, model: 'gpt-4o', virtual_key: 'team-openai' }],
    })

    const changed = await send('PUT', `/prompts/${slug}`, { patch: true, string: 'Hello {{name}}', is_raw_template: 0 })
    const { prompt_version_id: second } = changed.body
    expect(changed.body).toEqual({ id, slug, prompt_version_id: second, object: 'prompt' })
    expect(second).not.toBe(version_id)
    // Not published: calls still get the first.
    expect(await show(String(slug))).toEqual({ ...shown, latest_version: 2 })
    const newest = {
      ...shown,
      latest_version: 2,
      prompt_version: 2,
      prompt_version_id: second,
      prompt_version_status: 'archived',
      prompt_version_description: null,
      string: 'Hello {{name}}',
      is_raw_template: 0,
    }
    expect(await show(`${slug}@latest`)).toEqual(newest)

    expect((await send('PUT', `/prompts/${slug}/makeDefault`, { version: 2 })).body).toEqual(changed.body)
    expect(await show(String(slug))).toEqual({ ...newest, published_version: 2, prompt_version_status: 'active' })
    expect(await show(`${slug}@1`)).toMatchObject({ prompt_version_id: version_id, prompt_version_status: 'archived' })

    expect((await send('DELETE', `/prompts/${slug}`)).body).toEqual({})
    for (const path of ['', '/versions', `/versions/${second}`]) {
      expectError(await send('GET', `/prompts/${slug}${path}`), 'management_not_found')
    }
  })

  test('needs a name, a template and parameters, and takes nothing that it does not know', async () => {
    const body = { name: 'x', string: 'text', parameters: {} }
    for (const name of ['name', 'string', 'parameters'] as const) {
      const { [name]: _, ...rest } = body
      const refused = await send('POST', '/prompts', rest)
      expectError(refused, 'management_invalid')
      expect(paramOf(refused)).toBe(name)
    }
    const refused = await send('POST', '/prompts', { ...body, nonsense: 1 })
    expect(paramOf(refused)).toBe('nonsense')
    const plain = await create(body)
    expect(await show(plain.slug)).toMatchObject({
      string: 'text',
      parameters: {},
      virtual_key: null,
      model: null,
      functions: null,
      tools: null,
      tool_choice: null,
      template_metadata: null,
      is_raw_template: 0,
      variables_schema: null,
      strict: false,
      prompt_version_description: null,
    })
  })

  test('a broken template is refused with line and column, and nothing is stored', async () => {
    const { slug } = await create()
    const string = 'Hello {{name}},\n  {{#a}} never closed'
    for (const [method, path, body] of [
      ['POST', '/prompts', { name: 'broken', string, parameters: {} }],
      ['PUT', `/prompts/${slug}`, { patch: true, string }],
      // A template of messages, as one whose sections may build them.
      ['PUT', `/prompts/${slug}`, { patch: true, string: '[{"role": "user", "content": {{x}} }]', is_raw_template: 1 }],
    ] as const) {
      const refused = await send(method, path, body)
      expectError(refused, 'management_invalid')
      expect(paramOf(refused)).toBe('string')
      expect(refused.text).toMatch(/line [0-9]+, column [0-9]+/)
    }
    expect((await send('GET', '/prompts?search=broken')).body.total).toBe(0)
    expect(await show(slug)).toMatchObject({ latest_version: 1 })
  })

  test('a schema of the variables that cannot be used is refused, each fault by its place', async () => {
    const before = (await send('GET', '/prompts')).body.total
    const refused = async (schema: unknown) => {
      const body = { name: 'A prompt', string: CHAT, parameters: {}, variables_schema: schema }
      const answer = await send('POST', '/prompts', body)
      expectError(answer, 'management_invalid')
      return paramOf(answer)
    }
    expect(await refused({ properties: { name: { pattern: '(' } } })).toBe('variables_schema.properties.name.pattern')
    expect(await refused({ $ref: '#' })).toBe('variables_schema')
    expect(await refused({ type: 'text' })).toBe('variables_schema.type')
    expect((await send('GET', '/prompts')).body.total).toBe(before)
  })

  test('its provider is one of the workspace, named by slug, by @slug or by id', async () => {
    for (const virtual_key of ['team-openai', '@team-openai', scene.provider.id]) {
      const { slug } = await create({ virtual_key })
      expect(await show(slug)).toMatchObject({ virtual_key: 'team-openai' })
    }
    const { second } = scene.world.ours
    for (const body of [{ virtual_key: 'none' }, { virtual_key: '@team-openai', workspace_id: second.id }]) {
      const refused = await send('POST', '/prompts', { name: 'x', string: 'x', parameters: {}, ...body })
      expectError(refused, 'management_invalid')
      expect(paramOf(refused)).toBe('virtual_key')
    }
  })

  test('without `patch` a new version says all that the newest one says', async () => {
    const { slug } = await create({ ...CONTENT, name: 'whole' })
    const refused = await send('PUT', `/prompts/${slug}`, { string: 'text', parameters: {} })
    expectError(refused, 'management_invalid')
    const errors = refused.body.errors as readonly { path: string }[]
    expect(errors.map(({ path }) => path)).toEqual([
      'virtual_key',
      'model',
      'functions',
      'tools',
      'tool_choice',
      'template_metadata',
      'is_raw_template',
      'variables_schema',
      'strict',
    ])
    expect(paramOf(await send('PUT', `/prompts/${slug}`, { model: 'gpt-4o', patch: false }))).toBe('string')
    const whole = { ...CONTENT, tools: null, virtual_key: null, model: null, string: 'text', is_raw_template: false }
    expect((await send('PUT', `/prompts/${slug}`, whole)).status).toBe(200)
    const stored = { ...whole, is_raw_template: 0 }
    expect(await show(`${slug}@latest`)).toMatchObject(stored)
    // What it has not need not be there.
    const { tools: _, virtual_key: __, model: ___, is_raw_template: ____, ...rest } = whole
    expect((await send('PUT', `/prompts/${slug}`, { ...rest, strict: false })).status).toBe(200)
    expect(await show(`${slug}@latest`)).toMatchObject({ ...stored, latest_version: 3, strict: false })
  })

  test('`patch` takes what is left out from the newest version, not from the published one', async () => {
    const { slug } = await create({ model: 'one', parameters: { top_p: 1 }, version_description: 'the first' })
    await send('PUT', `/prompts/${slug}`, { patch: true, model: 'two' })
    await send('PUT', `/prompts/${slug}`, { patch: true, parameters: { stream: false, n: 1 } })
    expect(await show(`${slug}@3`)).toMatchObject({
      model: 'two',
      parameters: { n: 1 },
      string: CHAT,
      published_version: 1,
      prompt_version_description: null,
    })
    await send('PUT', `/prompts/${slug}`, { patch: true, model: null })
    expect(await show(`${slug}@latest`)).toMatchObject({ prompt_version: 4, model: null, parameters: { n: 1 } })
  })

  test('its name, collection and status change without a new version', async () => {
    const { slug, version_id } = await create()
    const { body: collection } = await send('POST', '/collections', { name: 'Elsewhere' })
    const changed = await send('PUT', `/prompts/${slug}`, { name: 'New name', collection_id: collection.slug })
    expect(changed.body.prompt_version_id).toBe(version_id)
    expect(await show(slug)).toMatchObject({ name: 'New name', slug, collection_id: collection.id, latest_version: 1 })
    expect((await send('PUT', `/prompts/${slug}`, { status: 'archived' })).status).toBe(200)
    expect(await show(slug)).toMatchObject({ status: 'archived' })
    expectError(await send('PUT', `/prompts/${slug}`, {}), 'management_invalid')
  })

  test('are listed by collection, search and label, a page at a time, for their workspace', async () => {
    const { body: collection } = await send('POST', '/collections', { name: 'Listed' })
    const made = [
      await create({ name: 'list one', collection_id: collection.id }),
      await create({ name: 'list two', collection_id: collection.slug }),
    ]
    await create({ name: 'list three' })
    await create({ name: 'list four', workspace_id: scene.world.ours.second.slug })
    await send('PUT', `/prompts/${made[1]?.slug}/versions/1`, { label_id: 'staging' })
    const list = async (query: string) => {
      const { body } = await send('GET', `/prompts?${query}`)
      return [body.total, ...(body.data as { name: string }[]).map(({ name }) => name)]
    }
    expect(await list('search=LIST')).toEqual([3, 'list one', 'list two', 'list three'])
    expect(await list('search=list&page_size=1&current_page=1')).toEqual([3, 'list two'])
    for (const reference of [collection.id, collection.slug]) {
      expect(await list(`collection_id=${reference}`)).toEqual([2, 'list one', 'list two'])
    }
    expect(await list('label=staging')).toEqual([1, 'list two'])
    expect(await list(`search=list&workspace_id=${scene.world.ours.second.id}`)).toEqual([1, 'list four'])
    for (const [query, param] of [
      ['collection_id=none', 'collection_id'],
      ['label=none', 'label'],
    ]) {
      const refused = await send('GET', `/prompts?${query}`)
      expectError(refused, 'management_reference')
      expect(paramOf(refused)).toBe(param)
    }
  })

  test('stand in a collection of their workspace', async () => {
    const { second } = scene.world.ours
    const { body: foreign } = await send('POST', '/collections', { name: 'x', workspace_id: second.slug })
    const { slug } = await create()
    for (const [method, path, body] of [
      ['POST', '/prompts', { name: 'x', string: 'x', parameters: {}, collection_id: foreign.id }],
      ['PUT', `/prompts/${slug}`, { collection_id: 'none' }],
    ] as const) {
      const refused = await send(method, path, body)
      expectError(refused, 'management_reference')
      expect(paramOf(refused)).toBe('collection_id')
    }
    expect(await show((await create({ collection_id: 'default' })).slug)).toEqual({
      ...(await show(slug)),
      id: expect.any(String),
      slug: expect.any(String),
      prompt_version_id: expect.any(String),
      prompt_version_created_at: expect.any(String),
      created_at: expect.any(String),
      last_updated_at: expect.any(String),
    })
  })

  test('changes that come at the same time make one version each', async () => {
    const { slug } = await create()
    const models = Array.from({ length: 6 }, (_, index) => `model-${index}`)
    const answers = await Promise.all(models.map((model) => send('PUT', `/prompts/${slug}`, { patch: true, model })))
    expect(answers.map(({ status }) => status)).toEqual(models.map(() => 200))
    const { body } = await send('GET', `/prompts/${slug}/versions`)
    const versions = body.data as { prompt_version: number; model: string | null }[]
    expect(versions.map(({ prompt_version }) => prompt_version)).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect(new Set(versions.map(({ model }) => model))).toEqual(new Set([...models, null]))
  })

  test('the audit log has each change, with the version that it was about', async () => {
    const { id, slug, version_id } = await create()
    const { body } = await send('PUT', `/prompts/${slug}`, { patch: true, model: 'x' })
    await send('PUT', `/prompts/${slug}/makeDefault`, { version: 2 })
    await send('DELETE', `/prompts/${slug}`)
    const { body: log } = await send('GET', `/audit-logs?${ALL_TIMES}`)
    const rows = (log.records as readonly AuditRecord[]).filter(({ resource_id }) => resource_id === id)
    expect(rows.map(({ action }) => action)).toEqual([
      'prompts.delete',
      'prompts.publish',
      'prompts.update',
      'prompts.create',
    ])
    const about = rows.map(({ before, after }) => [before?.prompt_version_id, after?.prompt_version_id])
    const second = body.prompt_version_id
    expect(about).toEqual([
      [second, undefined],
      [version_id, second],
      [version_id, second],
      [undefined, version_id],
    ])
  })

  test('belong to a workspace: of another one they are not there', async () => {
    const { second, first } = scene.world.ours
    const { slug, id } = await create({ workspace_id: second.slug })
    for (const token of [first.serviceKey, scene.world.theirs.admin, undefined]) {
      for (const reference of [slug, id, `${slug}@1`]) {
        expectError(await send('GET', `/prompts/${reference}`, undefined, token), 'management_not_found')
        expectError(await send('PUT', `/prompts/${reference}`, { name: 'x' }, token), 'management_not_found')
        expectError(await send('DELETE', `/prompts/${reference}`, undefined, token), 'management_not_found')
      }
    }
    expect((await promptRows.find(store().db, { workspaceId: second.id, reference: slug }))?.name).toBe('A prompt')
    expect((await send('GET', `/prompts/${slug}?workspace_id=${second.id}`)).status).toBe(200)
  })
})
