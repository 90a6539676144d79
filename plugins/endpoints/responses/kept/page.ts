import { InvalidRequest } from '#kit'

type Fields = Readonly<Record<string, unknown>>

const DEFAULT_LIMIT = 20
const MAX_LIMIT = 100

/**
 * A page of a list: `limit`, `order` (`desc` unless it says `asc`), and `after` or `before` the item of an id.
 * @throws InvalidRequest naming the parameter that is wrong
 */
export const pageOf = (items: readonly Fields[], query: URLSearchParams): Fields => {
  const limit = limitIn(query)
  const order = query.get('order') ?? 'desc'
  if (order !== 'asc' && order !== 'desc') throw refused('order', 'must be `asc` or `desc`')
  const ordered = order === 'asc' ? items : items.toReversed()
  const after = placeOf(ordered, query, 'after')
  const before = placeOf(ordered, query, 'before')
  const from = after === undefined ? 0 : after + 1
  const to = before ?? ordered.length
  // A page that ends before an item is the one next to it.
  const start = before === undefined ? from : Math.max(from, to - limit)
  const data = ordered.slice(start, Math.min(to, start + limit))
  return {
    object: 'list',
    data,
    first_id: data.at(0)?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: before === undefined ? start + data.length < to : start > from,
  }
}

const limitIn = (query: URLSearchParams): number => {
  const text = query.get('limit')
  if (text === null) return DEFAULT_LIMIT
  const limit = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > MAX_LIMIT) throw refused('limit', `must be a whole number from 1 to ${MAX_LIMIT}`)
  return limit
}

const placeOf = (items: readonly Fields[], query: URLSearchParams, name: 'after' | 'before'): number | undefined => {
  const id = query.get(name)
  if (id === null) return undefined
  const place = items.findIndex((item) => item.id === id)
  if (place === -1) throw refused(name, 'is the id of no item of this response')
  return place
}

const refused = (param: string, problem: string): InvalidRequest =>
  new InvalidRequest(`\`${param}\` ${problem}.`, { param })
