import { ManagementNotFound } from '../../errors/gateway-error.ts'
import { findIntegrationModels, type IntegrationModel } from '../../store/objects/integration-models.ts'
import { type Integration, integrationRows } from '../../store/objects/integrations.ts'
import { providerRows } from '../../store/objects/providers.ts'
import type { Db } from '../../store/types.ts'
import type { ProviderDeps } from '../integrations/deps.ts'

export interface ModelPlace {
  readonly organisationId: string
  readonly workspaceId: string
}

/** A model at a stored provider. `row` is absent for one that only the provider plugin lists. */
export interface FoundModel {
  readonly integration: Integration
  readonly slug: string
  readonly row: IntegrationModel | undefined
}

/** `@slug/model`; the first slash splits. */
export const splitId = (id: string): { readonly provider: string; readonly model: string } | undefined => {
  const [, provider, model] = /^@([^/]+)\/(.+)$/.exec(id) ?? []
  return provider === undefined || model === undefined ? undefined : { provider, model }
}

/**
 * A model of a provider that the workspace has stored.
 * @returns undefined when the id names no such provider; the integration alone when it names none of its models
 */
export const findModel = async (db: Db, place: ModelPlace, id: string): Promise<FoundModel | undefined> => {
  const named = splitId(id)
  if (named === undefined) return undefined
  const provider = await providerRows.find(db, { workspaceId: place.workspaceId, reference: named.provider })
  if (provider === undefined) return undefined
  const { organisationId } = place
  const integration = await integrationRows.find(db, { organisationId, reference: provider.integration.id })
  if (integration === undefined) return undefined
  const [row] = await findIntegrationModels(db, { integrationId: integration.id, slugs: [named.model] })
  return { integration, slug: named.model, row }
}

/**
 * A model of a stored provider, or one that a running provider lists: `@slug/model`, or the plain name of the latter.
 * @throws ManagementNotFound for one that is unknown or may not be used.
 */
export const showModel = async (db: Db, deps: ProviderDeps, place: ModelPlace, id: string) => {
  const found = await findModel(db, place, id)
  if (found !== undefined) {
    const { integration, slug, row } = found
    const running = deps.providers().find((provider) => provider.id === integration.aiProviderId)
    const isListed = integration.allowAllModels && (running?.models ?? []).includes(slug)
    if (!(row?.enabled ?? isListed)) throw unknown(id)
    return toAnswer(id, integration.aiProviderId, row)
  }
  const named = splitId(id)
  const owner = deps
    .providers()
    .find((provider) => (named === undefined ? provider.models?.includes(id) : listsNamed(provider, named)))
  if (owner === undefined) throw unknown(id)
  return toAnswer(named === undefined ? `@${owner.id}/${id}` : id, owner.id, undefined)
}

export const unknown = (id: string): ManagementNotFound => new ManagementNotFound(`There is no model '${id}'.`)

type Running = ReturnType<ProviderDeps['providers']>[number]

const listsNamed = ({ id, models = [] }: Running, named: NonNullable<ReturnType<typeof splitId>>): boolean =>
  id === named.provider && models.includes(named.model)

const toAnswer = (id: string, owner: string, row: IntegrationModel | undefined) => ({
  id,
  object: 'model' as const,
  created: row === undefined ? 0 : Math.floor(row.createdAt.getTime() / 1000),
  owned_by: owner,
})
