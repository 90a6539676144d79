import type { Page, Paged } from '../../store/rows.ts'

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
