import { beforeAll, expect, test } from 'bun:test'
import { labels } from '../schema/labels.ts'
import { describeOnBothStores, rejection } from '../testing.ts'
import { contains } from './rows.ts'
import { rowsOf } from './rows-of.ts'
import { createOrganisation } from './tenancy.ts'
import { createWorkspace } from './workspaces.ts'

const ALL = { offset: 0, limit: 100 }
const rows = rowsOf(labels, {
  hidden: ['colorCode'],
  filters: {
    search: (part: string) => contains(labels.name, part),
    described: (text: string) => contains(labels.description, text),
  },
})

describeOnBothStores('the rows of a table', (store) => {
  let organisationId = ''
  let workspaceId = ''
  beforeAll(async () => {
    organisationId = (await createOrganisation(store().db, { name: 'o' })).id
    workspaceId = (await createWorkspace(store().db, { organisationId, name: 'w', slug: 'w' })).id
  })

  test('belong to a workspace or an organisation, and are never read without one', async () => {
    const made = await rows.insert(store().db, { organisationId, workspaceId, name: 'a', colorCode: 'red' })
    for (const owner of [{ organisationId }, { workspaceId }, { organisationId, workspaceId }]) {
      expect(await rows.find(store().db, { ...owner, reference: made.id })).toEqual(made)
    }
    const other = { organisationId, workspaceId: Bun.randomUUIDv7() }
    expect(await rows.find(store().db, { ...other, reference: made.id })).toBeUndefined()
    expect((await rows.list(store().db, other, ALL)).total).toBe(0)
    const nobody = { workspaceId: undefined as unknown as string }
    expect(await rejection(rows.list(store().db, nobody, ALL))).toBeInstanceOf(Error)
    expect(await rejection(rows.find(store().db, { ...nobody, reference: made.id }))).toBeInstanceOf(Error)
  })

  test('hidden columns are in no answer', async () => {
    const made = await rows.insert(store().db, { organisationId, workspaceId, name: 'b', colorCode: 'red' })
    const found = await rows.find(store().db, { workspaceId, reference: made.id })
    for (const row of [made, found, await rows.update(store().db, { id: made.id })]) {
      expect(row).not.toHaveProperty('colorCode')
      expect(row).toHaveProperty('name', 'b')
    }
  })

  test('are found by id alone unless the table says otherwise', async () => {
    expect(await rows.find(store().db, { workspaceId, reference: 'production' })).toBeUndefined()
  })

  test('are listed by time of creation, by every filter that is given', async () => {
    const insert = (name: string, description: string) =>
      rows.insert(store().db, { organisationId, workspaceId, name, description })
    for (const [name, text] of [
      ['x1', 'old'],
      ['x2', 'new'],
      ['x3', 'new'],
    ] as const)
      await insert(name, text)
    const list = async (filter: { search?: string; described?: string }, page = ALL) => {
      const { rows: found, total } = await rows.list(store().db, { workspaceId, ...filter }, page)
      return [total, ...found.map(({ name }) => name)]
    }
    expect(await list({ search: 'X' })).toEqual([3, 'x1', 'x2', 'x3'])
    expect(await list({ search: 'x', described: 'NEW' })).toEqual([2, 'x2', 'x3'])
    expect(await list({ search: 'x' }, { offset: 1, limit: 1 })).toEqual([3, 'x2'])
  })

  test('a change of a row that is gone changes nothing', async () => {
    const { id } = await rows.insert(store().db, { organisationId, workspaceId, name: 'gone' })
    await rows.remove(store().db, id)
    expect(await rows.update(store().db, { id, name: 'back' })).toBeUndefined()
  })
})
