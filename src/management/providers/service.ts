import type { BudgetUsage } from '../../budgets/usage.ts'
import { defined } from '../../core/defined.ts'
import { ManagementReference } from '../../errors/gateway-error.ts'
import { type Integration, integrationRows } from '../../store/objects/integrations.ts'
import {
  PROVIDER_SLUG_TAKEN,
  type Provider,
  type ProviderWithIntegration,
  providerRows,
} from '../../store/objects/providers.ts'
import type { WorkspacePlace } from '../../store/objects/rows-of.ts'
import type { Db } from '../../store/types.ts'
import type { NewProviderDeps, ProviderDeps, ProviderRoutesDeps } from '../integrations/deps.ts'
import { createIntegration, type IntegrationFields } from '../integrations/service.ts'
import { resetUse, type WithUse, withUse } from '../own-budgets/live-budgets.ts'
import { toFutureDate, toUsageLimits } from '../own-budgets/usage-limits.ts'
import { columnsOf, ifGiven } from '../resource/answer.ts'
import { refuseTaken } from '../resource/taken.ts'
import { suffix, toSlug } from '../slug.ts'
import type { ProviderChangeBody } from './model.ts'

/** The fields that a creation and a change share, as the interface writes them. */
type ProviderFields = Pick<ProviderChangeBody, 'note' | 'usage_limits' | 'rate_limits' | 'expires_at'>

interface NewProviderInput extends ProviderFields {
  readonly name: string
  /** Made from the name when absent. */
  readonly slug?: string
}

/**
 * The integration that a new provider shall use, by slug or id.
 * @throws ManagementReference when there is none that the workspace may use.
 */
export const findUsableIntegration = async (db: Db, place: WorkspacePlace, reference: string): Promise<Integration> => {
  const found = await integrationRows.find(db, { ...place, status: 'active', reference })
  if (found !== undefined) return found
  const param = 'integration_id'
  throw new ManagementReference(`There is no integration '${reference}' that the workspace may use.`, { param })
}

/**
 * @throws ManagementInvalid naming the field; ManagementConflict for a slug that the workspace has already.
 */
export const createProvider = async (
  db: Db,
  deps: NewProviderDeps,
  integration: Integration,
  workspaceId: string,
  { name, slug = toSlug(name, deps.randomId, 'provider'), ...fields }: NewProviderInput,
): Promise<ProviderWithIntegration> => {
  const row = { workspaceId, integrationId: integration.id, name, slug, ...toColumns(fields, { nowMs: deps.now() }) }
  const insert = () => providerRows.insert(db, row)
  return {
    ...(await refuseTaken(PROVIDER_SLUG_TAKEN, 'slug', `There is a provider '${slug}' already.`, insert)),
    integration,
  }
}

/**
 * Makes an integration that belongs to one workspace, and the provider that is its use.
 * @throws as `createIntegration` and `createProvider` do
 */
export const createOwnProvider = async (
  db: Db,
  deps: ProviderDeps,
  place: WorkspacePlace,
  aiProviderId: string,
  { name, slug = toSlug(name, deps.randomId, 'provider'), ...input }: NewProviderInput,
  fields: IntegrationFields,
): Promise<ProviderWithIntegration> => {
  const integration = await createIntegration(db, deps, {
    ...place,
    name,
    aiProviderId,
    // Slugs of integrations are unique in the organisation, those of providers only in their workspace.
    slug: `${slug.slice(0, 240)}-${suffix(deps.randomId)}`,
    fields,
  })
  return createProvider(db, deps, integration, place.workspaceId, { ...input, name, slug })
}

/**
 * Writes the given fields.
 * @param note adds to what the audit log keeps
 * @throws ManagementInvalid naming the field; ManagementUnavailable when its count cannot be set to 0 now
 */
export const updateProvider = async (
  db: Db,
  deps: ProviderRoutesDeps,
  stored: ProviderWithIntegration,
  { reset_usage: resetUsage, ...fields }: Omit<ProviderChangeBody, 'workspace_id'>,
  note: (fields: object) => void,
): Promise<ProviderWithIntegration> => {
  const isRevived = resetUsage === true && stored.status === 'exhausted'
  const changes = { ...columnsOf(fields, ['name']), ...toColumns(fields, { nowMs: deps.now(), before: stored }) }
  const updated = await providerRows.update(db, {
    id: stored.id,
    ...defined({ status: isRevived ? ('active' as const) : undefined }),
    ...changes,
  })
  const changed = { ...stored, ...updated }
  if (resetUsage === true) await resetUse(deps.budgets, ownerOf(changed), note)
  return changed
}

/** Adds the use of their budgets, and of those that their workspace has at their integrations. */
export const withProviderUse = (
  db: Db,
  budgets: BudgetUsage,
  providers: readonly ProviderWithIntegration[],
): Promise<readonly WithUse<ProviderWithIntegration>[]> =>
  withUse(db, budgets, providers, (provider) => {
    const { workspaceId, integration, grant } = provider
    const granted = (grant ?? integration.globalWorkspaceAccess)?.usageLimits ?? []
    const ofGrant = { owner: 'integration' as const, id: integration.id, workspaceId, usageLimits: granted }
    return { organisationId: integration.organisationId, owners: [ownerOf(provider), ofGrant] }
  })

const ownerOf = ({ id, workspaceId, usageLimits }: Provider) => ({
  owner: 'virtual_key' as const,
  id,
  workspaceId,
  usageLimits: usageLimits === null ? [] : [usageLimits],
})

/** Fields that are null are cleared, those that are absent stay. */
const toColumns = (
  { usage_limits: limits, expires_at: expiry, ...fields }: ProviderFields,
  { nowMs, before }: { readonly nowMs: number; readonly before?: Pick<Provider, 'usageLimits'> },
) => ({
  ...columnsOf(fields, ['note', 'rate_limits']),
  ...defined({
    usageLimits: ifGiven(limits, (given) =>
      toUsageLimits(given, { path: 'usage_limits', before: before?.usageLimits && [before.usageLimits], nowMs }),
    ),
    expiresAt: ifGiven(expiry, (text) => toFutureDate(text, 'expires_at', nowMs)),
  }),
})
