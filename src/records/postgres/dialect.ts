import type { Dialect } from '../query/dialect.ts'

/** SQL of Postgres. Each value says its type: the server would guess some of them wrong. */
export const POSTGRES: Dialect = {
  parameter(number, value) {
    if (typeof value === 'boolean') return `$${number}::boolean`
    if (typeof value === 'number') return Number.isSafeInteger(value) ? `$${number}::bigint` : `$${number}::float8`
    return `$${number}::text`
  },
  metadata: (column, key) => `(${column} ->> ${key})`,
  log2: (value) => `(ln(${value}::float8) / ${Math.LN2})`,
  ceiling: (value) => `ceil(${value})::bigint`,
}
