import type { CallRecord } from '../../core/records.ts'
import type { RecordFilter } from '../../records/question.ts'
import type { OpenedMessage } from '../../records/seals.ts'
import type { Cursor, RecordPage } from '../../records/store.ts'
import type { LogsDeps } from './deps.ts'
import { openBodies } from './open-bodies.ts'

/**
 * Looks for words in bodies. They are sealed, so that no store can have an index of them: those of the calls that fit the
 * other filters are opened one after the other, up to a bound; the cursor says where to go on.
 */

/** Most calls that are looked at for one page, and milliseconds that it may take. */
const MAX_LOOKED_AT = 1_000
const MAX_MS = 5_000
/** Calls that are asked for, and opened, together: at the most 8 MiB of bodies each. */
const AT_ONCE = 8

export interface SearchOptions {
  readonly search: string
  /** Id of the key that asks. */
  readonly keyId: string
  readonly limit: number
  readonly after: Cursor | undefined
  readonly order: 'newest' | 'oldest'
}

export interface SearchResult {
  readonly page: RecordPage
  /** All that fit the filters were looked at, or the page is full. */
  readonly isComplete: boolean
  readonly lookedAt: number
}

export const searchPage = async (
  filter: RecordFilter,
  { search, keyId, limit, after, order }: SearchOptions,
  deps: Pick<LogsDeps, 'records' | 'seals' | 'readersOf' | 'now'>,
  signal: AbortSignal,
): Promise<SearchResult> => {
  const { records: reader, now } = deps
  const words = wordsOf(search)
  const withBodies = { ...filter, where: [...filter.where, { column: 'hasBodies', in: [true] } as const] }
  const deadline = now() + MAX_MS
  const found: CallRecord[] = []
  let at = after
  for (let lookedAt = 0; ; ) {
    signal.throwIfAborted()
    const { records, next } = await reader.page(withBodies, { limit: AT_ONCE, after: at, order })
    const opened = await openBodies(records, keyId, deps)
    for (const record of records) {
      lookedAt++
      at = record
      if (!fits(opened.get(record.id), words)) continue
      found.push(record)
      if (found.length < limit) continue
      const isLast = next === undefined && record === records.at(-1)
      return { page: pageOf(found, isLast ? undefined : record), isComplete: true, lookedAt }
    }
    if (next === undefined) return { page: { records: found }, isComplete: true, lookedAt }
    if (lookedAt >= MAX_LOOKED_AT || now() >= deadline) {
      return { page: pageOf(found, at), isComplete: false, lookedAt }
    }
  }
}

const pageOf = (records: readonly CallRecord[], next: Cursor | undefined): RecordPage => ({
  records,
  next: next === undefined ? undefined : { time: next.time, id: next.id },
})

const wordsOf = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/** Whether each word stands in one of the bodies. */
const fits = (messages: readonly OpenedMessage[] | undefined, words: readonly string[]): boolean => {
  const bodies = (messages ?? []).flatMap(({ body }) => (body === undefined ? [] : [body.toLowerCase()]))
  return words.every((word) => bodies.some((body) => body.includes(word)))
}
