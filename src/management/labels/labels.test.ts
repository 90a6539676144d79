import { beforeAll, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { type PromptsScene, setPromptsScene } from '../prompts/test-support.ts'

describeOnBothStores('labels', (store) => {
  let scene: PromptsScene
  beforeAll(async () => {
    scene = await setPromptsScene(store())
  }, SLOW_START_MS)

  const send: PromptsScene['send'] = (...call) => scene.send(...call)
  const names = async (query: string) =>
    ((await send('GET', `/labels?${query}`)).body.data as { name: string }[]).map(({ name }) => name)

  test('a whole life: created, read by id and name, listed, changed, deleted', async () => {
    const created = await send('POST', '/labels', { name: 'canary', description: 'first', color_code: '#ff0000' })
    const { id } = created.body
    expect(created.body).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
    const shown = {
      id,
      name: 'canary',
      description: 'first',
      color_code: '#ff0000',
      is_universal: false,
      status: 'active',
      organisation_id: scene.world.ours.organisationId,
      workspace_id: scene.world.ours.first.id,
      created_at: expect.stringMatching(/Z$/),
      last_updated_at: expect.stringMatching(/Z$/),
      object: 'label',
    }
    for (const reference of [id, 'canary']) expect((await send('GET', `/labels/${reference}`)).body).toEqual(shown)
    expect((await send('GET', '/labels?search=CANA')).body).toEqual({ object: 'list', total: 1, data: [shown] })
    expect((await send('PUT', `/labels/${id}`, { name: 'beta', description: null })).body).toEqual({})
    expect((await send('GET', `/labels/${id}`)).body).toEqual({ ...shown, name: 'beta', description: null })
    expect((await send('DELETE', `/labels/${id}`)).body).toEqual({})
    expectError(await send('GET', `/labels/${id}`), 'management_not_found')
    expectError(await send('GET', '/labels/beta'), 'management_not_found')
  })

  test('every workspace has three, which keep their names and stay', async () => {
    const { second } = scene.world.ours
    expect(await names(`workspace_id=${second.slug}`)).toEqual(['development', 'production', 'staging'])
    const shown = (await send('GET', '/labels/production')).body
    expect(shown).toMatchObject({ is_universal: true, description: null })
    expectError(await send('PUT', '/labels/production', { name: 'live' }), 'management_forbidden')
    expectError(await send('DELETE', '/labels/production'), 'management_forbidden')
    const same = await send('PUT', '/labels/production', { name: 'production', description: 'what users see' })
    expect(same.status).toBe(200)
    expect((await send('GET', '/labels/production')).body).toMatchObject({ description: 'what users see' })
    expect((await send('GET', `/labels/production?workspace_id=${second.id}`)).body).toMatchObject({
      description: null,
    })
  })

  test('names are letters, digits, _ and -, and mean nothing else', async () => {
    const { body: made } = await send('POST', '/labels', { name: 'renamed' })
    for (const name of ['', 'a b', 'a@b', 'ä', 'latest', 'Latest', 'default', '12', '0', 'x'.repeat(256)]) {
      for (const [method, path] of [
        ['POST', '/labels'],
        ['PUT', `/labels/${made.id}`],
      ] as const) {
        const refused = await send(method, path, { name })
        expectError(refused, 'management_invalid')
        expect(paramOf(refused)).toBe('name')
      }
    }
    for (const name of ['1a', '-', '_', 'A-b_9', 'latest-2']) {
      expect((await send('POST', '/labels', { name })).status).toBe(200)
    }
  })

  test('a name is taken once in a workspace', async () => {
    await send('POST', '/labels', { name: 'taken' })
    const { body: other } = await send('POST', '/labels', { name: 'other' })
    for (const [method, path, name] of [
      ['POST', '/labels', 'taken'],
      ['POST', '/labels', 'production'],
      ['PUT', `/labels/${other.id}`, 'taken'],
    ] as const) {
      const refused = await send(method, path, { name })
      expectError(refused, 'management_conflict')
      expect(paramOf(refused)).toBe('name')
    }
    const elsewhere = { name: 'taken', workspace_id: scene.world.ours.second.slug }
    expect((await send('POST', '/labels', elsewhere)).status).toBe(200)
  })

  test('belong to the organisation that the body names, if it names one, and are never universal', async () => {
    const body = { name: 'mine', organisation_id: scene.world.ours.organisationId.toUpperCase(), is_universal: false }
    expect((await send('POST', '/labels', body)).status).toBe(200)
    const foreign = await send('POST', '/labels', { ...body, organisation_id: scene.world.theirs.organisationId })
    expectError(foreign, 'management_forbidden')
    expect(paramOf(foreign)).toBe('organisation_id')
    const universal = await send('POST', '/labels', { name: 'all', is_universal: true })
    expect(paramOf(universal)).toBe('is_universal')
  })

  test('one that is deleted is taken off its version, and calls that name it find nothing', async () => {
    const { slug } = await scene.create()
    const { body: made } = await send('POST', '/labels', { name: 'gone' })
    await send('PUT', `/prompts/${slug}/versions/1`, { label_id: made.id })
    await send('PUT', `/labels/${made.id}`, { name: 'soon-gone' })
    expect((await send('GET', `/prompts/${slug}@soon-gone`)).status).toBe(200)
    await send('DELETE', `/labels/${made.id}`)
    expectError(await send('GET', `/prompts/${slug}@soon-gone`), 'management_not_found')
    expect((await send('GET', `/prompts/${slug}`)).body).toMatchObject({ prompt_version_labels: [] })
  })
})
