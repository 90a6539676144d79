import { type ProviderWithIntegration, providerRows } from '../../store/objects/providers.ts'
import type { ProviderRoutesDeps } from '../integrations/deps.ts'
import type { WithUse } from '../own-budgets/live-budgets.ts'
import { inWorkspace } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import type { AnyRoute } from '../route.ts'
import { NewProvider, ProviderChange, ProviderQuery, ProviderReceipt, providerAnswer, WorkspaceQuery } from './model.ts'
import { createProvider, findUsableIntegration, updateProvider, withProviderUse } from './service.ts'

export const providerEntry = entryOf('providers', 'provider')

/** Providers of a workspace: its uses of integrations, called `@slug` on the data plane (interface contract, section 3.4). */
export const providersRoutes = (deps: ProviderRoutesDeps): readonly AnyRoute[] => {
  const providers = resource({
    ...inWorkspace<WithUse<ProviderWithIntegration>>(providerRows, 'provider'),
    tag: 'Providers',
    path: '/providers/:slug',
    scopes: scopesIn('providers'),
    entry: providerEntry,
    answer: providerAnswer(deps.now),
    query: WorkspaceQuery,
    complete: (db, rows) => withProviderUse(db, deps.budgets, rows),
  })
  const receipt = ({ id, slug }: { readonly id: string; readonly slug: string }) => ({ id, slug })
  return [
    providers.list({ summary: 'List the providers of a workspace', query: ProviderQuery }),
    providers.create({
      summary: 'Make a provider of an integration',
      body: NewProvider,
      response: ProviderReceipt,
      async run({ db, body: { integration_id: reference, workspace_id: _, ...fields } }, place) {
        const integration = await findUsableIntegration(db, place, reference)
        return createProvider(db, deps, integration, place.workspaceId, fields)
      },
      receipt,
    }),
    providers.read({ summary: 'Show a provider' }),
    providers.update({
      summary: 'Change a provider',
      body: ProviderChange,
      response: ProviderReceipt,
      run: ({ db, body: { workspace_id: _, ...changes } }, provider, note) =>
        updateProvider(db, deps, provider, changes, note),
      receipt,
    }),
    providers.delete({ summary: 'Delete a provider', run: ({ db }, { id }) => providerRows.remove(db, id) }),
  ]
}
