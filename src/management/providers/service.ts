import { ManagementConflict, ManagementNotFound, ManagementReference } from '../../errors/gateway-error.ts'
import { isUniqueViolation } from '../../store/errors.ts'
import { findIntegration, type Integration } from '../../store/integrations.ts'
import {
  findProvider,
  createProvider as insertProvider,
  type NewProvider,
  PROVIDER_SLUG_TAKEN,
  type Provider,
  type ProviderWithIntegration,
  updateProvider as storeProvider,
} from '../../store/providers.ts'
import type { Db } from '../../store/types.ts'
import type { NewProviderDeps, ProviderDeps } from '../integrations/deps.ts'
import { isUsableIn } from '../integrations/reach.ts'
import { fromUsageLimits, toFutureDate, toUsageLimits } from '../limits.ts'
import { toSlug } from '../slug.ts'
import type { ProviderChangeBody } from './model.ts'

/** The fields that a creation and a change share, as the interface writes them. */
export type ProviderFields = Pick<ProviderChangeBody, 'note' | 'usage_limits' | 'rate_limits' | 'expires_at'>

export interface NewProviderInput {
  readonly workspaceId: string
  readonly integration: Integration
  readonly name: string
  /** Made from the name when absent. */
  readonly slug?: string
  readonly fields: ProviderFields
}

/**
 * The integration that a new provider shall use, by slug or id.
 * @throws ManagementReference when there is none that the workspace may use.
 */
export const findUsableIntegration = async (
  db: Db,
  place: { readonly organisationId: string; readonly workspaceId: string },
  reference: string,
): Promise<Integration> => {
  const found = await findIntegration(db, { organisationId: place.organisationId, reference })
  if (found === undefined || found.status !== 'active' || !(await isUsableIn(db, found, place.workspaceId))) {
    const param = 'integration_id'
    throw new ManagementReference(`There is no integration '${reference}' that the workspace may use.`, { param })
  }
  return found
}

/**
 * @throws ManagementInvalid naming the field; ManagementConflict for a slug that the workspace has already.
 */
export const createProvider = async (
  db: Db,
  deps: NewProviderDeps,
  input: NewProviderInput,
): Promise<ProviderWithIntegration> => {
  const { workspaceId, integration, name, fields } = input
  const slug = input.slug ?? toSlug(name, deps.randomId, 'provider')
  const columns = toColumns(fields, deps.now())
  try {
    const provider = await insertProvider(db, { workspaceId, integrationId: integration.id, name, slug, ...columns })
    return { ...provider, integration }
  } catch (thrown) {
    if (!isUniqueViolation(thrown, PROVIDER_SLUG_TAKEN)) throw thrown
    throw new ManagementConflict(`There is a provider '${slug}' already.`, { param: 'slug' })
  }
}

/** Writes the given fields. @throws ManagementInvalid naming the field */
export const updateProvider = async (
  db: Db,
  deps: ProviderDeps,
  stored: ProviderWithIntegration,
  { name, reset_usage: resetUsage, ...fields }: Omit<ProviderChangeBody, 'workspace_id'>,
): Promise<ProviderWithIntegration> => {
  const updated = await storeProvider(db, {
    id: stored.id,
    ...(name === undefined ? {} : { name }),
    ...(resetUsage === true && stored.status === 'exhausted' ? { status: 'active' as const } : {}),
    ...toColumns(fields, deps.now()),
  })
  return updated === undefined ? stored : { ...updated, integration: stored.integration }
}

/** @throws ManagementNotFound */
export const reachProvider = async (
  db: Db,
  workspaceId: string,
  reference: string,
): Promise<ProviderWithIntegration> => {
  const found = await findProvider(db, { workspaceId, reference })
  if (found === undefined) throw new ManagementNotFound(`There is no provider '${reference}' in the workspace.`)
  return found
}

/** The stored status, but a provider whose time has passed is `expired` at once. */
export const statusOf = (provider: Pick<Provider, 'status' | 'expiresAt'>, nowMs: number): Provider['status'] =>
  provider.expiresAt !== null && provider.expiresAt.getTime() <= nowMs ? 'expired' : provider.status

export const toProviderAnswer = (provider: ProviderWithIntegration, nowMs: number) => ({
  id: provider.id,
  name: provider.name,
  integration_id: provider.integration.slug,
  ai_provider_id: provider.integration.aiProviderId,
  workspace_id: provider.workspaceId,
  note: provider.note,
  status: statusOf(provider, nowMs),
  usage_limits: provider.usageLimits === null ? null : fromUsageLimits(provider.usageLimits),
  rate_limits: provider.rateLimits,
  created_at: provider.createdAt.toISOString(),
  last_updated_at: provider.lastUpdatedAt.toISOString(),
  slug: provider.slug,
  expires_at: provider.expiresAt?.toISOString() ?? null,
  object: 'provider' as const,
})

/** Fields that are null are cleared, those that are absent stay. */
const toColumns = (
  { note, usage_limits: usageLimits, rate_limits: rateLimits, expires_at: expiresAt }: ProviderFields,
  nowMs: number,
): Partial<Pick<NewProvider, 'note' | 'usageLimits' | 'rateLimits' | 'expiresAt'>> => ({
  ...(note === undefined ? {} : { note }),
  ...(usageLimits === undefined
    ? {}
    : { usageLimits: usageLimits === null ? null : toUsageLimits(usageLimits, 'usage_limits') }),
  ...(rateLimits === undefined ? {} : { rateLimits }),
  ...(expiresAt === undefined
    ? {}
    : { expiresAt: expiresAt === null ? null : toFutureDate(expiresAt, 'expires_at', nowMs) }),
})
