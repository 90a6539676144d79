import { isRecord } from '../../core/json/record.ts'
import { ManagementForbidden, ManagementNotFound } from '../../errors/gateway-error.ts'
import type { Page, Paged } from '../../store/objects/rows.ts'
import type { RowLock, WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { placeIn, resolveWorkspace } from '../resolve-workspace.ts'
import type { ManagementCall } from '../route.ts'

export type AnyCall = ManagementCall<unknown, unknown>

/** Which objects a call is about. */
export interface Reach<Row, Place> {
  /** Where a list looks, and where a new object goes. */
  place(call: AnyCall): Promise<Place>
  list(call: AnyCall, page: Page): Promise<Paged<Row>>
  /**
   * The object that the path names, held against other changes unless it is only read.
   * @throws ManagementNotFound
   */
  one(call: AnyCall, reference: string, verb: string): Promise<Row>
}

/** Queries of the store, such as `rowsOf` makes. */
interface WorkspaceRows<Row> {
  find(db: Db, wanted: WorkspacePlace & { readonly reference: string }, lock?: RowLock): Promise<Row | undefined>
  list(db: Db, wanted: WorkspacePlace, page: Page): Promise<Paged<Row>>
}

/**
 * Objects of one workspace: that of the key, or the one that `workspace_id` names in the query or the body. An
 * `organisation_id` in the body must be that of the caller.
 * @param noun what such an object is called
 */
export const inWorkspace = <Row>(rows: WorkspaceRows<Row>, noun: string): Reach<Row, WorkspacePlace> => ({
  place: placeOfCall,
  // The rest of the query is what the rows are filtered by.
  list: async (call, page) => rows.list(call.db, { ...filterOf(call), ...(await placeOfCall(call)) }, page),
  one: async (call, reference, verb) => {
    const wanted = { ...(await placeOfCall(call)), reference }
    const found = await rows.find(call.db, wanted, verb === 'read' ? undefined : 'change')
    if (found === undefined) throw new ManagementNotFound(`There is no ${noun} '${reference}' in the workspace.`)
    return found
  },
})

/** The workspace that a call is about. @throws as `resolveWorkspace` does */
export const placeOfCall = async ({ db, actor, query, body }: AnyCall): Promise<WorkspacePlace> => {
  requireOrganisation(actor, named('organisation_id', body))
  return placeIn(await resolveWorkspace(db, actor, named('workspace_id', query) ?? named('workspace_id', body)))
}

/** A text field of a query or body. */
export const named = (field: string, given: unknown): string | undefined => {
  const value = isRecord(given) ? given[field] : undefined
  return typeof value === 'string' ? value : undefined
}

/** What a list asks for: its query has the names of the filters. */
export const filterOf = ({ query }: AnyCall): object => (isRecord(query) ? query : {})

/** @throws ManagementForbidden when a body names another organisation than that of the caller */
export const requireOrganisation = (actor: Actor, organisationId: string | undefined): void => {
  if (organisationId === undefined || organisationId.toLowerCase() === actor.organisationId) return
  throw new ManagementForbidden('The key belongs to another organisation than `organisation_id`.', {
    param: 'organisation_id',
  })
}
