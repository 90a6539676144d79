import type { ProviderDirectory, StoredProviders } from '../../kit/plugin.ts'

/** More of them are not listed. */
const MAX_LISTED = 10

/**
 * The only provider that a workspace can ask in this form: of those that it has stored, else of the operator's that have a key.
 * @returns as calls name it: `@slug`, or the id of a running one
 * @throws Error that says what there is
 */
export const chooseProvider = (
  { stored, providers }: { readonly stored: StoredProviders; readonly providers: ProviderDirectory },
  workspaceId: string | undefined,
  form: string,
): string => {
  const own = (workspaceId === undefined ? [] : stored.models(workspaceId))
    .filter(({ slug, providerId }) => providers.get(providerId ?? slug)?.endpoints[form] !== undefined)
    .map(({ slug }) => `@${slug}`)
  const running = providers
    .list()
    .filter(({ endpoints, apiKey, needsKey }) => endpoints[form] !== undefined && (apiKey !== undefined || !needsKey))
    .map(({ id }) => id)
  const names = own.length > 0 ? own : running
  const [only, ...others] = names
  if (only === undefined) {
    throw new Error(`the workspace has no provider with ${form}: store one, or name one in \`provider\``)
  }
  if (others.length === 0) return only
  const listed = names.slice(0, MAX_LISTED).map((name) => `'${name}'`)
  const more = names.length > MAX_LISTED ? ', …' : ''
  throw new Error(`several providers have ${form}: name one in \`provider\`: ${listed.join(', ')}${more}`)
}
