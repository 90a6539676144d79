type Value = string | number | boolean

const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value)

/** A query of what has a value; a list is its name several times. Empty: nothing has one. */
export const queryOf = (fields: Readonly<Record<string, unknown>>): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isValue(each)) query.append(name, String(each))
  }
  return query.size === 0 ? '' : `?${query}`
}

/** Those of the fields that have these names. */
export const pick = (
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(fields, name) ? [[name, fields[name]]] : [])))

/** Rules for parameters that stand in the query, where the path puts them. */
export const inQuery = (...names: readonly string[]): Readonly<Record<string, () => Readonly<Record<string, never>>>> =>
  Object.fromEntries(names.map((name) => [name, () => ({})]))
