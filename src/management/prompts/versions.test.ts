import { beforeAll, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import { type PromptsScene, setPromptsScene } from './test-support.ts'

describeOnBothStores('versions of prompts', (store) => {
  let scene: PromptsScene
  beforeAll(async () => {
    scene = await setPromptsScene(store())
  }, SLOW_START_MS)

  const send: PromptsScene['send'] = (...call) => scene.send(...call)
  const show = async (reference: string) => (await send('GET', `/prompts/${reference}`)).body
  const labelsOf = async (reference: string) =>
    ((await show(reference)).prompt_version_labels as { name: string }[]).map(({ name }) => name)

  /** A prompt of three versions, by the model that they name. */
  const createThree = async () => {
    const made = await scene.create({ model: 'one' })
    const ids = [made.version_id]
    for (const model of ['two', 'three']) {
      const { body } = await send('PUT', `/prompts/${made.slug}`, { patch: true, model })
      ids.push(String(body.prompt_version_id))
    }
    return { slug: made.slug, id: made.id, ids }
  }

  test('are listed with the newest first, and shown by id and by number', async () => {
    const { slug, id, ids } = await createThree()
    await send('PUT', `/prompts/${slug}/versions/${ids[1]}`, { label_id: 'production' })
    const { body } = await send('GET', `/prompts/${slug}/versions`)
    const versions = body.data as Readonly<Record<string, unknown>>[]
    expect({ object: body.object, total: body.total }).toEqual({ object: 'list', total: 3 })
    expect(versions.map(({ model }) => model)).toEqual(['three', 'two', 'one'])
    expect(versions.map(({ prompt_version_status }) => prompt_version_status)).toEqual([
      'archived',
      'archived',
      'active',
    ])
    expect(versions[1]).toEqual(await show(`${slug}@production`))
    for (const [index, versionId] of ids.entries()) {
      for (const reference of [versionId, String(index + 1)]) {
        expect((await send('GET', `/prompts/${id}/versions/${reference}`)).body).toEqual(versions[2 - index] ?? {})
      }
    }
    const page = await send('GET', `/prompts/${slug}/versions?page_size=1&current_page=1`)
    expect(page.body).toEqual({ object: 'list', total: 3, data: versions.slice(1, 2) })
    const { version_id: foreign } = await scene.create()
    for (const reference of [foreign, '4', '0', 'latest', 'none']) {
      expectError(await send('GET', `/prompts/${slug}/versions/${reference}`), 'management_not_found')
    }
    for (const selector of ['4', 'none', 'staging', '0', '']) {
      expectError(await send('GET', `/prompts/${slug}@${selector}`), 'management_not_found')
    }
  })

  test('carry labels, by id or name: one of them is on one version, and moves', async () => {
    const { slug, id, ids } = await createThree()
    const { body: made } = await send('POST', '/labels', { name: `own-${slug}` })
    const put = (version: number, label_id: string | null) =>
      send('PUT', `/prompts/${slug}/versions/${ids[version - 1]}`, { label_id })
    expect((await put(1, 'production')).body).toEqual({ id, slug, prompt_version_id: ids[0], object: 'prompt' })
    await put(1, String(made.id))
    expect(await show(`${slug}@1`)).toMatchObject({ prompt_version_label_id: made.id })
    expect(await labelsOf(`${slug}@1`)).toEqual([`own-${slug}`, 'production'])

    await put(3, 'production')
    expect(await labelsOf(`${slug}@1`)).toEqual([`own-${slug}`])
    expect(await show(`${slug}@production`)).toMatchObject({ model: 'three', published_version: 1 })
    expect(await labelsOf(`${slug}@production`)).toEqual(['production'])

    await put(1, null)
    expect(await show(`${slug}@1`)).toMatchObject({ prompt_version_label_id: null, prompt_version_labels: [] })
    expectError(await send('GET', `/prompts/${slug}@own-${slug}`), 'management_not_found')
    // What is put back costs nothing.
    expect((await put(1, null)).status).toBe(200)
  })

  test('change nothing but their label', async () => {
    const { slug, ids } = await createThree()
    const path = `/prompts/${slug}/versions/${ids[0]}`
    for (const [body, param] of [
      [{}, 'label_id'],
      [{ label_id: 5 }, 'label_id'],
      [{ label_id: 'production', string: 'x' }, 'string'],
    ] as const) {
      const refused = await send('PUT', path, body)
      expectError(refused, 'management_invalid')
      expect(paramOf(refused)).toBe(param)
    }
    const { body: foreign } = await send('POST', '/labels', {
      name: 'elsewhere',
      workspace_id: scene.world.ours.second.slug,
    })
    for (const label_id of ['none', foreign.id, crypto.randomUUID()]) {
      const refused = await send('PUT', path, { label_id })
      expectError(refused, 'management_reference')
      expect(paramOf(refused)).toBe('label_id')
    }
  })

  test('are published, and rolled back', async () => {
    const { slug, ids } = await createThree()
    for (const version of [3, 2, 1]) {
      const { body } = await send('PUT', `/prompts/${slug}/makeDefault`, { version })
      expect(body.prompt_version_id).toBe(ids[version - 1])
      expect(await show(slug)).toMatchObject({ prompt_version: version, published_version: version, latest_version: 3 })
    }
    const refused = await send('PUT', `/prompts/${slug}/makeDefault`, { version: 4 })
    expectError(refused, 'management_reference')
    expect(paramOf(refused)).toBe('version')
    for (const body of [{}, { version: 0 }, { version: '2' }, { version: 1.5 }]) {
      expectError(await send('PUT', `/prompts/${slug}/makeDefault`, body), 'management_invalid')
    }
  })
})
