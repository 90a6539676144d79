/**
 * How deep arrays and objects may be nested in what a provider sent: no answer comes near it, and writing one that is deeper
 * than the stack holds the process up for seconds (50,000 levels: 2.5 s until `JSON.stringify` gives up; Bun 1.4.5, 2026-11-22).
 */
export const MAX_JSON_DEPTH = 1_000

/**
 * Parses JSON of somebody else's.
 * @throws SyntaxError also for what is nested deeper than 1,000 levels
 */
export const parseJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  // Each level takes two characters.
  if (text.length > 2 * MAX_JSON_DEPTH && isDeeperThan(value, MAX_JSON_DEPTH))
    throw new SyntaxError('JSON is nested too deep')
  return value
}

/** Whether arrays and objects of a parsed value are nested in more levels than these. */
export const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(item, levels - 1)) return true
    return false
  }
  for (const item of Object.values(value)) if (isDeeperThan(item, levels - 1)) return true
  return false
}
