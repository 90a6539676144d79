import { expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import type { Db } from '../../store/types.ts'
import { pageQuery } from '../list.ts'
import type { AnyRoute, AuditEntry } from '../route.ts'
import { answerOf } from './answer.ts'
import { entryOf, type ResourceOptions, resource, scopesIn } from './resource.ts'

interface Thing {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
}

const Body = t.Object({ name: t.String() })
const asked: string[] = []
const options: ResourceOptions<Thing, string> = {
  place: async () => 'here',
  list: async (_, { limit, offset }) => ({
    rows: [{ id: '1', workspaceId: 'w', name: `${offset}+${limit}` }],
    total: 9,
  }),
  async one(_, reference, verb) {
    asked.push(`${verb} ${reference}`)
    return { id: '1', workspaceId: 'w', name: 'old' }
  },
  tag: 'Things',
  path: '/folder/things/:thingId',
  aliases: ['/things/:thingId'],
  scopes: scopesIn('prompts'),
  entry: entryOf('things', 'thing'),
  answer: answerOf<Thing>()({ id: t.String(), name: t.String() }),
  query: t.Object({ workspace_id: t.Optional(t.String()) }),
}
const things = resource(options)

/** Runs a route as the door does, without a database. */
const run = async (route: AnyRoute, given: { readonly query?: object; readonly body?: object } = {}) => {
  const entries: AuditEntry[] = []
  const answer = await route.handle({
    actor: { kind: 'workspace-user', id: 'k', name: 'k', organisationId: 'o', scopes: new Set() },
    params: { thingId: 'x' },
    from: { origin: 'http://gateway.test', address: undefined },
    onCommit: () => undefined,
    signal: AbortSignal.timeout(60_000),
    request: new Request('http://gateway.test/'),
    query: {},
    body: undefined,
    db: {} as Db,
    require: () => undefined,
    audit: (entry) => entries.push(entry),
    ...given,
  })
  return { answer, entries }
}

const entry = { objectKind: 'thing', objectId: '1', workspaceId: 'w' }

test('the path of all is what stands before the name of one, in every spelling', () => {
  const list = things.list({ summary: 'List', query: t.Object(pageQuery(10, 100)) })
  const read = things.read({ summary: 'Read' })
  const act = things.act({
    verb: 'publish',
    method: 'PUT',
    path: '/now',
    summary: 'Act',
    body: Body,
    run: async () => never(),
  })
  expect([list.path, list.aliases, list.scopes]).toEqual(['/folder/things', ['/things'], ['prompts.list']])
  expect([read.path, read.aliases, read.scopes]).toEqual([
    '/folder/things/:thingId',
    ['/things/:thingId'],
    ['prompts.read'],
  ])
  expect([act.path, act.scopes, act.changes]).toEqual(['/folder/things/:thingId/now', ['prompts.publish'], true])
  expect([list.query?.properties?.workspace_id, read.query?.properties?.workspace_id]).toEqual([
    undefined,
    expect.anything(),
  ])
})

test('a list is a page of answers', async () => {
  const list = things.list({ summary: 'List', query: t.Object(pageQuery(10, 100)) })
  const { answer } = await run(list, { query: { current_page: 2, page_size: 10 } })
  expect(answer).toEqual({ object: 'list', total: 9, data: [{ id: '1', name: '20+10' }] })
})

test('a list without rows is a fault of ours, told when the routes are made', () => {
  const { list: _, ...others } = options
  expect(() => resource(others).list({ summary: 'List', query: t.Object({}) })).toThrow(
    '/folder/things/:thingId has no rows',
  )
})

test('a creation keeps what it made, and what it notes, and answers with its receipt', async () => {
  const create = things.create({
    summary: 'Create',
    body: Body,
    response: t.Object({ at: t.String() }),
    async run({ body: { name } }, place, note) {
      note({ made_along: true })
      return { id: '1', workspaceId: 'w', name, secret: `${place} only` }
    },
    receipt: ({ secret }) => ({ at: secret }),
  })
  const { answer, entries } = await run(create, { body: { name: 'new' } })
  expect(answer).toEqual({ at: 'here only' })
  expect(entries).toEqual([{ action: 'things.create', ...entry, after: { id: '1', name: 'new', made_along: true } }])
})

test('a change keeps the object of before and after, and is held from the start', async () => {
  asked.length = 0
  const update = things.update({
    summary: 'Update',
    body: Body,
    run: async ({ body }, row, note) => {
      note({ reset: true })
      return { ...row, ...body }
    },
  })
  const { answer, entries } = await run(update, { body: { name: 'new' } })
  expect(answer).toEqual({})
  expect(entries).toEqual([
    {
      action: 'things.update',
      ...entry,
      before: { id: '1', name: 'old' },
      after: { id: '1', name: 'new', reset: true },
    },
  ])
  expect(asked).toEqual(['update x'])
})

test('a deletion keeps what was there, with what it notes', async () => {
  asked.length = 0
  const remove = things.delete({ summary: 'Delete', run: async (_, __, note) => note({ deleted: 2 }) })
  const { answer, entries } = await run(remove)
  expect(answer).toEqual({})
  expect(entries).toEqual([{ action: 'things.delete', ...entry, before: { id: '1', name: 'old', deleted: 2 } }])
  expect(asked).toEqual(['delete x'])
})

test('a refused change keeps nothing', async () => {
  const entries: unknown[] = []
  const remove = things.delete({ summary: 'Delete', run: () => Promise.reject(new Error('refused')) })
  const refused = run(remove).then(({ entries: kept }) => entries.push(...kept))
  await expect(refused).rejects.toThrow('refused')
  expect(entries).toEqual([])
})

const never = (): never => {
  throw new Error('not run here')
}
