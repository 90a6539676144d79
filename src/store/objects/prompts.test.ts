import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { isForeignKeyViolation, isUniqueViolation } from '../errors.ts'
import { describeOnBothStores, emptyStore, promptContent, rejection } from '../testing.ts'
import type { Db } from '../types.ts'
import { collectionRows, defaultCollection } from './collections.ts'
import { labelRows } from './labels.ts'
import {
  clearVersionLabels,
  findLabelledVersion,
  findVersionLabels,
  listPrompts,
  PROMPT_SLUG_TAKEN,
  type PromptContent,
  promptRows,
  setVersionLabel,
} from './prompts.ts'
import { newId } from './rows.ts'
import { createOrganisation } from './tenancy.ts'
import { createWorkspace } from './workspaces.ts'

const ALL = { offset: 0, limit: 100 }

describeOnBothStores('prompts', (store) => {
  let organisationId = ''
  let workspaceId = ''
  let otherId = ''
  let collectionId = ''

  beforeEach(async () => {
    await emptyStore(store())
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'ws-w' })).id
    otherId = (await createWorkspace(store().db, { organisationId, name: 'v', slug: 'ws-v' })).id
    collectionId = (await defaultCollection(store().db, { workspaceId, organisationId })).id
  })

  const create = (slug: string, changes: Partial<Parameters<typeof promptRows.create>[1]> = {}) =>
    promptRows.create(store().db, {
      organisationId,
      workspaceId,
      collectionId,
      slug,
      name: slug,
      content: promptContent(`Hello of ${slug}`),
      by: 'ann',
      ...changes,
    })

  const find = (reference: string) => promptRows.find(store().db, { workspaceId, reference })

  /** A new version, as a change makes it. */
  const addVersion = (db: Db, slug: string, content: PromptContent) =>
    db.transaction(async (transaction) => {
      const found = await promptRows.find(transaction, { workspaceId, reference: slug }, 'change')
      if (found === undefined) throw new Error('it is gone')
      const version = await promptRows.findVersion(transaction, found.id, found.version)
      if (version === undefined) throw new Error('it is gone')
      return (await promptRows.change(transaction, { object: found, version }, { content, by: 'bob' })).object
    })

  test('come back as they were stored, by id in either case and by slug, for their workspace alone', async () => {
    const content = promptContent('[{"role":"user","content":"{{q}}"}]', {
      isRawTemplate: true,
      parameters: { top_p: 1, temperature: 0.5, nested: { z: 1, a: [null, 'é'] } },
      virtualKey: 'team-openai',
      model: 'gpt-4o',
      functions: [{ name: 'f' }],
      tools: [{ type: 'function', function: { name: 'f' } }],
      toolChoice: 'auto',
      templateMetadata: { editor: 'x' },
      variablesSchema: { type: 'object' },
      strict: true,
      description: 'the first',
    })
    const { object: prompt, version } = await create('pp-a', { content })
    expect(prompt).toMatchObject({
      status: 'active',
      version: 1,
      publishedVersion: 1,
      ownerId: 'ann',
      updatedBy: 'ann',
    })
    expect(version).toMatchObject({ number: 1, ownerId: 'ann', ...content })
    for (const reference of ['pp-a', prompt.id, prompt.id.toUpperCase()]) {
      expect(await find(reference)).toEqual(prompt)
      expect(await promptRows.find(store().db, { workspaceId: otherId, reference })).toBeUndefined()
    }
    for (const wanted of [1, version.id])
      expect(await promptRows.findVersion(store().db, prompt.id, wanted)).toEqual(version)
    for (const wanted of [0, 2, newId(), 'no uuid']) {
      expect(await promptRows.findVersion(store().db, prompt.id, wanted)).toBeUndefined()
    }
    const { object: other } = await create('pp-b')
    expect(await promptRows.findVersion(store().db, other.id, version.id)).toBeUndefined()
  })

  test('keep the order of keys, which means something to a model', async () => {
    const properties = { zebra: { type: 'string' }, a: { type: 'number' }, mm: {} }
    const tools = [{ type: 'function', function: { parameters: { type: 'object', properties } } }]
    const parameters = { zz: 1, response_format: { json_schema: { schema: { properties } } }, a: 1 }
    const { object: prompt } = await create('pp-a', {
      content: promptContent('x', { tools, parameters, toolChoice: { b: 1, a: 2 } }),
    })
    const found = await promptRows.findVersion(store().db, prompt.id, 1)
    expect(JSON.stringify([found?.tools, found?.parameters, found?.toolChoice])).toBe(
      JSON.stringify([tools, parameters, { b: 1, a: 2 }]),
    )
  })

  test('cannot share a slug in a workspace, nor stand in a collection that is gone', async () => {
    await create('pp-a')
    expect(isUniqueViolation(await rejection(create('pp-a')), PROMPT_SLUG_TAKEN)).toBe(true)
    expect(isForeignKeyViolation(await rejection(create('pp-b', { collectionId: newId() })))).toBe(true)
    await create('pp-a', { workspaceId: otherId })
  })

  test('are listed by age, a page at a time, and found by collection, by a part of their name and by label', async () => {
    const other = await collectionRows.insert(store().db, {
      organisationId,
      workspaceId,
      slug: 'c',
      name: 'c',
      parentCollectionId: null,
    })
    const made = await create('pp-a', {
      name: 'Blue 100%',
      content: promptContent('x', { model: 'm', virtualKey: 'k' }),
    })
    await create('pp-b', { name: 'blue', collectionId: other.id })
    await create('pp-c', { name: 'red' })
    await create('pp-d', { workspaceId: otherId })
    const label = await labelRows.find(store().db, { workspaceId, reference: 'staging' })
    await setVersionLabel(store().db, { promptId: made.object.id, number: 1 }, label?.id ?? '')

    const slugs = async (filter: Omit<Parameters<typeof listPrompts>[1], 'workspaceId'>, page = ALL) => {
      const { rows, total } = await listPrompts(store().db, { workspaceId, ...filter }, page)
      return [total, ...rows.map(({ slug }) => slug)]
    }
    expect(await slugs({})).toEqual([3, 'pp-a', 'pp-b', 'pp-c'])
    expect(await slugs({}, { offset: 1, limit: 1 })).toEqual([3, 'pp-b'])
    expect(await slugs({ collectionId: other.id })).toEqual([1, 'pp-b'])
    expect(await slugs({ search: 'BLUE' })).toEqual([2, 'pp-a', 'pp-b'])
    expect(await slugs({ search: '%' })).toEqual([1, 'pp-a'])
    expect(await slugs({ search: 'pp-c' })).toEqual([1, 'pp-c'])
    expect(await slugs({ labelId: label?.id ?? '' })).toEqual([1, 'pp-a'])
    const [first] = (await listPrompts(store().db, { workspaceId }, ALL)).rows
    expect(first?.published).toEqual({ id: made.version.id, model: 'm', virtualKey: 'k' })
  })

  test('get versions, the newest listed first, of which one is published', async () => {
    const { object: prompt, version } = await create('pp-a')
    const second = await addVersion(store().db, 'pp-a', promptContent('two'))
    expect(second).toMatchObject({ version: 2, publishedVersion: 1, ownerId: 'ann', updatedBy: 'bob' })
    const { rows, total } = await promptRows.listVersions(store().db, prompt.id, ALL)
    expect({ total, templates: rows.map(({ template }) => template) }).toEqual({
      total: 2,
      templates: ['two', version.template],
    })
    expect((await promptRows.listVersions(store().db, prompt.id, { offset: 1, limit: 1 })).rows).toEqual([version])
    const published = await promptRows.update(store().db, {
      id: prompt.id,
      publishedVersion: 2,
      name: 'new',
      updatedBy: 'eve',
    })
    expect(published).toMatchObject({ name: 'new', version: 2, publishedVersion: 2, updatedBy: 'eve' })
  })

  test('never change a version', async () => {
    const { version } = await create('pp-a')
    const statement = sql`update prompt_versions set template = 'x' where id = ${version.id}`
    expect(await rejection(Promise.resolve(store().db.execute(statement)))).toMatchObject({ sqlState: 'WE001' })
  })

  test('changes that come at the same time make one version after the other', async () => {
    const { object: prompt } = await create('pp-a')
    const templates = Array.from({ length: 8 }, (_, index) => `text ${index}`)
    await Promise.all(templates.map((template) => addVersion(store().db, 'pp-a', promptContent(template))))
    const { rows } = await promptRows.listVersions(store().db, prompt.id, ALL)
    expect(rows.map(({ number }) => number)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(new Set(rows.map(({ template }) => template))).toEqual(new Set(['Hello of pp-a', ...templates]))
    expect((await find('pp-a'))?.version).toBe(9)
  })

  test('a label is on one version of each prompt, and moves', async () => {
    const { object: prompt } = await create('pp-a')
    const { object: other } = await create('pp-b')
    await addVersion(store().db, 'pp-a', promptContent('two'))
    const owner = { organisationId, workspaceId, description: null, colorCode: null }
    const own = await labelRows.insert(store().db, { ...owner, name: 'own' })
    const production = await labelRows.find(store().db, { workspaceId, reference: 'production' })
    if (production === undefined) throw new Error('every workspace has it')
    const put = (promptId: string, number: number, labelId: string) =>
      setVersionLabel(store().db, { promptId, number }, labelId)
    const labels = async () => {
      const found = await findVersionLabels(store().db, prompt.id, [1, 2])
      return [1, 2].map((number) => found.get(number)?.map(({ name }) => name) ?? [])
    }

    await put(prompt.id, 1, production.id)
    await put(other.id, 1, production.id)
    await put(prompt.id, 1, own.id)
    // The one that was put on last comes first.
    expect(await labels()).toEqual([['own', 'production'], []])
    await put(prompt.id, 2, production.id)
    expect(await labels()).toEqual([['own'], ['production']])
    expect(await findLabelledVersion(store().db, prompt.id, 'production')).toBe(2)
    expect(await findLabelledVersion(store().db, other.id, 'production')).toBe(1)
    expect(await findLabelledVersion(store().db, prompt.id, 'staging')).toBeUndefined()
    await clearVersionLabels(store().db, { promptId: prompt.id, number: 2 })
    await labelRows.remove(store().db, own.id)
    expect(await labels()).toEqual([[], []])
    expect(await findLabelledVersion(store().db, other.id, 'production')).toBe(1)
    expect(isForeignKeyViolation(await rejection(put(prompt.id, 3, production.id)))).toBe(true)
    expect(isForeignKeyViolation(await rejection(put(prompt.id, 1, own.id)))).toBe(true)
  })

  test('go with all of their versions and labels', async () => {
    const { object: prompt, version } = await create('pp-a')
    const label = await labelRows.find(store().db, { workspaceId, reference: 'production' })
    await setVersionLabel(store().db, { promptId: prompt.id, number: 1 }, label?.id ?? '')
    await promptRows.remove(store().db, prompt.id)
    expect(await find('pp-a')).toBeUndefined()
    expect(await promptRows.findVersion(store().db, prompt.id, version.id)).toBeUndefined()
    expect((await findVersionLabels(store().db, prompt.id, [1])).size).toBe(0)
  })
})
