import type { Endpoint } from '../../../core/endpoint.ts'
import type { CallRecord } from '../../../core/records.ts'
import { ManagementNotFound } from '../../../errors/gateway-error.ts'
import { isUuid } from '../../../store/objects/rows.ts'
import { findOrganisation } from '../../../store/objects/tenancy.ts'
import { slugsOfWorkspaces } from '../../../store/objects/workspaces.ts'
import type { Actor } from '../../actor.ts'
import type { ManagementCall } from '../../route.ts'
import type { LogsDeps } from '../deps.ts'
import { openBodies } from '../open-bodies.ts'
import { toLog } from './show.ts'

export interface ReadLogDeps extends Pick<LogsDeps, 'readersOf' | 'records' | 'seals'> {
  readonly endpoints: () => readonly Endpoint[]
}

/**
 * One log with its messages. That these were looked at is written down.
 * @throws ManagementNotFound for an id that the caller's organisation or workspace does not have
 */
export const readLog = async (
  { actor, db, params, audit }: Pick<ManagementCall<unknown, unknown>, 'actor' | 'db' | 'params' | 'audit'>,
  deps: ReadLogDeps,
) => {
  const id = params.logId?.toLowerCase() ?? ''
  const found = isUuid(id) ? await deps.records.find(actor.organisationId, id) : []
  const [record, ...attempts] = found
  if (record === undefined || !isInReach(actor, record)) throw new ManagementNotFound('There is no log of that id.')
  const { organisationId, workspaceId } = record
  const [messages, organisation, slugs] = await Promise.all([
    openBodies(found, actor.id, deps),
    findOrganisation(db, organisationId),
    slugsOfWorkspaces(db, organisationId, [workspaceId]),
  ])
  if (messages.size > 0) audit({ action: 'logs.view', objectKind: 'log', objectId: record.id, workspaceId })
  const names = { organisation: organisation?.name ?? null, workspaceSlug: slugs.get(workspaceId) ?? null }
  return toLog(record, attempts, { names, messages, endpoints: deps.endpoints() })
}

const isInReach = ({ workspaceId }: Actor, record: CallRecord): boolean =>
  workspaceId === undefined || record.workspaceId === workspaceId
