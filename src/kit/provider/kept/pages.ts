import { InvalidRequest } from '../../../errors/gateway-error.ts'

/** Which part of a list a call asks for. */
export interface ListQuery {
  /** Id of the item that the part begins behind. */
  readonly after?: string | undefined
  readonly limit: number
  /** What files are for. */
  readonly purpose?: string | undefined
}

/** Reads the query of a list. @param most items of it in one answer @throws InvalidRequest naming the parameter */
export const readListQuery = (search: string, usual: number, most: number): ListQuery => {
  const query = new URLSearchParams(search)
  const text = query.get('limit') || String(usual)
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (limit < 1 || limit > most) {
    throw new InvalidRequest(`\`limit\` must be a whole number from 1 to ${most}.`, { param: 'limit' })
  }
  return { after: query.get('after') || undefined, limit, purpose: query.get('purpose') || undefined }
}

/** A page of a list of a host. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** Asks for the page behind it. Absent: it is the last. */
  readonly next?: (() => Promise<ListPage<Item>>) | undefined
}

/** A part of a list. */
export interface ListPart<Item> {
  readonly items: readonly Item[]
  readonly hasMore: boolean
}

/** Most pages that are gone through for a part of a list. */
const MOST_PAGES = 10

/**
 * A part of a list whose host counts in pages of its own, the newest first: pages are read until the part is whole. What is not on
 * the first ten of them is not found again.
 */
export const partOfItems = async <Item extends { readonly id: string }>(
  first: Promise<ListPage<Item>>,
  { after, limit }: ListQuery,
): Promise<ListPart<Item>> => {
  const items: Item[] = []
  let isBehind = after === undefined
  let page = await first
  for (let read = 1; ; read++) {
    for (const item of page.items) {
      if (isBehind) items.push(item)
      else isBehind = item.id === after
    }
    if (items.length > limit || page.next === undefined || read === MOST_PAGES) break
    page = await page.next()
  }
  // Pages that were not read may have more.
  return {
    items: items.slice(0, limit),
    hasMore: items.length > limit || (page.next !== undefined && items.length > 0),
  }
}
