import type { Answer, Provider } from '#kit'
import type { ListedModel, StoredModels } from '#kit/plugin'

/**
 * Weir's own list of models, as `@provider/model`, sorted by id: those that the running providers declare, and those that
 * are enabled for the stored ones of the workspace. A stored provider hides a running one of the same name.
 */
export const catalogue = (providers: readonly Provider[], stored: readonly StoredModels[]): readonly ListedModel[] => {
  const hidden = new Set(stored.map(({ slug }) => slug))
  const running = providers
    .map(({ id, models = [] }): StoredModels => ({ slug: id, models }))
    .filter(({ slug }) => !hidden.has(slug))
  return [...running, ...stored]
    .flatMap(({ slug: provider, providerId, models, bases }) =>
      models.map((slug) => ({
        id: `@${provider}/${slug}`,
        slug,
        canonicalSlug: bases?.get(slug) ?? slug,
        provider,
        aiService: providerId ?? provider,
      })),
    )
    .sort((left, right) => (left.id < right.id ? -1 : 1))
}

export const asAnswer = (body: unknown): Answer => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: new TextEncoder().encode(JSON.stringify(body)),
})
