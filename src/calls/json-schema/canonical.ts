import { COST, type Run } from './node.ts'

/** A text that is the same for values that are the same in JSON: whatever the order of their keys. */
export const canonical = (value: unknown, run: Run): string => {
  if (typeof value === 'string') {
    run.spend(COST.key + value.length)
    return JSON.stringify(value)
  }
  run.spend(COST.key)
  // Minus zero is zero.
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'object' || value === null) return String(value)
  run.enter()
  const text = Array.isArray(value)
    ? `[${value.map((item) => canonical(item, run)).join()}]`
    : `{${Object.keys(value)
        .sort()
        .map((key) => `${canonical(key, run)}:${canonical(Reflect.get(value, key), run)}`)
        .join()}}`
  run.leave()
  return text
}

/** Scalars of JSON, which `===` compares. */
export const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null
