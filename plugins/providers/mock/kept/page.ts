import { MockRefusal } from '../refusal.ts'
import type { Kept } from './objects.ts'

/** Most of a list in one answer. */
const MAX_LIMIT = 100

/**
 * A page of a list, as its query asks for it: `limit`, `order`, `after`, `before`.
 * @param items the oldest first
 */
export const page = (items: readonly Kept[], query: URLSearchParams, usualLimit = 20): object => {
  const limit = limitOf(query, usualLimit)
  const ordered = query.get('order') === 'asc' ? items : items.toReversed()
  const after = placeOf(ordered, query.get('after'))
  const before = placeOf(ordered, query.get('before'))
  const rest = ordered.slice(after === undefined ? 0 : after + 1, before)
  const data = before !== undefined && after === undefined ? rest.slice(-limit) : rest.slice(0, limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: rest.length > data.length,
  }
}

const limitOf = (query: URLSearchParams, usual: number): number => {
  const text = query.get('limit')
  if (text === null) return usual
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new MockRefusal(400, `\`limit\` must be from 1 to ${MAX_LIMIT}.`, 'limit')
}

const placeOf = (items: readonly Kept[], id: string | null): number | undefined => {
  if (id === null) return undefined
  const place = items.findIndex((item) => item.id === id)
  if (place !== -1) return place
  throw new MockRefusal(400, `'${id}' is not in this list.`)
}
