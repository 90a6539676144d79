import type { AuditEntry } from '../../management/route.ts'
import { appendAudit } from '../../store/objects/audit-log.ts'
import type { Page, Paged } from '../../store/objects/rows.ts'
import type { Db } from '../../store/types.ts'
import type { TerminalStore } from '../terminal-store.ts'

/** Rows of one query. */
const PAGE_SIZE = 500

/** All rows of a list that comes in pages. */
export const everyRow = async <Row>(read: (page: Page) => Promise<Paged<Row>>): Promise<readonly Row[]> => {
  const rows: Row[] = []
  for (;;) {
    const page = await read({ offset: rows.length, limit: PAGE_SIZE })
    rows.push(...page.rows)
    if (page.rows.length === 0 || rows.length >= page.total) return rows
  }
}

/**
 * Does several changes, each with its own entry in the audit log as the management interface writes it, or none of them.
 * Entries are written last, as it does: who waits for the audit log holds all else already.
 */
export const changeTogether = <Result>(
  { db, organisationId, actor }: TerminalStore,
  work: (transaction: Db, audit: (entry: AuditEntry) => void) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (transaction) => {
    const entries: AuditEntry[] = []
    const result = await work(transaction, (entry) => entries.push(entry))
    for (const entry of entries) {
      await appendAudit(transaction, {
        organisationId,
        actorKind: 'cli',
        actorId: actor.id,
        actorName: actor.name,
        ...entry,
      })
    }
    return result
  })
