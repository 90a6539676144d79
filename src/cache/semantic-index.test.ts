import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq, lte, sql } from 'drizzle-orm'
import { copyEmbeddedDatabase } from '../../test/support/embedded-database.ts'
import { openStore } from '../store/db.ts'
import { breakable, describeOnBothStores } from '../store/testing.ts'
import { createSemanticIndex } from './semantic-index.ts'
import { pgVectors, plainVectors } from './vector-tables.ts'
import { similarityOf } from './vectors.ts'

/** Making a database takes seconds, and more on a busy machine. */
const FIRST_START_MS = 60_000

describeOnBothStores('the index of meanings', (store) => {
  /** Whatever the database has. */
  const index = () => createSemanticIndex(store().db, { deadlineMs: 5_000 })
  const plainIndex = (maxCompared = 1_000) =>
    createSemanticIndex(store().db, { deadlineMs: 5_000, maxCompared, vectors: plainVectors })

  test('finds the nearest of a scope, and nothing of another one', async () => {
    const { add, nearest } = index()
    await add('s-1', [1, 0, 0], 'east', 60)
    await add('s-1', [0, 1, 0], 'north', 60)
    await add('s-2', [0.6, 0.8, 0], 'other', 60)
    const found = await nearest('s-1', [0.8, 0.6, 0])
    expect(found?.key).toBe('east')
    expect(found?.similarity).toBeCloseTo(0.8, 5)
    expect(await nearest('s-1', [0, 5, 0])).toEqual({ key: 'north', similarity: 1 })
    expect((await nearest('s-2', [1, 0, 0]))?.key).toBe('other')
    expect(await nearest('s-3', [1, 0, 0])).toBeUndefined()
  })

  test('replaces what is added anew, and forgets what has expired', async () => {
    const { add, nearest } = index()
    await add('s-4', [1, 0], 'a', 60)
    await add('s-4', [0, 1], 'a', 60)
    expect((await nearest('s-4', [1, 0]))?.similarity).toBeCloseTo(0, 5)
    await add('s-4', [1, 0], 'b', -1)
    expect((await nearest('s-4', [1, 0]))?.key).toBe('a')
  })

  test('is there for several at once, also when they are the first', async () => {
    const found = await Promise.all([
      index().nearest('none', [1]),
      index().nearest('none', [1]),
      index().nearest('none', [1]),
    ])
    expect(found).toEqual([undefined, undefined, undefined])
  })

  test('compares by itself as the database does', async () => {
    const [own, its] = [plainIndex(), index()]
    const vectors = [
      [1, 0, 0],
      [0.9, 0.1, 0],
      [0, 1, 1],
      [-1, 0.5, 0.2],
    ]
    for (const [place, vector] of vectors.entries()) {
      for (const { add } of [own, its]) await add('s-7', vector, `key-${place}`, 60)
    }
    for (const wanted of [
      [1, 0.05, 0],
      [0, 1, 0.9],
      [-2, 1, 0],
    ]) {
      const [mine, theirs] = [await own.nearest('s-7', wanted), await its.nearest('s-7', wanted)]
      expect(mine?.key).toBe(theirs?.key ?? '')
      expect(mine?.similarity).toBeCloseTo(theirs?.similarity ?? 0, 5)
    }
  })

  test('looks at the newest ones alone where it compares by itself', async () => {
    const { add, nearest } = plainIndex(2)
    for (const [key, vector] of [
      ['old', [1, 0]],
      ['newer', [0, 1]],
      ['newest', [-1, 0]],
    ] as const) {
      await add('s-5', vector, key, 60)
    }
    const { table } = plainVectors
    // The clock of the embedded database counts in milliseconds.
    const anHourAgo = { addedAt: sql`now() - interval '1 hour'` }
    await store()
      .db.update(table)
      .set(anHourAgo)
      .where(and(eq(table.scope, 's-5'), eq(table.key, 'old')))
    expect((await nearest('s-5', [1, 0]))?.key).toBe('newer')
  })

  test('looks at fewer of them where they are long', async () => {
    const { add, nearest } = createSemanticIndex(store().db, {
      deadlineMs: 5_000,
      maxComparedBytes: 24,
      vectors: plainVectors,
    })
    for (const [key, vector] of Object.entries({ one: [1, 0, 0], two: [0, 1, 0], three: [0, 0, 1] })) {
      await add('s-8', vector, key, 60)
    }
    const found = await Promise.all(
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ].map((vector) => nearest('s-8', vector)),
    )
    expect(found.filter((each) => each?.similarity === 1)).toHaveLength(2)
  })

  test('clears away what has expired', async () => {
    const { add } = plainIndex()
    for (let time = 0; time < 200; time++) await add('s-6', [1, 0], `key-${time}`, -1)
    const { table } = plainVectors
    expect(await store().db.$count(table, lte(table.expiresAt, sql`now()`))).toBe(0)
  })

  test('fails within its deadline', async () => {
    const { double, broken } = breakable(store())
    broken.answers = true
    const { nearest } = createSemanticIndex(double.db, { deadlineMs: 20 })
    await expect(nearest('s-1', [1, 0, 0])).rejects.toThrow('in time')
  })
})

test('vectors without a direction, or of different lengths, are not alike', () => {
  expect([similarityOf([0, 0], [1, 0]), similarityOf([1], [1, 0]), similarityOf([], [])]).toEqual([0, 0, 0])
  expect(similarityOf([1, 1], [-2, -2])).toBeCloseTo(-1, 10)
})

test(
  'the embedded database compares with pgvector',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'weir-vectors-'))
    await copyEmbeddedDatabase(dataDir)
    const store = await openStore({ dataDir })
    try {
      const { add, nearest } = createSemanticIndex(store.db, { deadlineMs: 5_000, vectors: pgVectors })
      await store.db.execute(sql`create extension if not exists vector`)
      await add('s-1', [1, 0], 'east', 60)
      expect(await nearest('s-1', [2, 0])).toEqual({ key: 'east', similarity: 1 })
    } finally {
      await store.close()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
  FIRST_START_MS,
)
