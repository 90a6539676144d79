let lastMs = Number.NaN
let last = ''

/** A time in ISO 8601. Many reports are made in the same millisecond. @param ms since 1970 */
export const isoTime = (ms: number): string => {
  if (ms !== lastMs) {
    last = new Date(ms).toISOString()
    lastMs = ms
  }
  return last
}
