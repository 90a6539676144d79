import { beforeEach, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { auditLog } from '../schema/audit-log.ts'
import { describeOnBothStores, rejection } from '../testing.ts'
import {
  type AuditFilter,
  appendAudit,
  FIRST_PREVIOUS_HASH,
  listAudit,
  type NewAuditRow,
  verifyAuditChain,
} from './audit-log.ts'
import { newId } from './rows.ts'

describeOnBothStores('audit log', (store) => {
  let organisationId = ''

  beforeEach(() => {
    organisationId = newId()
  })

  const entry = (changes: Partial<NewAuditRow> = {}): NewAuditRow => ({
    organisationId,
    actorKind: 'organisation-service',
    actorId: 'key-1',
    actorName: 'Administrator',
    action: 'api_keys.create',
    objectKind: 'api_key',
    objectId: 'object-1',
    ...changes,
  })
  const append = (changes: Partial<NewAuditRow> = {}) =>
    store().db.transaction((transaction) => appendAudit(transaction, entry(changes)))
  const rows = () =>
    store().db.select().from(auditLog).where(eq(auditLog.organisationId, organisationId)).orderBy(auditLog.sequence)

  /** As somebody would who owns the database. */
  const tamper = (statement: ReturnType<typeof sql>) =>
    store().db.transaction(async (transaction) => {
      await transaction.execute(sql`alter table audit_log disable trigger weir_append_only`)
      await transaction.execute(statement)
      await transaction.execute(sql`alter table audit_log enable trigger weir_append_only`)
    })

  test('chains the rows of an organisation, apart from those of others', async () => {
    const first = await append()
    await append({ organisationId: newId() })
    const second = await append({ before: { name: 'a' }, after: { name: 'b' } })
    expect(first.previousHash).toBe(FIRST_PREVIOUS_HASH)
    expect(second.previousHash).toBe(first.hash)
    expect(await verifyAuditChain(store().db, organisationId)).toBeUndefined()
    expect(await verifyAuditChain(store().db, newId())).toBeUndefined()
  })

  test('can be computed again from whatever JSON comes back from the database', async () => {
    const value: Record<string, unknown> = JSON.parse(
      '{"zz":1,"a":{"ö":"\\u2028","10":1e21,"9":-0.5,"":null},"list":[{"b":1,"a":[]},1.10],"__proto__":{"x":true}}',
    )
    await append({ before: { ...value, gone: undefined, at: new Date(0) }, after: value })
    expect(await verifyAuditChain(store().db, organisationId)).toBeUndefined()
  })

  test('leaves no row of a change that was undone', async () => {
    await append()
    const undone = store().db.transaction(async (transaction) => {
      await appendAudit(transaction, entry())
      throw new Error('undone')
    })
    await rejection(undone)
    await append()
    expect(await rows()).toHaveLength(2)
    expect(await verifyAuditChain(store().db, organisationId)).toBeUndefined()
  })

  test('keeps one chain when changes come at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, index) => append({ objectId: String(index) })))
    expect(await rows()).toHaveLength(20)
    expect(await verifyAuditChain(store().db, organisationId)).toBeUndefined()
  })

  test('refuses to change or delete a row', async () => {
    const { id } = await append()
    for (const statement of [
      sql`update audit_log set actor_name = 'nobody' where id = ${id}`,
      sql`delete from audit_log where id = ${id}`,
      sql`truncate audit_log`,
    ]) {
      expect(await rejection(Promise.resolve(store().db.execute(statement)))).toMatchObject({ sqlState: 'WE001' })
    }
  })

  test('shows which row was changed first', async () => {
    const [, second, third] = [await append(), await append(), await append()]
    await tamper(sql`update audit_log set actor_name = 'nobody' where id in (${second.id}, ${third.id})`)
    expect(await verifyAuditChain(store().db, organisationId)).toEqual({
      id: second.id,
      sequence: second.sequence,
      broken: 'content',
    })
  })

  test.each([
    ['the first', 0],
    ['one in the middle', 1],
  ])('shows that %s was taken away', async (_, taken) => {
    const made = [await append(), await append(), await append()]
    await tamper(sql`delete from audit_log where id = ${made[taken]?.id}`)
    expect(await verifyAuditChain(store().db, organisationId)).toMatchObject({
      id: made[taken + 1]?.id ?? '',
      broken: 'order',
    })
  })

  test('is read by its filters, the newest first, a page at a time', async () => {
    const workspaceId = newId()
    const before = new Date(Date.now() - 60_000)
    await append({ objectId: '1', requestId: 'r-1', sourceAddress: '10.0.0.1', method: 'POST', path: '/v2/api-keys' })
    await append({ objectId: '2', actorKind: 'workspace-user', actorId: 'key-2', action: 'configs.update' })
    await append({ objectId: '3', workspaceId, objectKind: 'config' })
    const list = async (filter: Omit<AuditFilter, 'organisationId'>, page = { offset: 0, limit: 10 }) => {
      const listed = await listAudit(store().db, { organisationId, ...filter }, page)
      return [listed.total, ...listed.rows.map(({ objectId }) => objectId)]
    }
    expect(await list({})).toEqual([3, '3', '2', '1'])
    expect(await list({}, { offset: 1, limit: 1 })).toEqual([3, '2'])
    for (const filter of [
      { requestId: 'r-1' },
      { sourceAddress: '10.0.0.1' },
      { method: 'POST' },
      { path: '/v2/api-keys' },
      { objectId: '1' },
    ]) {
      expect(await list(filter)).toEqual([1, '1'])
    }
    expect(await list({ actorKinds: ['workspace-user'] })).toEqual([1, '2'])
    expect(await list({ actorId: 'key-2' })).toEqual([1, '2'])
    expect(await list({ action: 'configs.update' })).toEqual([1, '2'])
    expect(await list({ workspaceId })).toEqual([1, '3'])
    expect(await list({ workspaceId: 'no-uuid' })).toEqual([0])
    expect(await list({ objectKind: 'config' })).toEqual([1, '3'])
    expect(await list({ startTime: before })).toEqual([3, '3', '2', '1'])
    expect(await list({ endTime: before })).toEqual([0])
  })
})
