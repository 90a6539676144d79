import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { privateDatabase } from '../../../test/support/services.ts'
import type { StoredPartial, StoredPrompt } from '../../core/ports.ts'
import { openStore } from '../db.ts'
import { StoreUnavailable } from '../errors.ts'
import { defaultCollection } from '../objects/collections.ts'
import { labelRows } from '../objects/labels.ts'
import { type PromptContent, promptRows, setVersionLabel } from '../objects/prompts.ts'
import { newId } from '../objects/rows.ts'
import { createOrganisation } from '../objects/tenancy.ts'
import { createWorkspace, deleteWorkspace } from '../objects/workspaces.ts'
import { promptPartials, promptPartialVersions } from '../schema/prompt-partials.ts'
import { prompts, promptVersions } from '../schema/prompts.ts'
import {
  breakable,
  describeOnBothStores,
  emptyStore,
  promptContent,
  rejection,
  SLOW_START_MS,
  temporaryFolder,
  until,
} from '../testing.ts'
import { createPromptSnapshot } from './prompt-snapshot.ts'

const FAST = { debounceMs: 1, pollIntervalMs: 60_000 }

describeOnBothStores('prompt snapshot', (store) => {
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
      content: promptContent(`${slug}, 1`),
      by: 'ann',
      ...changes,
    })

  const addVersion = (promptId: string, number: number, content: PromptContent = promptContent(`version ${number}`)) =>
    store().db.transaction(async (transaction) => {
      const version = await promptRows.findVersion(transaction, promptId, number - 1)
      if (version === undefined) throw new Error('it is gone')
      const at = { object: { id: promptId, version: number - 1 }, version }
      return (await promptRows.change(transaction, at, { content, by: 'ann' })).object
    })

  const newLabel = (name: string) =>
    labelRows.insert(store().db, { organisationId, workspaceId, name, description: null, colorCode: null })

  const createPartial = async (slug: string, templates: readonly string[], publishedVersion = 1) => {
    const id = newId()
    const owner = { organisationId, workspaceId, ownerId: 'ann', updatedBy: 'ann' }
    await store()
      .db.insert(promptPartials)
      .values({ id, slug, name: slug, ...owner, version: templates.length, publishedVersion })
    const rows = templates.map((template, index) => ({
      id: newId(),
      partialId: id,
      number: index + 1,
      template,
      ownerId: 'ann',
    }))
    await store().db.insert(promptPartialVersions).values(rows)
    return id
  }

  test('finds the versions of a prompt by slug and id, published, newest, by number and by label', async () => {
    const { object: prompt, version } = await create('pp-a')
    await addVersion(prompt.id, 2)
    await addVersion(prompt.id, 3)
    await promptRows.update(store().db, { id: prompt.id, publishedVersion: 2, updatedBy: 'ann' })
    const { id } = await newLabel('own')
    await setVersionLabel(store().db, { promptId: prompt.id, number: 1 }, id)
    const snapshot = await createPromptSnapshot(store(), FAST)
    for (const name of ['pp-a', prompt.id, prompt.id.toUpperCase()]) {
      const numbers = ['', '@latest', '@1', '@3', '@own'].map(
        (selector) => snapshot.find(workspaceId, `${name}${selector}`)?.version,
      )
      expect(numbers).toEqual([2, 3, 1, 3, 1])
    }
    expect(snapshot.find(workspaceId, 'pp-a@1')).toEqual({
      id: prompt.id,
      slug: 'pp-a',
      name: 'pp-a',
      versionId: version.id,
      version: 1,
      template: 'pp-a, 1',
      isRaw: false,
      parameters: {},
      strict: false,
    })
    for (const [place, reference] of [
      [otherId, 'pp-a'],
      [workspaceId, 'pp-none'],
      [workspaceId, 'pp-a@4'],
      [workspaceId, 'pp-a@0'],
      [workspaceId, 'pp-a@'],
      [workspaceId, '@1'],
      [workspaceId, 'pp-a@production'],
      [workspaceId, 'pp-a@constructor'],
      [workspaceId, 'constructor'],
      ['__proto__', 'pp-a'],
    ] as const) {
      expect(snapshot.find(place, reference)).toBeUndefined()
    }
    await snapshot.close()
  })

  test('gives all that is saved with a version', async () => {
    const content = promptContent('x', {
      isRawTemplate: true,
      parameters: { z: 1, a: 2 },
      virtualKey: 'team-openai',
      model: 'gpt-4o',
      functions: [{ name: 'f' }],
      tools: [{ type: 'function' }],
      toolChoice: { type: 'function' },
      templateMetadata: { editor: 'x' },
      variablesSchema: { type: 'object' },
      strict: true,
      description: 'text',
    })
    await create('pp-a', { content })
    const snapshot = await createPromptSnapshot(store(), FAST)
    expect(snapshot.find(workspaceId, 'pp-a')).toMatchObject({
      isRaw: true,
      parameters: { z: 1, a: 2 },
      virtualKey: 'team-openai',
      model: 'gpt-4o',
      functions: [{ name: 'f' }],
      tools: [{ type: 'function' }],
      toolChoice: { type: 'function' },
      variablesSchema: { type: 'object' },
      strict: true,
    })
    await snapshot.close()
  })

  test('gives the same object until something of the version changes', async () => {
    const { object: prompt } = await create('pp-a')
    const snapshot = await createPromptSnapshot(store(), FAST)
    const first = snapshot.find(workspaceId, 'pp-a') as StoredPrompt
    await addVersion(prompt.id, 2)
    await until(() => snapshot.find(workspaceId, 'pp-a@2') !== undefined)
    const second = snapshot.find(workspaceId, 'pp-a@2') as StoredPrompt
    expect(snapshot.find(workspaceId, 'pp-a')).toBe(first)

    await promptRows.update(store().db, { id: prompt.id, publishedVersion: 2, updatedBy: 'bob' })
    await until(() => snapshot.find(workspaceId, 'pp-a') === second)
    expect(snapshot.find(workspaceId, 'pp-a@1')).toBe(first)

    await promptRows.update(store().db, { id: prompt.id, name: 'new', updatedBy: 'bob' })
    await until(() => snapshot.find(workspaceId, 'pp-a')?.name === 'new')
    expect(snapshot.find(workspaceId, 'pp-a@1')).toEqual({ ...first, name: 'new' })
    await snapshot.close()
  })

  test('sees labels that are set, moved, renamed and deleted', async () => {
    const { object: prompt } = await create('pp-a')
    await addVersion(prompt.id, 2)
    const { id } = await newLabel('own')
    const snapshot = await createPromptSnapshot(store(), FAST)
    const isVersion = (label: string, version: number | undefined) => () =>
      snapshot.find(workspaceId, `pp-a@${label}`)?.version === version
    for (const number of [1, 2]) {
      await setVersionLabel(store().db, { promptId: prompt.id, number }, id)
      await until(isVersion('own', number))
    }
    await labelRows.update(store().db, { id, name: 'other' })
    await until(isVersion('own', undefined))
    expect(snapshot.find(workspaceId, 'pp-a@other')?.version).toBe(2)
    await labelRows.remove(store().db, id)
    await until(isVersion('other', undefined))
    await snapshot.close()
  })

  test('archived and deleted prompts are gone, and those of a deleted workspace', async () => {
    const { object: prompt } = await create('pp-a')
    const { object: other } = await create('pp-b')
    const snapshot = await createPromptSnapshot(store(), FAST)
    const isThere = (slug: string) => snapshot.find(workspaceId, slug) !== undefined
    await promptRows.update(store().db, { id: prompt.id, status: 'archived', updatedBy: 'bob' })
    await until(() => !isThere('pp-a'))
    await promptRows.update(store().db, { id: prompt.id, status: 'active', updatedBy: 'bob' })
    await until(() => isThere('pp-a'))
    await promptRows.remove(store().db, other.id)
    await until(() => !isThere('pp-b'))
    expect(isThere('pp-a')).toBe(true)
    await store().db.transaction((transaction) => deleteWorkspace(transaction, workspaceId))
    await until(() => !isThere('pp-a'))
    await snapshot.close()
  })

  test('finds partials by slug and id, published, newest and by number, never by label', async () => {
    const id = await createPartial('rules', ['one', 'two', 'three'], 2)
    await newLabel('own')
    const snapshot = await createPromptSnapshot(store(), FAST)
    for (const name of ['rules', id]) {
      const templates = ['', '@latest', '@1', '@4', '@own', '@'].map(
        (selector) => snapshot.partial(workspaceId, `${name}${selector}`)?.template,
      )
      expect(templates).toEqual(['two', 'three', 'one', undefined, undefined, undefined])
    }
    const found = snapshot.partial(workspaceId, 'rules') as StoredPartial
    expect(found).toEqual({ id, slug: 'rules', version: 2, versionId: found.versionId, template: 'two' })
    expect(snapshot.partial(otherId, 'rules')).toBeUndefined()
    expect(snapshot.find(workspaceId, 'rules')).toBeUndefined()
    await store().db.update(promptPartials).set({ publishedVersion: 3 }).where(eq(promptPartials.id, id))
    await until(() => snapshot.partial(workspaceId, 'rules')?.version === 3)
    expect(snapshot.partial(workspaceId, 'rules@2')).toBe(found)
    await store().db.update(promptPartials).set({ status: 'archived' }).where(eq(promptPartials.id, id))
    await until(() => snapshot.partial(workspaceId, 'rules') === undefined)
    await snapshot.close()
  })

  test('holds more prompts and versions than one query reads', async () => {
    const slugs = Array.from({ length: 210 }, (_, index) => `pp-${index}`)
    const rows = slugs.map((slug) => ({ id: newId(), slug }))
    const owner = { organisationId, workspaceId, collectionId, ownerId: 'ann', updatedBy: 'ann' }
    await store()
      .db.insert(prompts)
      .values(rows.map((row) => ({ ...row, name: row.slug, version: 2, publishedVersion: 1, ...owner })))
    const version = (promptId: string, number: number, slug: string) => ({
      id: newId(),
      promptId,
      number,
      ...promptContent(`${slug} ${number}`),
      ownerId: 'ann',
    })
    await store()
      .db.insert(promptVersions)
      .values(rows.flatMap(({ id, slug }) => [version(id, 1, slug), version(id, 2, slug)]))
    const snapshot = await createPromptSnapshot(store(), FAST)
    for (const slug of slugs) {
      expect(snapshot.find(workspaceId, slug)?.template).toBe(`${slug} 1`)
      expect(snapshot.find(workspaceId, `${slug}@latest`)?.template).toBe(`${slug} 2`)
    }
    await snapshot.close()
  })

  test('keeps the last prompts while the database is away, and is an error when it is from the start', async () => {
    const { object: prompt } = await create('pp-a')
    const { double, broken } = breakable(store())
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const snapshot = await createPromptSnapshot(double, { ...FAST, pollIntervalMs: 10, onError })
    const { version } = snapshot
    broken.queries = true
    await until(() => errors.length > 2)
    await addVersion(prompt.id, 2)
    await until(() => errors.length > 5)
    expect(snapshot.find(workspaceId, 'pp-a')?.version).toBe(1)
    expect(snapshot.find(workspaceId, 'pp-a@2')).toBeUndefined()
    broken.queries = false
    await until(() => snapshot.find(workspaceId, 'pp-a@2') !== undefined)
    expect(snapshot.version).toBeGreaterThan(version)
    await snapshot.close()
    broken.queries = true
    expect(await rejection(createPromptSnapshot(double, FAST))).toBeInstanceOf(StoreUnavailable)
  })
})

