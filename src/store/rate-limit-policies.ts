import { and, asc, eq, type SQL, sql } from 'drizzle-orm'
import { contains, countRows, isUuid, newId, only, type Page, type Paged } from './rows.ts'
import { rateLimitPolicies } from './schema/rate-limit-policies.ts'
import { workspaces } from './schema/tenancy.ts'
import type { Db } from './types.ts'

export type RateLimitPolicy = Readonly<typeof rateLimitPolicies.$inferSelect>
export type NewRateLimitPolicy = Readonly<
  Omit<typeof rateLimitPolicies.$inferInsert, 'id' | 'createdAt' | 'lastUpdatedAt'>
>
/** What a change may touch: the rest makes a policy what it is. */
export type RateLimitPolicyChange = Partial<
  Pick<
    NewRateLimitPolicy,
    'name' | 'description' | 'conditions' | 'unit' | 'value' | 'status' | 'onStoreFailure' | 'reservation' | 'mode'
  >
>

export const createRateLimitPolicy = async (db: Db, input: NewRateLimitPolicy): Promise<RateLimitPolicy> =>
  only(
    await db
      .insert(rateLimitPolicies)
      .values({ id: newId(), ...input })
      .returning(),
  )

export interface RateLimitPolicyReference {
  readonly organisationId: string
  /** Absent: of any workspace of the organisation. */
  readonly workspaceId?: string
  readonly id: string
  /** Absent: whichever it has. */
  readonly status?: RateLimitPolicy['status']
  /** In a transaction: nobody else changes the policy until its end. */
  readonly isToChange?: boolean
}

/** @returns undefined also for an id that is no UUID */
export const findRateLimitPolicy = async (
  db: Db,
  { organisationId, workspaceId, id, status, isToChange = false }: RateLimitPolicyReference,
): Promise<RateLimitPolicy | undefined> => {
  if (!isUuid(id)) return undefined
  const found = db
    .select()
    .from(rateLimitPolicies)
    .where(
      and(
        eq(rateLimitPolicies.id, id),
        eq(rateLimitPolicies.organisationId, organisationId),
        equals(rateLimitPolicies.workspaceId, workspaceId),
        equals(rateLimitPolicies.status, status),
      ),
    )
  const [row] = await (isToChange ? found.for('update') : found)
  return row
}

export interface RateLimitPolicyFilter {
  readonly workspaceId: string
  readonly status: RateLimitPolicy['status']
  readonly type?: RateLimitPolicy['type']
  readonly unit?: RateLimitPolicy['unit']
  readonly target?: RateLimitPolicy['target']
  /** A part of the name, in either case. */
  readonly name?: string
}

/** By time of creation, the oldest first. */
export const listRateLimitPolicies = async (
  db: Db,
  filter: RateLimitPolicyFilter,
  page: Page,
): Promise<Paged<RateLimitPolicy>> => {
  const where = and(
    eq(rateLimitPolicies.workspaceId, filter.workspaceId),
    eq(rateLimitPolicies.status, filter.status),
    equals(rateLimitPolicies.type, filter.type),
    equals(rateLimitPolicies.unit, filter.unit),
    equals(rateLimitPolicies.target, filter.target),
    filter.name === undefined ? undefined : contains(rateLimitPolicies.name, filter.name),
  )
  const rows = await db
    .select()
    .from(rateLimitPolicies)
    .where(where)
    .orderBy(asc(rateLimitPolicies.createdAt), asc(rateLimitPolicies.id))
    .limit(page.limit)
    .offset(page.offset)
  return { rows, total: await countRows(db, rateLimitPolicies, where) }
}

/**
 * Until the end of the transaction nobody else holds this: what is counted before policies are added stays true. To be
 * taken before a policy is, as whoever deletes the workspace does, or the two could wait for each other.
 */
export const lockPoliciesOf = async (transaction: Db, workspaceId: string): Promise<void> => {
  // No stronger: whatever else refers to the workspace may be added meanwhile.
  await transaction
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId))
    .for('no key update')
}

export const countActivePolicies = (db: Db, workspaceId: string): Promise<number> =>
  countRows(
    db,
    rateLimitPolicies,
    and(eq(rateLimitPolicies.workspaceId, workspaceId), eq(rateLimitPolicies.status, 'active')),
  )

/** Writes the given fields. @returns undefined when there is no such policy */
export const updateRateLimitPolicy = async (
  db: Db,
  { id, ...changes }: Pick<RateLimitPolicy, 'id'> & RateLimitPolicyChange,
): Promise<RateLimitPolicy | undefined> => {
  const [row] = await db
    .update(rateLimitPolicies)
    .set({ ...changes, lastUpdatedAt: sql`now()` })
    .where(eq(rateLimitPolicies.id, id))
    .returning()
  return row
}

type FilterColumn = (typeof rateLimitPolicies)['workspaceId' | 'status' | 'type' | 'unit' | 'target']

/** No condition where nothing is asked for. */
const equals = (column: FilterColumn, wanted: string | undefined): SQL | undefined =>
  wanted === undefined ? undefined : eq(column, wanted)
