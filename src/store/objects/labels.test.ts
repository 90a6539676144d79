import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { isUniqueViolation } from '../errors.ts'
import { MIGRATIONS } from '../migration-index.ts'
import { labels } from '../schema/labels.ts'
import { describeOnBothStores, rejection } from '../testing.ts'
import { LABEL_NAME_TAKEN, labelRows, UNIVERSAL_LABELS } from './labels.ts'
import { createOrganisation } from './tenancy.ts'
import { createWorkspace } from './workspaces.ts'

const ALL = { offset: 0, limit: 100 }

describeOnBothStores('labels', (store) => {
  let organisationId = ''
  let workspaces = 0

  beforeAll(async () => {
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
  })

  const newWorkspace = async (): Promise<string> => {
    const slug = `ws-${++workspaces}`
    return (await createWorkspace(store().db, { organisationId, name: slug, slug })).id
  }
  const create = (workspaceId: string, name: string) =>
    labelRows.insert(store().db, { organisationId, workspaceId, name, description: 'text', colorCode: '#fff' })

  test('every new workspace has the universal ones', async () => {
    const workspaceId = await newWorkspace()
    const { rows, total } = await labelRows.list(store().db, { workspaceId }, ALL)
    expect(total).toBe(3)
    expect(rows.map(({ name, isUniversal }) => ({ name, isUniversal }))).toEqual(
      UNIVERSAL_LABELS.toSorted().map((name) => ({ name, isUniversal: true })),
    )
  })

  test('a workspace of before the migration gets them by it', async () => {
    const workspaceId = await newWorkspace()
    await store().db.delete(labels)
    const migration = MIGRATIONS.find(({ name }) => name === '0005_prompts')
    const [statement = ''] = migration?.sql.split('--> statement-breakpoint').toReversed() ?? []
    await store().db.execute(sql.raw(statement))
    const { rows } = await labelRows.list(store().db, { workspaceId }, ALL)
    expect(rows.map(({ name }) => name)).toEqual(UNIVERSAL_LABELS.toSorted())
    expect(rows.every(({ isUniversal }) => isUniversal)).toBe(true)
    expect(rows.every((row) => row.organisationId === organisationId)).toBe(true)
  })

  test('are found by id in either case and by name, for their workspace alone', async () => {
    const [workspaceId, otherId] = [await newWorkspace(), await newWorkspace()]
    const made = await create(workspaceId, 'Blue_1')
    expect(made).toMatchObject({ name: 'Blue_1', description: 'text', colorCode: '#fff', isUniversal: false })
    for (const reference of ['Blue_1', made.id, made.id.toUpperCase()]) {
      expect(await labelRows.find(store().db, { workspaceId, reference })).toEqual(made)
      expect(await labelRows.find(store().db, { workspaceId: otherId, reference })).toBeUndefined()
    }
    expect(await labelRows.find(store().db, { workspaceId, reference: 'blue_1' })).toBeUndefined()
    // A name that looks like the id of another label does not hide it.
    await create(workspaceId, made.id)
    expect(await labelRows.find(store().db, { workspaceId, reference: made.id })).toEqual(made)
  })

  test('are listed by name after the universal ones, a page at a time, and found by a part of it', async () => {
    const workspaceId = await newWorkspace()
    for (const name of ['b', 'a']) await create(workspaceId, name)
    const list = async (search: string | undefined, page = ALL) => {
      const { rows, total } = await labelRows.list(store().db, { workspaceId, ...(search && { search }) }, page)
      return [total, ...rows.map(({ name }) => name)]
    }
    expect(await list(undefined)).toEqual([5, 'development', 'production', 'staging', 'a', 'b'])
    expect(await list(undefined, { offset: 3, limit: 1 })).toEqual([5, 'a'])
    expect(await list('PROD')).toEqual([1, 'production'])
    expect(await list('_')).toEqual([0])
  })

  test('a name is taken once in a workspace', async () => {
    const workspaceId = await newWorkspace()
    const { id } = await create(workspaceId, 'a')
    for (const name of ['a', 'production']) {
      expect(isUniqueViolation(await rejection(create(workspaceId, name)), LABEL_NAME_TAKEN)).toBe(true)
    }
    const renaming = labelRows.update(store().db, { id, name: 'staging' })
    expect(isUniqueViolation(await rejection(renaming), LABEL_NAME_TAKEN)).toBe(true)
    expect(await labelRows.update(store().db, { id, name: 'c', description: null })).toMatchObject({
      name: 'c',
      description: null,
      colorCode: '#fff',
    })
    await labelRows.remove(store().db, id)
    expect(await labelRows.find(store().db, { workspaceId, reference: 'c' })).toBeUndefined()
  })
})
