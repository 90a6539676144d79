/** What one run of wrk gave. */
export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface Report {
  readonly requests: number
  readonly durationUs: number
  readonly p50Us: number
  readonly p99Us: number
  readonly errors: Readonly<Record<string, number>>
}

const US_PER_MS = 1_000
const US_PER_S = 1_000_000

/**
 * The line of JSON that `wrk.lua` writes behind what wrk says itself.
 * @throws Error when there is none, when nothing was answered, and when anything failed: a gateway that refuses is quick, and
 * that is not what is measured
 */
export const readWrkOutput = (output: string): LoadResult => {
  const line = output.split('\n').findLast((one) => one.startsWith('{'))
  if (line === undefined) throw new Error(`wrk gave no report:\n${output}`)
  const { requests, durationUs, p50Us, p99Us, errors } = JSON.parse(line) as Report
  const failures = Object.entries(errors).filter(([, count]) => count > 0)
  if (failures.length > 0) {
    const list = failures.map(([kind, count]) => `${count} × ${kind}`).join(', ')
    throw new Error(`Of ${requests} requests some failed: ${list}`)
  }
  if (requests === 0) throw new Error('No request was answered')
  return {
    requests,
    perSecond: requests / (durationUs / US_PER_S),
    p50Ms: p50Us / US_PER_MS,
    p99Ms: p99Us / US_PER_MS,
  }
}
