import type { Answer, Model, Provider } from '#kit'

/** Models that can be named through one provider. */
export interface Offer {
  readonly slug: string
  readonly models: readonly string[]
}

/**
 * Weir's own list of models, as `@provider/model`, sorted by id: those that the running providers declare, and those that
 * are enabled for the stored ones of the workspace. A stored provider hides a running one of the same name.
 */
export const listCatalogue = (providers: readonly Provider[], stored: readonly Offer[]): Answer => {
  const hidden = new Set(stored.map(({ slug }) => slug))
  const running = providers.map(({ id, models = [] }) => ({ slug: id, models })).filter(({ slug }) => !hidden.has(slug))
  const data: Model[] = [...running, ...stored]
    .flatMap(({ slug, models }) =>
      models.map((model) => ({
        id: `@${slug}/${model}`,
        object: 'model' as const,
        created: 0,
        owned_by: slug,
        slug: model,
      })),
    )
    .sort((left, right) => (left.id < right.id ? -1 : 1))
  return {
    status: 200,
    headers: new Headers({ 'content-type': 'application/json' }),
    body: new TextEncoder().encode(JSON.stringify({ object: 'list', data, total: data.length })),
  }
}
