import { type Answer, ModelNotFound, type Provider } from '#kit'
import type { Model } from '#kit/provider'

/** Models that can be named through one provider. */
export interface Offer {
  readonly slug: string
  readonly models: readonly string[]
}

/**
 * Weir's own list of models, as `@provider/model`, sorted by id: those that the running providers declare, and those that
 * are enabled for the stored ones of the workspace. A stored provider hides a running one of the same name.
 */
export const catalogue = (providers: readonly Provider[], stored: readonly Offer[]): readonly Model[] => {
  const hidden = new Set(stored.map(({ slug }) => slug))
  const running = providers.map(({ id, models = [] }) => ({ slug: id, models })).filter(({ slug }) => !hidden.has(slug))
  return [...running, ...stored]
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
}

export const listModels = (models: readonly Model[]): Answer =>
  json({ object: 'list', data: models, total: models.length })

/**
 * One model of the list, by its name at its provider: the first, where several have it.
 * @throws ModelNotFound
 */
export const showModel = (models: readonly Model[], name: string): Answer => {
  const found = models.find(({ slug }) => slug === name)
  if (found !== undefined) return json(found)
  throw new ModelNotFound(`There is no model '${name}' here; to ask a provider for it, name that one.`, {
    param: 'model',
  })
}

const json = (body: unknown): Answer => ({
  status: 200,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: new TextEncoder().encode(JSON.stringify(body)),
})