test(
  'another process sees a new version, its label and its publication within a second',
  async () => {
    const database = await privateDatabase()
    const folder = temporaryFolder()
    const open = () => openStore({ dataDir: folder.path, databaseUrl: database.url })
    const [mine, theirs] = [await open(), await open()]
    const { id: organisationId } = await createOrganisation(mine.db, { name: 'o' })
    const { id: workspaceId } = await createWorkspace(mine.db, { organisationId, name: 'w', slug: 'ws-w' })
    const { id: collectionId } = await defaultCollection(mine.db, { workspaceId, organisationId })
    const label = await labelRows.find(mine.db, { workspaceId, reference: 'production' })
    const snapshot = await createPromptSnapshot(theirs)

    const startedAtMs = performance.now()
    const { object: prompt, version } = await promptRows.create(mine.db, {
      organisationId,
      workspaceId,
      collectionId,
      slug: 'pp-a',
      name: 'a',
      content: promptContent('one'),
      by: 'ann',
    })
    const change = { content: promptContent('two'), publishedVersion: 2, by: 'ann' }
    await promptRows.change(mine.db, { object: prompt, version }, change)
    await setVersionLabel(mine.db, { promptId: prompt.id, number: 1 }, label?.id ?? '')
    const template = (reference: string) => snapshot.find(workspaceId, reference)?.template
    await until(() => template('pp-a') === 'two' && template('pp-a@production') === 'one')
    expect(performance.now() - startedAtMs).toBeLessThan(4_000)

    await snapshot.close()
    await Promise.all([mine.close(), theirs.close()])
    await database.drop()
    folder.remove()
  },
  SLOW_START_MS,
)
