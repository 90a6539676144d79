import type { Dialect } from '../query/dialect.ts'
import type { Scalar } from '../question.ts'

/** SQL of ClickHouse. Values are parameters with a type and a name, `p` and their number. */
export const CLICKHOUSE: Dialect = {
  parameter: (number, value) => `{p${number}:${typeOfValue(value)}}`,
  metadata: (column, key) => `if(mapContains(${column}, ${key}), ${column}[${key}], null)`,
  log2: (value) => `log2(${value})`,
  ceiling: (value) => `toInt64(ceil(${value}))`,
}

const typeOfValue = (value: Scalar): string => {
  if (typeof value === 'boolean') return 'Bool'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Int64' : 'Float64'
  return 'String'
}

/** Values of a statement by the names of their parameters. */
export const parametersOf = (values: readonly Scalar[]): Record<string, Scalar> =>
  Object.fromEntries(values.map((value, index) => [`p${index + 1}`, value]))
