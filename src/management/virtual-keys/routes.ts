import { integrationRows } from '../../store/objects/integrations.ts'
import {
  countIntegrationProviders,
  type Provider,
  type ProviderWithIntegration,
  providerRows,
} from '../../store/objects/providers.ts'
import type { ProviderRoutesDeps } from '../integrations/deps.ts'
import type { WithUse } from '../own-budgets/live-budgets.ts'
import { WorkspaceQuery } from '../providers/model.ts'
import { withProviderUse } from '../providers/service.ts'
import { inWorkspace } from '../resource/reach.ts'
import { entryOf, resource, scopesIn } from '../resource/resource.ts'
import type { AnyRoute } from '../route.ts'
import { NewVirtualKey, VirtualKeyChange, VirtualKeyQuery, VirtualKeyReceipt, virtualKeyAnswer } from './model.ts'
import { createVirtualKey, updateVirtualKey } from './service.ts'

/** The older form of providers: a key and its use in one record (interface contract, section 8). */
export const virtualKeysRoutes = (deps: ProviderRoutesDeps): readonly AnyRoute[] => {
  const virtualKeys = resource({
    ...inWorkspace<WithUse<ProviderWithIntegration>>(providerRows, 'provider'),
    tag: 'Virtual keys',
    path: '/virtual-keys/:slug',
    scopes: scopesIn('virtual_keys'),
    entry: entryOf('virtual_keys', 'virtual_key'),
    answer: virtualKeyAnswer(deps.now),
    query: WorkspaceQuery,
    complete: (db, rows) => withProviderUse(db, deps.budgets, rows),
  })
  const receipt = ({ slug }: Provider) => ({ success: true, data: { slug } })
  return [
    virtualKeys.list({ summary: 'List the virtual keys of a workspace', query: VirtualKeyQuery }),
    virtualKeys.create({
      summary: 'Store the key of a provider for a workspace',
      body: NewVirtualKey,
      response: VirtualKeyReceipt,
      run: ({ db, body }, place) => createVirtualKey(db, deps, place, body),
      receipt,
    }),
    virtualKeys.read({ summary: 'Show a virtual key, its secrets masked' }),
    virtualKeys.update({
      summary: 'Change a virtual key',
      body: VirtualKeyChange,
      response: VirtualKeyReceipt,
      run: ({ db, body }, provider, note) => updateVirtualKey(db, deps, provider, body, note),
      receipt,
    }),
    virtualKeys.delete({
      summary: 'Delete a virtual key',
      response: VirtualKeyReceipt,
      async run({ db }, { id, integration }) {
        await providerRows.remove(db, id)
        // The last use of a key that only this workspace has: nobody could see or delete it by this older form.
        const isLast = integration.workspaceId !== null && (await countIntegrationProviders(db, integration.id)) === 0
        if (isLast) await integrationRows.remove(db, integration.id)
      },
      receipt,
    }),
  ]
}
