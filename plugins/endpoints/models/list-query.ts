import { InvalidRequest } from '#kit'
import type { ListedModel } from '#kit/plugin'

/** What a call asks of a list of models (interface contract, section 2.2). */
export interface ListQuery {
  readonly limit: number | undefined
  readonly offset: number
  readonly sort: Sort | undefined
  readonly isDescending: boolean
  readonly provider: string | undefined
  readonly aiService: string | undefined
}

const SORTS = ['name', 'provider', 'ai_service'] as const
type Sort = (typeof SORTS)[number]

/** @throws InvalidRequest naming the parameter */
export const readListQuery = (query: URLSearchParams): ListQuery => {
  const order = oneOf(query, 'order', ['asc', 'desc'])
  return {
    limit: numberIn(query, 'limit', 1),
    offset: numberIn(query, 'offset', 0) ?? 0,
    sort: oneOf(query, 'sort', SORTS),
    isDescending: order === 'desc',
    provider: wordIn(query, 'provider')?.replace(/^@/, ''),
    aiService: wordIn(query, 'ai_service'),
  }
}

/** The models of the own list that are asked for, in order, and how many there are without a limit. */
export const listed = (
  models: readonly ListedModel[],
  query: ListQuery,
): { readonly page: readonly ListedModel[]; readonly total: number } => {
  const { provider, aiService, sort, isDescending } = query
  const found = models.filter(
    (model) =>
      (provider === undefined || model.provider === provider) &&
      (aiService === undefined || model.aiService === aiService),
  )
  const keyOf = KEYS[sort ?? 'name']
  const ordered = found.toSorted((one, other) => compared(keyOf(one), keyOf(other)) || compared(one.id, other.id))
  if (isDescending) ordered.reverse()
  return { page: paged(ordered, query), total: found.length }
}

/** A part of a list, as `offset` and `limit` say. */
export const paged = <Item>(
  items: readonly Item[],
  { offset, limit }: Pick<ListQuery, 'offset' | 'limit'>,
): readonly Item[] => items.slice(offset, limit === undefined ? undefined : offset + limit)

const KEYS: Readonly<Record<Sort, (model: ListedModel) => string>> = {
  name: ({ id }) => id,
  provider: ({ provider }) => provider,
  ai_service: ({ aiService }) => aiService,
}

export const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const wordIn = (query: URLSearchParams, name: string): string | undefined => query.get(name) || undefined

/**
 * A whole number of a query; undefined where it is not there.
 * @throws InvalidRequest naming the parameter
 */
export const numberIn = (query: URLSearchParams, name: string, least: number): number | undefined => {
  const text = wordIn(query, name)
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1
  if (value >= least) return value
  throw new InvalidRequest(`\`${name}\` must be a whole number of at least ${least}.`, { param: name })
}

const oneOf = <Word extends string>(query: URLSearchParams, name: string, words: readonly Word[]): Word | undefined => {
  const text = wordIn(query, name)
  const found = words.find((word) => word === text)
  if (text === undefined || found !== undefined) return found
  throw new InvalidRequest(`\`${name}\` must be one of: ${words.join(', ')}.`, { param: name })
}
