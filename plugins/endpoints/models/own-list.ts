import { splitModel } from '#calls/config/model-name'
import { type Endpoint, ModelNotFound } from '#kit'
import type { ListedModel } from '#kit/plugin'
import type { Model, ModelList } from '#kit/provider'

/** A model of Weir's own list, as OpenAI shows one; `slug` and what follows are of the interface (contract, section 2.2). */
export const showListed = ({ id, slug, canonicalSlug, provider }: ListedModel): Model => ({
  id,
  object: 'model',
  created: 0,
  owned_by: provider,
  slug,
  canonical_slug: canonicalSlug,
})

export const showList = (models: readonly ListedModel[], total: number): ModelList => ({
  object: 'list',
  data: models.map(showListed),
  total,
})

/**
 * One model of the list, by its name at its provider or with that in front: the first, where several have it.
 * @throws ModelNotFound
 */
export const findListed = (models: readonly ListedModel[], name: string): ListedModel => {
  const found = models.find(({ slug, id }) => slug === name || id === name)
  if (found !== undefined) return found
  throw new ModelNotFound(`There is no model '${name}' here; to ask a provider for it, name that one.`, {
    param: 'model',
  })
}

/** Shows a model of the own list, where nobody in front of its name is asked. */
export const ownModelOf =
  (show: (model: ListedModel) => Readonly<Record<string, unknown>>): NonNullable<Endpoint['fromCatalogue']> =>
  ({ params: { model } }) =>
    typeof model === 'string' && splitModel(model) === undefined
      ? (models) => show(findListed(models, model))
      : undefined
