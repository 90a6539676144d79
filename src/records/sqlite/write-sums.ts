import type { Database } from 'bun:sqlite'
import type { Scalar } from '../question.ts'
import type { RollupRow, Series } from '../rollups/accumulate.ts'
import { addPacked, packHistogram } from '../rollups/histogram.ts'
import { HISTOGRAM_COLUMNS, SERIES_COLUMNS, SUM_COLUMNS, SUM_KEY } from './schema.ts'

/** Adds sums to those of a file. */
export type SumsWriter = (rows: readonly RollupRow[]) => void

const marks = (columns: readonly string[]): string => columns.map(() => '?').join(', ')

const ADDED = SUM_COLUMNS.map((column) => {
  if (column === 'first_time') return `${column} = min(${column}, excluded.${column})`
  if (column === 'last_time') return `${column} = max(${column}, excluded.${column})`
  return `${column} = ${column} + excluded.${column}`
})
const REPLACED = HISTOGRAM_COLUMNS.map((column) => `${column} = excluded.${column}`)

/** Packed histograms of a row in the order of its columns. */
type Packed = readonly (Uint8Array | null)[]

export const createSumsWriter = (database: Database): SumsWriter => {
  const insertSeries = database.query<{ id: number }, Scalar[]>(
    `insert into series (name, ${SERIES_COLUMNS.join(', ')}) values (?, ${marks(SERIES_COLUMNS)}) returning id`,
  )
  const findSeries = database.query<{ id: number }, [string]>('select id from series where name = ?')
  const findHistograms = database.query(
    `select ${HISTOGRAM_COLUMNS.join(', ')} from sums where ${SUM_KEY.map((column) => `${column} = ?`).join(' and ')}`,
  )
  const columns = [...SUM_KEY, ...SUM_COLUMNS, ...HISTOGRAM_COLUMNS]
  const upsert = database.query(
    `insert into sums (${columns.join(', ')}) values (${marks(columns)}) on conflict (${SUM_KEY.join(', ')}) do update set ${[...ADDED, ...REPLACED].join(', ')}`,
  )

  const idOf = ({ name, value, organisationId, workspaceId, dimensions }: Series): number => {
    const known = findSeries.get(name) ?? insertSeries.get(name, workspaceId, value, organisationId, ...dimensions)
    if (known === null) throw new Error('A series was neither found nor made')
    return known.id
  }

  return (rows) => {
    const ids = new Map<string, number>()
    for (const { width, bucket, series, sums } of rows) {
      const id = ids.get(series.name) ?? idOf(series)
      ids.set(series.name, id)
      const key = [series.facet, width, series.workspaceId, bucket, id]
      const before = findHistograms.values(...key)[0] as Packed | undefined
      const histograms = sums.histograms.map((histogram, index) => {
        const packed = before?.[index]
        if (packed) addPacked(histogram, packed)
        return packHistogram(histogram)
      })
      const { calls, firstTime, lastTime } = sums
      upsert.run(...key, calls, firstTime, lastTime, ...sums.sums, ...sums.known, ...histograms)
    }
  }
}
