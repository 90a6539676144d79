import type { BudgetUsage } from '../../budgets/usage.ts'
import { ManagementReference } from '../../errors/gateway-error.ts'
import {
  deleteOtherIntegrationWorkspaces,
  type IntegrationWorkspace,
  listIntegrationWorkspaces,
  type NewIntegrationWorkspace,
  putIntegrationWorkspaces,
} from '../../store/objects/integration-workspaces.ts'
import { type Integration, integrationRows } from '../../store/objects/integrations.ts'
import { providerRows } from '../../store/objects/providers.ts'
import { listWorkspacesWithoutProvider, workspaceRows } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import { invalidField } from '../invalid-field.ts'
import { resetUse, type WithUse, withUse } from '../own-budgets/live-budgets.ts'
import { toUsageLimitsList } from '../own-budgets/usage-limits.ts'
import { type AskedSlug, askedSlug, createDefaultProvider } from '../providers/default-provider.ts'
import { toAccess, toGrantAnswer } from './answers.ts'
import type { ProviderRoutesDeps } from './deps.ts'
import type { WorkspacesChangeBody } from './model.ts'

type GrantBody = NonNullable<WorkspacesChangeBody['workspaces']>[number]

/** A workspace has few providers of one integration. */
const ALL_PROVIDERS = { offset: 0, limit: 1000 }

/** The workspaces that have a setting of their own; of an integration of one workspace that one. */
export const listGrants = async (db: Db, budgets: BudgetUsage, integration: Integration) => {
  const { workspaceId } = integration
  if (workspaceId !== null) {
    return { total: 1, workspaces: [{ id: workspaceId, enabled: true, usage_limits: null, rate_limits: null }] }
  }
  const workspaces = (await readGrants(db, budgets, integration)).map(toGrantAnswer)
  return { total: workspaces.length, workspaces }
}

/** The grants of an integration with the use of their budgets. */
const readGrants = async (
  db: Db,
  budgets: BudgetUsage,
  integration: Integration,
): Promise<readonly WithUse<IntegrationWorkspace>[]> =>
  withUse(db, budgets, await listIntegrationWorkspaces(db, integration.id), (grant) => ({
    organisationId: integration.organisationId,
    owners: [ownerOf(integration, grant)],
  }))

const ownerOf = (
  { id }: Integration,
  { workspaceId, usageLimits }: Pick<NewIntegrationWorkspace, 'workspaceId' | 'usageLimits'>,
) => ({ owner: 'integration' as const, id, workspaceId, usageLimits: usageLimits ?? [] })

/** How many workspaces may use the integration. */
export const countUsers = async (db: Db, integration: Integration): Promise<number> => {
  const { id, organisationId, workspaceId, globalWorkspaceAccess } = integration
  if (workspaceId !== null) return 1
  const grants = await listIntegrationWorkspaces(db, id)
  const granted = grants.filter(({ enabled }) => enabled).length
  if (globalWorkspaceAccess?.enabled !== true) return granted
  const all = await workspaceRows.list(db, { organisationId }, { offset: 0, limit: 1 })
  return granted + all.total - grants.length
}

/** What the audit log keeps of a change of grants. */
export interface GrantsView extends Record<string, unknown> {
  readonly workspaces: readonly unknown[]
  readonly global_workspace_access: unknown
  /** Slugs of the providers that were made along. */
  readonly default_providers?: readonly string[]
  /** Ids of the workspaces whose counts were set to 0. */
  readonly reset_usage?: readonly string[]
}

/**
 * Writes who may use an integration of the organisation.
 * @returns what changed, for the audit log
 * @throws ManagementInvalid naming the field; ManagementReference for an unknown workspace.
 */
