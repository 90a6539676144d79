import { ManagementForbidden, ManagementNotFound } from '../../errors/gateway-error.ts'
import { type GuardrailMapping, listMappings } from '../../store/objects/guardrail-mcp-servers.ts'
import { atNewest, type GuardrailAt, type GuardrailPlace, guardrailRows } from '../../store/objects/guardrails.ts'
import type { Db } from '../../store/types.ts'
import { resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyCall, named, requireOrganisation } from '../resource/reach.ts'
import type { AnyRoute } from '../route.ts'

/**
 * One of the two groups of routes: both have the same paths, and only the root tells them apart (interface contract,
 * section 1.1).
 */
export interface GuardrailGroup {
  readonly tag: string
  readonly plane: AnyRoute['plane']
  readonly roots: NonNullable<AnyRoute['roots']>
  /** First part of its scopes. */
  readonly family: 'guardrails' | 'organisation_guardrails'
  /** Whose they are, for descriptions. */
  readonly of: string
}

export const OF_WORKSPACES: GuardrailGroup = {
  tag: 'Guardrails',
  plane: 'workspace',
  roots: ['/v2', '/v1'],
  family: 'guardrails',
  of: 'a workspace',
}

/** Those of the organisation; those of a workspace too where a call names one. */
export const OF_ORGANISATION: GuardrailGroup = {
  tag: 'Organisation guardrails',
  plane: 'organisation',
  roots: ['/admin/v2'],
  family: 'organisation_guardrails',
  of: 'the organisation',
}

/** A guardrail with the MCP servers that it looks at. */
export interface ShownGuardrail extends GuardrailAt {
  readonly mappings: readonly GuardrailMapping[]
}

/** Where a call looks, and where a new guardrail goes. @throws as `resolveWorkspace` does */
export const placeOfCall = async ({ plane }: GuardrailGroup, call: AnyCall): Promise<GuardrailPlace> => {
  const { db, actor, query, body } = call
  requireOrganisation(actor, named('organisation_id', body))
  const { organisationId } = actor
  const reference = named('workspace_id', query) ?? named('workspace_id', body)
  if (plane === 'organisation' && reference === undefined) return { organisationId, workspaceId: null }
  return { organisationId, workspaceId: (await resolveWorkspace(db, actor, reference)).id }
}

/** The guardrail of a path, held against other changes unless it is only read. */
const findOfCall = async (
  group: GuardrailGroup,
  call: AnyCall,
  reference: string,
  verb: string,
): Promise<ShownGuardrail | undefined> => {
  const { organisationId, workspaceId } = await placeOfCall(group, call)
  const wanted = { organisationId, of: workspaceId, reference }
  const found = await guardrailRows.find(call.db, wanted, verb === 'read' ? undefined : 'change')
  return found && withMappings(call.db, await atNewest(call.db, found))
}

export const withMappings = async (db: Db, at: GuardrailAt): Promise<ShownGuardrail> => ({
  ...at,
  mappings: await listMappings(db, at.object.id),
})

/**
 * The guardrail of a path.
 * @throws ManagementForbidden where there is none: the interface does not tell one that is missing from one of others
 */
export const reachGuardrail = async (
  group: GuardrailGroup,
  call: AnyCall,
  reference: string,
  verb: string,
): Promise<ShownGuardrail> => {
  const found = await findOfCall(group, call, reference, verb)
  if (found !== undefined) return found
  throw new ManagementForbidden(`There is no guardrail '${reference}' here, or it belongs to others.`)
}

/** The guardrail of a longer path. @throws ManagementNotFound */
export const reachOwner = async (
  group: GuardrailGroup,
  call: AnyCall,
  reference: string,
  verb: string,
): Promise<ShownGuardrail> => {
  const found = await findOfCall(group, call, reference, verb)
  if (found !== undefined) return found
  throw new ManagementNotFound(`There is no guardrail '${reference}' here.`)
}
