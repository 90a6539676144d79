import { expect, test } from 'bun:test'
import { createVersionCache, type VersionRow } from './version-cache.ts'

/** Versions that can be read, and what was asked for. */
const source = (rows: VersionRow[]) => {
  const asked: { list: string[]; read: string[] } = { list: [], read: [] }
  return {
    asked,
    list: async (ownerIds: readonly string[]) => {
      asked.list.push(...ownerIds)
      return rows.filter(({ ownerId }) => ownerIds.includes(ownerId))
    },
    read: async (ids: readonly string[]) => {
      asked.read.push(...ids)
      return rows.filter(({ id }) => ids.includes(id))
    },
  }
}

const row = (ownerId: string, number: number): VersionRow => ({ id: `${ownerId}${number}`, number, ownerId })

test('reads each version once, and asks only for owners that have new ones', async () => {
  const rows = [row('a', 1), row('a', 2), row('b', 1)]
  const given = source(rows)
  const cache = createVersionCache(given)
  await cache.refresh([
    { id: 'a', version: 2 },
    { id: 'b', version: 1 },
  ])
  expect(given.asked).toEqual({ list: ['a', 'b'], read: ['a1', 'a2', 'b1'] })
  expect([...(cache.get('a')?.keys() ?? [])]).toEqual([1, 2])
  const [ofA, ofB] = [cache.get('a'), cache.get('b')]

  rows.push(row('b', 2))
  await cache.refresh([
    { id: 'a', version: 2 },
    { id: 'b', version: 2 },
  ])
  expect(given.asked).toEqual({ list: ['a', 'b', 'b'], read: ['a1', 'a2', 'b1', 'b2'] })
  // Whoever has made something of them sees by this that nothing is new.
  expect(cache.get('a')).toBe(ofA)
  expect(cache.get('b')).not.toBe(ofB)
  expect(cache.get('b')?.get(1)).toBe(rows[2])
})

test('forgets the versions of owners that are gone, and reads them again when they come back', async () => {
  const given = source([row('a', 1)])
  const cache = createVersionCache(given)
  await cache.refresh([{ id: 'a', version: 1 }])
  await cache.refresh([])
  expect(cache.get('a')).toBeUndefined()
  await cache.refresh([{ id: 'a', version: 1 }])
  expect(given.asked.read).toEqual(['a1', 'a1'])
})

test('holds what it has when reading fails, and reads the rest the next time', async () => {
  const rows = [row('a', 1)]
  const given = source(rows)
  let isBroken = false
  const cache = createVersionCache({
    ...given,
    read: (ids) => (isBroken ? Promise.reject(new Error('away')) : given.read(ids)),
  })
  await cache.refresh([{ id: 'a', version: 1 }])
  rows.push(row('a', 2))
  isBroken = true
  await expect(cache.refresh([{ id: 'a', version: 2 }])).rejects.toThrow('away')
  expect([...(cache.get('a')?.keys() ?? [])]).toEqual([1])
  isBroken = false
  await cache.refresh([{ id: 'a', version: 2 }])
  expect([...(cache.get('a')?.keys() ?? [])]).toEqual([1, 2])
})
