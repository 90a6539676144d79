import type { CallRecord } from '../../core/records.ts'
import type { Cursor, RecordReader } from '../../records/store.ts'
import type { LogExport } from '../../store/objects/log-exports.ts'
import { type BodiesDeps, openBodies } from '../logs/open-bodies.ts'
import type { ExportFiles } from './files.ts'
import { hasBodies, headOf, lineOf } from './format.ts'
import type { ExportQuestion } from './question.ts'

/** Characters of a part, about: what is in memory, and what is written again after a crash. */
const PART_LENGTH = 1024 * 1024
/** Bytes of a file. */
const MAX_BYTES = 1024 ** 3
/** Records that are read together; fewer, where their bodies are opened: up to 4 MiB each. */
const AT_ONCE = 500
const AT_ONCE_WITH_BODIES = 8
/** Pages after which a sign of life is due: small ones may make a part only after a while. */
const PAGES_A_SIGN = 16

export interface WriteOptions extends BodiesDeps {
  readonly records: RecordReader
  readonly files: Pick<ExportFiles, 'write'>
  /** Keeps how far it has come. @returns false when somebody else has the job, or nobody wants it any more */
  readonly update: (progress: Partial<Pick<LogExport, 'parts' | 'rows' | 'bytes' | 'at'>>) => Promise<boolean>
  /** The process is about to stop. */
  readonly signal: AbortSignal
}

/**
 * Writes the file of an export, part by part, from where it was left. A part and how far it goes are kept one after the other:
 * after a crash between the two the same part is written again in its place, so that no row is there twice.
 */
export const writeExport = async (
  job: LogExport,
  options: WriteOptions,
): Promise<'done' | 'lost' | 'stopping' | 'too-large'> => {
  const { records: reader, files, update, signal } = options
  // What was stored with the start.
  const { filter, skip, limit } = job.question as ExportQuestion
  const size = hasBodies(job.requestedData) ? AT_ONCE_WITH_BODIES : AT_ONCE
  let { parts, rows, bytes } = job
  let at = job.at ?? undefined
  let pages = 0
  let text = parts === 0 ? headOf(job) : ''

  const flush = async (): Promise<boolean> => {
    // A file that is empty has a part too: with it, its organisation has the key that links are signed with.
    if (text === '' && parts > 0) return update({})
    bytes += await files.write(job, parts, text)
    parts++
    text = ''
    return update({ parts, rows, bytes, at: at ?? null })
  }

  for (let left = at === undefined ? skip : 0; left > 0; ) {
    if (signal.aborted) return 'stopping'
    const page = await reader.page(filter, { limit: Math.min(left, AT_ONCE), after: at, order: 'newest' })
    left -= page.records.length
    at = placeOf(page.records) ?? at
    if (page.next === undefined && left > 0) return (await flush()) ? 'done' : 'lost'
    if (!(await update({}))) return 'lost'
  }
  while (rows < limit) {
    if (signal.aborted) return 'stopping'
    const page = await reader.page(filter, { limit: Math.min(limit - rows, size), after: at, order: 'newest' })
    text += await linesOf(job, page.records, options)
    rows += page.records.length
    at = placeOf(page.records) ?? at
    const isLast = page.next === undefined
    if (text.length >= PART_LENGTH && !(await flush())) return 'lost'
    if (bytes > MAX_BYTES) return 'too-large'
    if (++pages % PAGES_A_SIGN === 0 && !(await update({}))) return 'lost'
    if (isLast) break
  }
  return (await flush()) ? 'done' : 'lost'
}

/** Where the next page begins. */
const placeOf = (records: readonly CallRecord[]): Cursor | undefined => {
  const last = records.at(-1)
  return last === undefined ? undefined : { time: last.time, id: last.id }
}

const linesOf = async (job: LogExport, records: readonly CallRecord[], options: BodiesDeps): Promise<string> => {
  const opened = hasBodies(job.requestedData) ? await openBodies(records, job.keyId, options) : undefined
  return records.map((record) => lineOf(job, record, opened?.get(record.id))).join('')
}
