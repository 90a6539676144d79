import { and, desc, eq, gt, lte, sql } from 'drizzle-orm'
import type { SemanticIndex, Similar } from '../core/ports.ts'
import { QueryFailed, StoreUnavailable } from '../store/errors.ts'
import type { Db } from '../store/types.ts'
import { within } from '../timing/within.ts'
import { type AnswerVectors, pgVectors, plainVectors } from './vector-tables.ts'
import { fromBytes, similarityOf, toBytes, toLiteral } from './vectors.ts'

export interface SemanticIndexOptions {
  /** Milliseconds a look-up may take: a call waits for it. */
  readonly deadlineMs?: number
  /** Without pgvector: how many vectors of a scope, the newest, are looked at. */
  readonly maxCompared?: number
  /** Without pgvector: bytes of vectors that one look-up fetches. */
  readonly maxComparedBytes?: number
  /** Absent: pgvector where the database has it. */
  readonly vectors?: AnswerVectors
}

const DEADLINE_MS = 250
const MAX_COMPARED = 1_000
/** 1,000 vectors of 4,096 dimensions, and fewer of longer ones. */
const MAX_COMPARED_BYTES = 16 * 1024 * 1024
/** Additions between two clearings of what has expired. */
const CLEAR_EVERY = 200

/**
 * Vectors in the database: compared there where it has pgvector, else in this process. Its table is no migration, as the
 * type of its column depends on that; it is a cache, and may be dropped at any time.
 */
export const createSemanticIndex = (db: Db, options: SemanticIndexOptions = {}): SemanticIndex => {
  const { deadlineMs = DEADLINE_MS, maxCompared = MAX_COMPARED, maxComparedBytes = MAX_COMPARED_BYTES } = options
  let preparing: Promise<AnswerVectors> | undefined
  let additions = 0

  const prepared = (): Promise<AnswerVectors> => {
    preparing ??= prepare(db, options.vectors).catch((thrown: unknown) => {
      preparing = undefined
      throw thrown
    })
    return preparing
  }

  const nearest = async (scope: string, vector: readonly number[]): Promise<Similar | undefined> => {
    const { kind, table } = await prepared()
    const isKept = and(eq(table.scope, scope), gt(table.expiresAt, sql`now()`))
    if (kind === 'pgvector') {
      const distance = sql<number>`${table.embedding} <=> ${toLiteral(vector)}::vector`
      const [found] = await db.select({ key: table.key, distance }).from(table).where(isKept).orderBy(distance).limit(1)
      return found && { key: found.key, similarity: 1 - Number(found.distance) }
    }
    const rows = await db
      .select({ key: table.key, embedding: table.embedding })
      .from(table)
      .where(isKept)
      .orderBy(desc(table.addedAt))
      .limit(Math.min(maxCompared, Math.floor(maxComparedBytes / (4 * vector.length))))
    let best: Similar | undefined
    for (const { key, embedding } of rows) {
      const similarity = similarityOf(vector, fromBytes(embedding))
      if (similarity > (best?.similarity ?? -2)) best = { key, similarity }
    }
    return best
  }

  return {
    nearest: (scope, vector) =>
      within(nearest(scope, vector), deadlineMs, () => new StoreUnavailable('The index did not answer in time.')),
    async add(scope, vector, key, ttlSeconds) {
      const { kind, table } = await prepared()
      const times = { addedAt: sql`now()`, expiresAt: sql`now() + make_interval(secs => ${ttlSeconds})` }
      if (kind === 'pgvector') {
        const row = { embedding: toLiteral(vector), ...times }
        const target = [table.scope, table.key]
        await db
          .insert(table)
          .values({ scope, key, ...row })
          .onConflictDoUpdate({ target, set: row })
      } else {
        const row = { embedding: toBytes(vector), ...times }
        const target = [table.scope, table.key]
        await db
          .insert(table)
          .values({ scope, key, ...row })
          .onConflictDoUpdate({ target, set: row })
      }
      additions++
      if (additions % CLEAR_EVERY === 0) await db.delete(table).where(lte(table.expiresAt, sql`now()`))
    },
  }
}

const prepare = async (db: Db, given: AnswerVectors | undefined): Promise<AnswerVectors> => {
  const vectors = given ?? ((await hasPgvector(db)) ? pgVectors : plainVectors)
  try {
    await vectors.create(db)
  } catch (thrown) {
    // Two gateways that make it at once: the later one fails, and finds it then.
    if (!(thrown instanceof QueryFailed)) throw thrown
    await vectors.create(db)
  }
  return vectors
}

const hasPgvector = async (db: Db): Promise<boolean> => {
  try {
    await db.execute(sql`create extension if not exists vector`)
    return true
  } catch (thrown) {
    if (thrown instanceof QueryFailed) return false
    throw thrown
  }
}
