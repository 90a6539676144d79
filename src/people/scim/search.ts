import type { Db } from '../../store/types.ts'
import { type Fields, listResponse } from './documents.ts'
import { UnknownAttribute } from './filter/searched.ts'
import { listGroups } from './groups/service.ts'
import type { Query } from './query.ts'
import { listUsers } from './users/service.ts'

const LISTS = [listUsers, listGroups] as const

/**
 * Users and groups that a query is for, all users first, each kind in the order that is asked for. A kind that has not an
 * attribute of the query has no resource that fulfils it.
 * @throws ScimFault for an attribute that neither kind has
 */
export const searchAll = async (db: Db, organisationId: string, query: Query, base: string): Promise<Fields> => {
  const found: Fields[] = []
  let total = 0
  let unknown: UnknownAttribute | undefined
  let known = 0
  for (const list of LISTS) {
    const page = {
      offset: Math.max(query.page.offset - total, 0),
      limit: query.page.limit - found.length,
    }
    try {
      const part = await list(db, organisationId, { ...query, page }, base)
      total += part.total
      found.push(...part.resources)
      known++
    } catch (thrown) {
      if (!(thrown instanceof UnknownAttribute)) throw thrown
      unknown = thrown
    }
  }
  if (known === 0 && unknown !== undefined) throw unknown
  return listResponse(found, total, query.page.offset + 1)
}