export const putGrants = async (
  db: Db,
  deps: ProviderRoutesDeps,
  integration: Integration,
  body: WorkspacesChangeBody,
): Promise<{ readonly before: GrantsView; readonly after: GrantsView }> => {
  if (integration.workspaceId !== null) {
    throw invalidField('workspaces', 'cannot be set: the integration belongs to one workspace')
  }
  const { id, organisationId } = integration
  const { budgets } = deps
  const earlier = await readGrants(db, budgets, integration)
  const grants = await toGrants(db, integration, body.workspaces ?? [], earlier, deps.now())
  if (body.override_existing_workspace_access ?? body.override_existing_workspaces_access ?? false) {
    await deleteOtherIntegrationWorkspaces(db, {
      integrationId: id,
      keepIds: grants.map(({ workspaceId }) => workspaceId),
    })
  }
  await putIntegrationWorkspaces(db, { integrationId: id, grants })
  const access = body.global_workspace_access
  const changed =
    access === undefined
      ? undefined
      : await integrationRows.update(db, {
          id,
          globalWorkspaceAccess:
            access === null
              ? null
              : toAccess(access, body, { before: integration.globalWorkspaceAccess, nowMs: deps.now() }),
        })
  const after = changed ?? integration
  const written = await listIntegrationWorkspaces(db, id)
  const isUsable = (
    rows: readonly IntegrationWorkspace[],
    { globalWorkspaceAccess }: Integration,
    workspaceId: string,
  ) => rows.find((row) => row.workspaceId === workspaceId)?.enabled ?? globalWorkspaceAccess?.enabled ?? false
  const made: string[] = []
  for (const workspaceId of await listWorkspacesWithoutProvider(db, { organisationId, integrationId: id })) {
    if (isUsable(earlier, integration, workspaceId) || !isUsable(written, after, workspaceId)) continue
    const asked = toAskedProvider(
      body,
      grants.findIndex((grant) => grant.workspaceId === workspaceId),
    )
    if (asked.isWanted) made.push((await createDefaultProvider(db, deps, after, workspaceId, asked.slug)).slug)
  }
  const reset = await resetUsage(db, budgets, after, body, grants)
  const view = toView(await readGrants(db, budgets, integration), after)
  return {
    before: toView(earlier, integration),
    after: { ...view, default_providers: made, ...(reset.length === 0 ? {} : { reset_usage: reset }) },
  }
}

const toView = (rows: readonly IntegrationWorkspace[], integration: Integration): GrantsView => ({
  workspaces: rows.map(toGrantAnswer),
  global_workspace_access: integration.globalWorkspaceAccess,
})

const toGrants = async (
  db: Db,
  { organisationId, globalWorkspaceAccess }: Integration,
  bodies: readonly GrantBody[],
  earlier: readonly IntegrationWorkspace[],
  nowMs: number,
): Promise<readonly NewIntegrationWorkspace[]> => {
  const grants: NewIntegrationWorkspace[] = []
  const shared = globalWorkspaceAccess?.enabled === true ? globalWorkspaceAccess.usageLimits : undefined
  for (const [index, body] of bodies.entries()) {
    const path = `workspaces[${index}]`
    const workspace = await workspaceRows.find(db, { organisationId, reference: body.id })
    if (workspace === undefined) {
      throw new ManagementReference(`There is no workspace '${body.id}'.`, { param: `${path}.id` })
    }
    const { id: workspaceId } = workspace
    if (grants.some((grant) => grant.workspaceId === workspaceId)) throw invalidField(`${path}.id`, 'is there twice')
    const row = earlier.find((grant) => grant.workspaceId === workspaceId)
    // What bound the workspace by the access of all goes on to, with its count, unless it is told otherwise.
    const before = row === undefined ? shared : row.usageLimits
    grants.push({
      workspaceId,
      enabled: body.enabled,
      usageLimits:
        body.usage_limits === undefined
          ? (before ?? null)
          : body.usage_limits && toUsageLimitsList(body.usage_limits, { path: `${path}.usage_limits`, before, nowMs }),
      rateLimits: body.rate_limits === undefined ? (row?.rateLimits ?? null) : body.rate_limits,
    })
  }
  return grants
}

/** Sets the counts of workspaces to 0 where the body says so, once all else is done. @returns their ids */
const resetUsage = async (
  db: Db,
  budgets: BudgetUsage,
  integration: Integration,
  { workspaces = [] }: WorkspacesChangeBody,
  grants: readonly NewIntegrationWorkspace[],
): Promise<readonly string[]> => {
  const wanted = grants.filter((_grant, index) => workspaces[index]?.reset_usage === true)
  for (const grant of wanted) {
    const { rows } = await providerRows.list(
      db,
      { workspaceId: grant.workspaceId, integrationId: integration.id },
      ALL_PROVIDERS,
    )
    const exhausted = rows.filter(({ status }) => status === 'exhausted')
    for (const { id } of exhausted) await providerRows.update(db, { id, status: 'active' })
  }
  for (const grant of wanted) await resetUse(budgets, ownerOf(integration, grant))
  return wanted.map(({ workspaceId }) => workspaceId)
}

/**
 * What the body says of the provider that a workspace gets together with its access.
 * @param index of the workspace in the body; -1 for one that gains by the access of all
 */
const toAskedProvider = (
  body: WorkspacesChangeBody,
  index: number,
): { readonly isWanted: boolean; readonly slug?: AskedSlug } => {
  const own = body.workspaces?.[index]
  const isWanted = own?.create_default_provider ?? body.create_default_provider ?? true
  const shared = body.default_provider_slug
  const slug =
    askedSlug(own?.default_provider_slug, `workspaces[${index}].default_provider_slug`) ??
    (index === -1 && shared !== undefined ? { slug: shared } : askedSlug(shared, 'default_provider_slug'))
  return slug === undefined ? { isWanted } : { isWanted, slug }
}
