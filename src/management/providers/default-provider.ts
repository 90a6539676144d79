import { type Integration, listIntegrationsForAll } from '../../store/objects/integrations.ts'
import { type ProviderWithIntegration, providerRows } from '../../store/objects/providers.ts'
import type { Workspace } from '../../store/objects/workspaces.ts'
import type { Db } from '../../store/types.ts'
import type { NewProviderDeps } from '../integrations/deps.ts'
import { invalidField } from '../invalid-field.ts'
import { suffix } from '../slug.ts'
import { createProvider } from './service.ts'

/** The slug that a call asks for. */
export interface AskedSlug {
  readonly slug: string
  /** Where it does. Absent: for many workspaces at once, so that one that is taken gets a suffix. */
  readonly path?: string
}

/**
 * The provider that a workspace gets together with an integration: of the slug that was asked for, else of that of the
 * integration, with a suffix where that is taken.
 * @throws ManagementInvalid when the slug that was asked for is taken.
 */
export const createDefaultProvider = async (
  db: Db,
  deps: NewProviderDeps,
  integration: Integration,
  workspaceId: string,
  asked: AskedSlug | undefined,
): Promise<ProviderWithIntegration> => {
  const slug = asked?.slug ?? integration.slug
  const isTaken = (await providerRows.find(db, { workspaceId, reference: slug })) !== undefined
  if (isTaken && asked?.path !== undefined) {
    throw invalidField(asked.path, `is the slug of another provider of the workspace: '${slug}'`)
  }
  return createProvider(db, deps, integration, workspaceId, {
    name: integration.name,
    slug: isTaken ? `${slug.slice(0, 240)}-${suffix(deps.randomId)}` : slug,
  })
}

/** The slug of a body's `default_provider_slug`, where it has one. */
export const askedSlug = (slug: string | undefined, path: string): AskedSlug | undefined =>
  slug === undefined ? undefined : { slug, path }

/** Gives a new workspace a provider of each integration that every workspace gets one of. @returns their slugs */
export const createDefaultProviders = async (
  db: Db,
  deps: NewProviderDeps,
  { organisationId, id }: Pick<Workspace, 'organisationId' | 'id'>,
): Promise<readonly string[]> => {
  const made: string[] = []
  for (const integration of await listIntegrationsForAll(db, organisationId)) {
    const slug = integration.globalWorkspaceAccess?.defaultProviderSlug
    const provider = await createDefaultProvider(db, deps, integration, id, slug === undefined ? undefined : { slug })
    made.push(provider.slug)
  }
  return made
}
