import { and, asc, desc, eq, gt, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import { takeOrganisationLock } from '../locks.ts'
import { auditLog } from '../schema/audit-log.ts'
import type { Db } from '../types.ts'
import { countRows, isUuid, newId, only, type Page, type Paged, readClock } from './rows.ts'

export type AuditRow = Readonly<typeof auditLog.$inferSelect>

/** What a row tells; its place in the chain and its time are given by the store. Secrets must be masked already. */
export type NewAuditRow = Readonly<
  Omit<typeof auditLog.$inferInsert, 'id' | 'sequence' | 'createdAt' | 'previousHash' | 'hash'>
>

/** Who the audit log names for what the gateway does by itself. */
export const SYSTEM_ACTOR = { actorKind: 'system', actorId: 'weir', actorName: 'Weir' } as const

/**
 * Adds a row to the chain of its organisation, in the transaction of the change that it tells of. It holds up other
 * changes of the organisation until that ends, so it comes last.
 */
export const appendAudit = async (transaction: Db, input: NewAuditRow): Promise<AuditRow> => {
  await takeOrganisationLock(transaction, 'audit', input.organisationId)
  const [last] = await transaction
    .select({ hash: auditLog.hash })
    .from(auditLog)
    .where(eq(auditLog.organisationId, input.organisationId))
    .orderBy(desc(auditLog.sequence))
    .limit(1)
  const content = {
    id: newId(),
    createdAt: await readClock(transaction),
    organisationId: input.organisationId,
    workspaceId: input.workspaceId ?? null,
    actorKind: input.actorKind,
    actorId: input.actorId,
    actorName: input.actorName,
    action: input.action,
    objectKind: input.objectKind,
    objectId: input.objectId,
    before: toStoredJson(input.before ?? null),
    after: toStoredJson(input.after ?? null),
    method: input.method ?? null,
    path: input.path ?? null,
    requestId: input.requestId ?? null,
    sourceAddress: input.sourceAddress ?? null,
    previousHash: last?.hash ?? FIRST_PREVIOUS_HASH,
  }
  return only(
    await transaction
      .insert(auditLog)
      .values({ ...content, hash: auditHash(content) })
      .returning(),
  )
}

export interface AuditFilter {
  readonly organisationId: string
  /** Not before this. */
  readonly startTime?: Date
  /** Before this. */
  readonly endTime?: Date
  readonly workspaceId?: string
  readonly actorKinds?: readonly string[]
  readonly actorId?: string
  readonly action?: string
  readonly objectKind?: string
  readonly objectId?: string
  readonly method?: string
  readonly path?: string
  readonly requestId?: string
  readonly sourceAddress?: string
}

/** The newest first. */
export const listAudit = async (db: Db, filter: AuditFilter, page: Page): Promise<Paged<AuditRow>> => {
  const where = toCondition(filter)
  const rows = await db
    .select()
    .from(auditLog)
    .where(where)
    .orderBy(desc(auditLog.sequence))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, auditLog, where) }
}

const toCondition = (filter: AuditFilter): SQL | undefined => {
  const texts = ['actorId', 'action', 'objectKind', 'objectId', 'method', 'path', 'requestId', 'sourceAddress'] as const
  return and(
    eq(auditLog.organisationId, filter.organisationId),
    filter.startTime === undefined ? undefined : gte(auditLog.createdAt, filter.startTime),
    filter.endTime === undefined ? undefined : lt(auditLog.createdAt, filter.endTime),
    filter.workspaceId === undefined ? undefined : ofWorkspace(filter.workspaceId),
    filter.actorKinds === undefined ? undefined : inArray(auditLog.actorKind, [...filter.actorKinds]),
    ...texts.map((name) => {
      const wanted = filter[name]
      return wanted === undefined ? undefined : eq(auditLog[name], wanted)
    }),
  )
}

/** The log may tell of workspaces that are gone, so whatever is asked for is no error. */
const ofWorkspace = (id: string): SQL => (isUuid(id) ? eq(auditLog.workspaceId, id) : sql`false`)

export interface BrokenAuditRow {
  readonly id: string
  readonly sequence: number
  /** `content`: the row was changed. `order`: the row before it was taken away, added or moved. */
  readonly broken: 'content' | 'order'
}

const BATCH = 500

/**
 * Walks the chain of an organisation from its start. That its last rows were taken away cannot be seen.
 * @returns the first row that does not fit, or undefined when all do
 */
export const verifyAuditChain = async (db: Db, organisationId: string): Promise<BrokenAuditRow | undefined> => {
  let previousHash = FIRST_PREVIOUS_HASH
  let sequence = 0
  for (;;) {
    const rows = await db
      .select()
      .from(auditLog)
      .where(and(eq(auditLog.organisationId, organisationId), gt(auditLog.sequence, sequence)))
      .orderBy(asc(auditLog.sequence))
      .limit(BATCH)
    for (const row of rows) {
      const place = { id: row.id, sequence: row.sequence }
      if (auditHash(row) !== row.hash) return { ...place, broken: 'content' }
      if (row.previousHash !== previousHash) return { ...place, broken: 'order' }
      previousHash = row.hash
      sequence = row.sequence
    }
    if (rows.length < BATCH) return undefined
  }
}

/** Every organisation that has rows, also those that were deleted since. */
export const listAuditedOrganisations = async (db: Db): Promise<readonly string[]> => {
  const rows = await db
    .selectDistinct({ id: auditLog.organisationId })
    .from(auditLog)
    .orderBy(asc(auditLog.organisationId))
  return rows.map(({ id }) => id)
}

/** `previousHash` of the first row of an organisation. */
export const FIRST_PREVIOUS_HASH = '0'.repeat(64)

type Hashed = Omit<typeof auditLog.$inferSelect, 'sequence' | 'hash'>

/** SHA-256 over everything a row tells and the hash of the row before, hex. The version comes first. */
const auditHash = (row: Hashed): string => {
  const parts = [
    1,
    row.previousHash,
    row.id,
    row.createdAt.toISOString(),
    row.organisationId,
    row.workspaceId,
    row.actorKind,
    row.actorId,
    row.actorName,
    row.action,
    row.objectKind,
    row.objectId,
    sorted(row.before),
    sorted(row.after),
    row.method,
    row.path,
    row.requestId,
    row.sourceAddress,
  ]
  return Bun.CryptoHasher.hash('sha256', JSON.stringify(parts), 'hex')
}

/** Value that the database will give back: without what JSON cannot hold. */
const toStoredJson = <Value extends object | null>(value: Value): Value => JSON.parse(JSON.stringify(value))

/** With the keys of every object in order: the database keeps them in one of its own. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}
