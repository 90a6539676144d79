import type { Dialect } from '../query/dialect.ts'

/** SQLite's own way. */
export const SQLITE: Dialect = {
  parameter: (number) => `?${number}`,
  // `->>` takes a key that begins with a dollar for a path.
  metadata: (column, parameter, key) =>
    /^[\w-][\w.-]*$/.test(key)
      ? `(${column} ->> ${parameter})`
      : `(select j.value from json_each(${column}) j where j.key = ${parameter})`,
  log2: (value) => `log2(${value})`,
  ceiling: (value) => `cast(ceil(${value}) as integer)`,
}
