import { ManagementReference } from '../../errors/gateway-error.ts'
import {
  deleteOtherIntegrationWorkspaces,
  type IntegrationWorkspace,
  listIntegrationWorkspaces,
  type NewIntegrationWorkspace,
  putIntegrationWorkspaces,
} from '../../store/integration-workspaces.ts'
import { type Integration, updateIntegration } from '../../store/integrations.ts'
import { listProviders, updateProvider } from '../../store/providers.ts'
import type { Db } from '../../store/types.ts'
import { findWorkspace } from '../../store/workspaces.ts'
import { invalidField } from '../invalid-field.ts'
import { toUsageLimits } from '../limits.ts'
import { askedSlug, createDefaultProvider } from '../providers/default-provider.ts'
import { toAccess, toGrantAnswer } from './answers.ts'
import type { ProviderDeps } from './deps.ts'
import type { WorkspacesChangeBody } from './model.ts'
import { isUsableIn } from './reach.ts'

type GrantBody = NonNullable<WorkspacesChangeBody['workspaces']>[number]

/** A workspace has few providers of one integration. */
const ALL_PROVIDERS = { offset: 0, limit: 1000 }

/** The workspaces that have a setting of their own; of an integration of one workspace that one. */
export const listGrants = async (db: Db, { id, workspaceId }: Integration) => {
  if (workspaceId !== null) {
    return { total: 1, workspaces: [{ id: workspaceId, enabled: true, usage_limits: null, rate_limits: null }] }
  }
  const { rows, total } = await listIntegrationWorkspaces(db, id)
  return { total, workspaces: rows.map(toGrantAnswer) }
}

/** What the audit log keeps of a change of grants. */
export interface GrantsView extends Record<string, unknown> {
  readonly workspaces: readonly unknown[]
  readonly global_workspace_access: unknown
  /** Slugs of the providers that were made along. */
  readonly default_providers?: readonly string[]
}

/**
 * Writes who may use an integration of the organisation.
 * @returns what changed, for the audit log
 * @throws ManagementInvalid naming the field; ManagementReference for an unknown workspace.
 */
export const putGrants = async (
  db: Db,
  deps: ProviderDeps,
  integration: Integration,
  body: WorkspacesChangeBody,
): Promise<{ readonly before: GrantsView; readonly after: GrantsView }> => {
  if (integration.workspaceId !== null) {
    throw invalidField('workspaces', 'cannot be set: the integration belongs to one workspace')
  }
  const { id, organisationId } = integration
  const { rows: earlier } = await listIntegrationWorkspaces(db, id)
  const grants = await toGrants(db, organisationId, body.workspaces ?? [], earlier)
  const gained = new Set<string>()
  for (const { workspaceId, enabled } of grants) {
    if (enabled && !(await isUsableIn(db, integration, workspaceId))) gained.add(workspaceId)
  }
  if (body.override_existing_workspace_access === true) {
    await deleteOtherIntegrationWorkspaces(db, {
      integrationId: id,
      keepIds: grants.map(({ workspaceId }) => workspaceId),
    })
  }
  await putIntegrationWorkspaces(db, { integrationId: id, grants })
  const access = body.global_workspace_access
  const after =
    access === undefined
      ? integration
      : await updateIntegration(db, { id, globalWorkspaceAccess: access === null ? null : toAccess(access) })
  const made = await followUp(db, deps, integration, body, grants, gained)
  const { rows: written } = await listIntegrationWorkspaces(db, id)
  return {
    before: toView(earlier, integration),
    after: { ...toView(written, after ?? integration), default_providers: made },
  }
}

const toView = (rows: readonly IntegrationWorkspace[], integration: Integration): GrantsView => ({
  workspaces: rows.map(toGrantAnswer),
  global_workspace_access: integration.globalWorkspaceAccess,
})

const toGrants = async (
  db: Db,
  organisationId: string,
  bodies: readonly GrantBody[],
  earlier: readonly IntegrationWorkspace[],
): Promise<readonly NewIntegrationWorkspace[]> => {
  const grants: NewIntegrationWorkspace[] = []
  for (const [index, body] of bodies.entries()) {
    const path = `workspaces[${index}]`
    const workspace = await findWorkspace(db, { organisationId, reference: body.id })
    if (workspace === undefined) {
      throw new ManagementReference(`There is no workspace '${body.id}'.`, { param: `${path}.id` })
    }
    const { id: workspaceId } = workspace
    if (grants.some((grant) => grant.workspaceId === workspaceId)) throw invalidField(`${path}.id`, 'is there twice')
    const row = earlier.find((grant) => grant.workspaceId === workspaceId)
    grants.push({
      workspaceId,
      enabled: body.enabled,
      usageLimits:
        body.usage_limits === undefined
          ? (row?.usageLimits ?? null)
          : (body.usage_limits?.map((limits, at) => toUsageLimits(limits, `${path}.usage_limits[${at}]`)) ?? null),
      rateLimits: body.rate_limits === undefined ? (row?.rateLimits ?? null) : body.rate_limits,
    })
  }
  return grants
}

/** Makes the default providers of workspaces that gained access, and gives exhausted ones another chance. */
const followUp = async (
  db: Db,
  deps: ProviderDeps,
  integration: Integration,
  body: WorkspacesChangeBody,
  grants: readonly NewIntegrationWorkspace[],
  gained: ReadonlySet<string>,
): Promise<readonly string[]> => {
  const made: string[] = []
  for (const [index, { workspaceId }] of grants.entries()) {
    const asked = body.workspaces?.[index]
    const filter = { workspaceId, integrationId: integration.id }
    const { rows, total } = await listProviders(db, filter, ALL_PROVIDERS)
    if (asked?.reset_usage === true) {
      const exhausted = rows.filter(({ status }) => status === 'exhausted')
      for (const { id } of exhausted) await updateProvider(db, { id, status: 'active' })
    }
    const isWanted = asked?.create_default_provider ?? body.create_default_provider ?? true
    if (!isWanted || total > 0 || !gained.has(workspaceId)) continue
    const slug =
      askedSlug(asked?.default_provider_slug, `workspaces[${index}].default_provider_slug`) ??
      askedSlug(body.default_provider_slug, 'default_provider_slug')
    made.push((await createDefaultProvider(db, deps, integration, workspaceId, slug)).slug)
  }
  return made
}
