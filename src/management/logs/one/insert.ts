import { defined } from '../../../core/defined.ts'
import type { BodyRulesDirectory } from '../../../core/log-settings.ts'
import type { CallRecorder } from '../../../core/records.ts'
import { ManagementForbidden, ManagementUnavailable } from '../../../errors/gateway-error.ts'
import { within } from '../../../timing/within.ts'
import type { Actor } from '../../actor.ts'
import { invalidField } from '../../invalid-field.ts'
import type { LogsDeps } from '../deps.ts'
import { loggedMessages } from './logged-messages.ts'
import { type LoggedDeps, loggedRecord } from './logged-record.ts'
import type { NewLog } from './model.ts'

export interface InsertLogsDeps extends LoggedDeps, Pick<LogsDeps, 'now' | 'retentionDays'> {
  readonly recorder: CallRecorder
  readonly bodyRules: BodyRulesDirectory
  /** A UUIDv7 of a time, in milliseconds since 1970. */
  readonly idAt: (timeMs: number) => string
}

/** Waits for what is kept, at most. Milliseconds. */
const TIMEOUT_MS = 5_000
const DAY_MS = 86_400_000
/** Clocks of others may be ahead by so much. Milliseconds. */
const AHEAD_MS = 300_000

/**
 * Keeps calls that were made elsewhere, all or none: safe before it settles.
 * @throws ManagementInvalid naming the item; ManagementUnavailable when they cannot be kept in time
 */
export const insertLogs = async (actor: Actor, items: readonly NewLog[], deps: InsertLogsDeps): Promise<void> => {
  const { recorder, bodyRules } = deps
  const { organisationId, workspaceId } = actor
  if (workspaceId === undefined) throw new ManagementForbidden('Logs belong to a workspace: use a key of one.')
  const late = (): Error =>
    new ManagementUnavailable('The logs cannot be kept now: send them again.', { retryAfterMs: 1000 })
  const preparing = recorder.prepare(organisationId, workspaceId)
  if (preparing !== undefined) await within(preparing, TIMEOUT_MS, late)

  const rules = bodyRules.of(organisationId, workspaceId)
  const place = { organisationId, workspaceId, apiKeyId: actor.id, userId: actor.userId }
  const made = items.map((item, index) => {
    const timeMs = timeOf(item, index, items.length > 1, actor, deps)
    const record = loggedRecord(item, { ...place, timeMs, id: deps.idAt(timeMs) }, deps)
    return { record, messages: loggedMessages(item, rules) }
  })
  for (const { record, messages } of made) recorder.close([record], messages && new Map([[record.id, messages]]))
  const kept = recorder.durable()
  if (kept !== undefined) await within(kept, TIMEOUT_MS, late)
}

const timeOf = (
  { createdAt }: NewLog,
  index: number,
  isList: boolean,
  { organisationId, workspaceId }: Actor,
  { now, retentionDays }: InsertLogsDeps,
): number => {
  const nowMs = now()
  if (createdAt === undefined) return nowMs
  const timeMs = Date.parse(createdAt)
  const field = `${isList ? `[${index}].` : ''}createdAt`
  if (Number.isNaN(timeMs)) throw invalidField(field, 'is no date')
  if (timeMs > nowMs + AHEAD_MS) throw invalidField(field, 'is in the future')
  const days = retentionDays(defined({ organisationId, workspaceId }))
  if (timeMs < nowMs - days * DAY_MS) throw invalidField(field, `is older than the ${days} days that logs are kept`)
  return timeMs
}
