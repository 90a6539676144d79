import { type Static, Type as t } from '@sinclair/typebox'
import type { CallRecord, FeedbackRecord, SealedBodies } from '../../core/records.ts'
import { ManagementInvalid, ManagementUnavailable } from '../../errors/gateway-error.ts'
import { type AnyRoute, defineRoute } from '../../management/route.ts'
import { isSoundRecord } from '../../records/columns.ts'
import type { Delivered, Delivery } from '../../records/flusher/messages.ts'
import { BatchRefused, type Placed } from '../../records/store.ts'
import type { Db } from '../../store/types.ts'
import { RECORDS_PATH } from '../protocol.ts'
import { allowedWorkspaceIds } from '../tables.ts'
import { dataPlaneOf } from './hub.ts'

export interface RecordsRouteOptions {
  readonly db: Db
  readonly deliver: (delivery: Delivery) => Promise<Delivered>
}

/** A batch of the spool, its bodies as text. */
const MAX_BYTES = 32 * 1024 * 1024

const Position = t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Word = t.String({ pattern: '^[\\w.-]{1,128}$' })
const Row = t.Record(t.String(), t.Unknown())
const Rows = t.Array(t.Object({ position: Position, row: Row }), { maxItems: 2_000 })

const RecordsHandedIn = t.Object({
  /** Of the data plane. */
  spool: Word,
  from: t.Optional(Position),
  to: t.Optional(Position),
  records: t.Optional(Rows),
  bodies: t.Optional(Rows),
  feedback: t.Optional(Rows),
  /** Counts that it wants to know. */
  counters: t.Optional(
    t.Array(t.Object({ workspaceId: Word, budgetId: Word, group: Word, startMs: Position }), { maxItems: 1_000 }),
  ),
})
type HandedIn = Static<typeof RecordsHandedIn>

/** What data planes hand in of their calls: stored with the records of this gateway, each once by its place in their spool. */
export const recordsRoute = ({ db, deliver }: RecordsRouteOptions): AnyRoute =>
  defineRoute({
    method: 'POST',
    path: RECORDS_PATH.slice('/v2'.length),
    roots: ['/v2'],
    tag: 'Deployments',
    summary: 'Records of the calls of a data plane',
    scopes: ['deployments.read'],
    plane: 'organisation',
    changes: false,
    body: RecordsHandedIn,
    maxBodyBytes: MAX_BYTES,
    response: t.Object({ position: Position, totals: t.Array(t.Unknown()) }),
    async handle({ actor, body }) {
      const { id: deploymentId, organisationId } = dataPlaneOf(actor)
      const workspaces = await allowedWorkspaceIds(db, { organisationId, deploymentId })
      const isOurs = (row: { readonly organisationId?: unknown; readonly workspaceId?: unknown }): boolean =>
        row.organisationId === organisationId && workspaces.has(row.workspaceId as string)
      const delivery = {
        // Nobody moves the place of a spool that is not theirs.
        ...toDelivery(body, `${deploymentId}.${body.spool}`, isOurs),
        counters: (body.counters ?? []).filter(({ workspaceId }) => workspaces.has(workspaceId)),
      }
      try {
        const { position, totals } = await deliver(delivery)
        return { position, totals: totals.map(({ total, ...rest }) => ({ ...rest, total: total.toString() })) }
      } catch (thrown) {
        if (thrown instanceof BatchRefused) throw new ManagementInvalid(thrown.message, { cause: thrown })
        throw new ManagementUnavailable('The records cannot be stored now.', { cause: thrown, retryAfterMs: 1_000 })
      }
    },
  })

type Ours = (row: { readonly organisationId?: unknown; readonly workspaceId?: unknown }) => boolean

const toDelivery = (body: HandedIn, spool: string, isOurs: Ours): Pick<Delivery, 'spool' | 'batch'> => {
  const { from, to, records = [], bodies = [], feedback = [] } = body
  if (from === undefined || to === undefined) return { spool }
  const checked = <Kept>(rows: typeof records, isSound: (row: object) => boolean, read: (row: object) => Kept) =>
    rows.map(({ position, row }): Placed<Kept> => {
      if (position < from || position >= to) throw new ManagementInvalid('A row is not in its batch.')
      if (!isOurs(row)) {
        throw new ManagementInvalid('A row is of a workspace that the deployment is not allowed.')
      }
      if (!isSound(row)) throw new ManagementInvalid('A row is none that a store takes.')
      return { position, row: read(row) }
    })
  return {
    spool,
    batch: {
      ...{ spool, from, to },
      records: checked(records, isSoundRecord, (row) => row as CallRecord),
      bodies: checked(bodies, isSoundBodies, (row) => {
        const { sealed, ...rest } = row as SealedBodies & { readonly sealed: unknown }
        return { ...rest, sealed: new Uint8Array(Buffer.from(String(sealed), 'base64')) }
      }),
      feedback: checked(feedback, isSoundFeedback, (row) => row as FeedbackRecord),
    },
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'

const isSoundBodies = (row: object): boolean => {
  const { recordId, time, sealed } = row as Readonly<Record<string, unknown>>
  return isText(recordId) && Number.isSafeInteger(time) && isText(sealed)
}

const isSoundFeedback = (row: object): boolean => {
  const { id, time, traceId, value, weight, metadata } = row as Readonly<Record<string, unknown>>
  const isNumbers = Number.isSafeInteger(time) && Number.isSafeInteger(value) && typeof weight === 'number'
  return isText(id) && isText(traceId) && isNumbers && typeof metadata === 'object' && metadata !== null
}
