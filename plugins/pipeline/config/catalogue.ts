import type { Answer, Model, Provider } from '#kit'

/** Weir's own list of models: those that the running providers declare, as `@provider/model`, sorted by id. */
export const listCatalogue = (providers: readonly Provider[]): Answer => {
  const data: Model[] = providers
    .flatMap(({ id, models = [] }) =>
      models.map((model) => ({
        id: `@${id}/${model}`,
        object: 'model' as const,
        created: 0,
        owned_by: id,
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
