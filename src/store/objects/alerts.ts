import { and, asc, desc, eq, inArray, lt, lte, sql } from 'drizzle-orm'
import { type AlertKind, alertDeliveries, alerts, alertWebhooks } from '../schema/alerts.ts'
import type { Db } from '../types.ts'
import { countRows, equals, newId } from './rows.ts'
import { rowsOf } from './rows-of.ts'

export type Alert = Readonly<typeof alerts.$inferSelect>
export type AlertWebhook = Readonly<typeof alertWebhooks.$inferSelect>
export type AlertDelivery = Readonly<typeof alertDeliveries.$inferSelect>

/** The newest first. */
export const alertRows = rowsOf(alerts, {
  filters: { kind: equals(alerts.kind) },
  order: [desc(alerts.createdAt), desc(alerts.id)],
})

export const webhookRows = rowsOf(alertWebhooks)

export const countWebhooks = (db: Db, workspaceId: string): Promise<number> =>
  countRows(db, alertWebhooks, eq(alertWebhooks.workspaceId, workspaceId))

/** @returns undefined where it was raised before */
export const insertAlert = async (db: Db, alert: Omit<Alert, 'id' | 'createdAt'>): Promise<Alert | undefined> => {
  const [row] = await db
    .insert(alerts)
    .values({ id: newId(), ...alert })
    .onConflictDoNothing({ target: [alerts.organisationId, alerts.kind, alerts.subject] })
    .returning()
  return row
}

/** Receivers of a workspace that want to hear of such alerts. */
export const receiversOf = async (db: Db, workspaceId: string, kind: AlertKind): Promise<readonly string[]> => {
  const rows = await db
    .select({ id: alertWebhooks.id, kinds: alertWebhooks.kinds })
    .from(alertWebhooks)
    .where(and(eq(alertWebhooks.workspaceId, workspaceId), eq(alertWebhooks.isEnabled, true)))
  return rows.flatMap(({ id, kinds }) => (kinds === null || kinds.includes(kind) ? [id] : []))
}

/** @param webhookIds undefined stands for the webhook of the operator */
export const insertDeliveries = async (
  db: Db,
  alertId: string,
  webhookIds: readonly (string | undefined)[],
): Promise<void> => {
  if (webhookIds.length === 0) return
  await db.insert(alertDeliveries).values(webhookIds.map((webhookId) => ({ id: newId(), alertId, webhookId })))
}

/** A delivery that is due, with what has to be sent where. */
export interface DueDelivery {
  readonly delivery: AlertDelivery
  readonly alert: Alert
  /** Absent: the one of the operator. */
  readonly webhook: AlertWebhook | null
}

/** Takes deliveries that are due, for a while: nobody else tries them meanwhile. */
export const claimDeliveries = async (db: Db, limit: number, forMs: number): Promise<readonly DueDelivery[]> => {
  const due = db
    .select({ id: alertDeliveries.id })
    .from(alertDeliveries)
    .where(and(eq(alertDeliveries.status, 'pending'), lte(alertDeliveries.nextAttemptAt, sql`now()`)))
    .orderBy(asc(alertDeliveries.nextAttemptAt))
    .limit(limit)
    .for('update', { skipLocked: true })
  const claimed = await db
    .update(alertDeliveries)
    .set({ nextAttemptAt: inMs(forMs), attempts: sql`${alertDeliveries.attempts} + 1` })
    .where(inArray(alertDeliveries.id, due))
    .returning({ id: alertDeliveries.id })
  if (claimed.length === 0) return []
  return db
    .select({ delivery: alertDeliveries, alert: alerts, webhook: alertWebhooks })
    .from(alertDeliveries)
    .innerJoin(alerts, eq(alerts.id, alertDeliveries.alertId))
    .leftJoin(alertWebhooks, eq(alertWebhooks.id, alertDeliveries.webhookId))
    .where(
      inArray(
        alertDeliveries.id,
        claimed.map(({ id }) => id),
      ),
    )
}

/** What came of an attempt. */
export interface Attempted {
  readonly lastStatus: number | null
  readonly lastError: string | null
}

/** @param retryMs undefined: there will be no further attempt */
export const endAttempt = async (
  db: Db,
  { id, attempts }: Pick<AlertDelivery, 'id' | 'attempts'>,
  outcome: Attempted & { readonly isDelivered: boolean },
  retryMs: number | undefined,
): Promise<void> => {
  const { isDelivered, ...said } = outcome
  const isOver = isDelivered || retryMs === undefined
  await db
    .update(alertDeliveries)
    .set({
      ...said,
      ...(isOver && { status: isDelivered ? 'delivered' : 'failed', endedAt: sql`now()` }),
      ...(retryMs !== undefined && { nextAttemptAt: inMs(retryMs) }),
    })
    // Another process has it by now, where this one took too long.
    .where(
      and(eq(alertDeliveries.id, id), eq(alertDeliveries.attempts, attempts), eq(alertDeliveries.status, 'pending')),
    )
}

export const deliveriesOf = (db: Db, alertIds: readonly string[]): Promise<readonly AlertDelivery[]> =>
  alertIds.length === 0
    ? Promise.resolve([])
    : db
        .select()
        .from(alertDeliveries)
        .where(inArray(alertDeliveries.alertId, [...alertIds]))
        .orderBy(asc(alertDeliveries.id))

/** Kinds of the alerts that were raised about subjects. */
export const raisedAbout = async (
  db: Db,
  organisationId: string,
  kinds: readonly AlertKind[],
  subjects: readonly string[],
): Promise<readonly Pick<Alert, 'kind' | 'subject'>[]> =>
  subjects.length === 0
    ? []
    : db
        .select({ kind: alerts.kind, subject: alerts.subject })
        .from(alerts)
        .where(
          and(
            eq(alerts.organisationId, organisationId),
            inArray(alerts.kind, [...kinds]),
            inArray(alerts.subject, [...subjects]),
          ),
        )

/** Forgets alerts that were raised longer ago, with their deliveries. */
export const expireAlerts = async (db: Db, days: number): Promise<void> => {
  await db.delete(alerts).where(lt(alerts.createdAt, sql`now() - ${days}::integer * interval '1 day'`))
}

const inMs = (ms: number) => sql`now() + ${ms}::double precision * interval '1 millisecond'`
