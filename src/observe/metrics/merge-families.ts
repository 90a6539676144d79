import type { MetricInfo } from '../../core/metrics.ts'
import type { Distribution, Family, Point } from './registry.ts'

/** The numbers of several processes as those of one: sums, but for gauges that say otherwise (`MetricInfo.across`). */
export const mergeFamilies = (processes: readonly (readonly Family[])[]): readonly Family[] => {
  const merged = new Map<string, Family>()
  for (const family of processes.flat()) {
    const known = merged.get(family.info.name)
    merged.set(family.info.name, known === undefined ? family : mergeTwo(known, family))
  }
  return [...merged.values()]
}

/** What of the numbers of a process outlives it: what only grows. */
export const lastingFamilies = (families: readonly Family[]): readonly Family[] =>
  families.filter(({ kind }) => kind !== 'gauge')

const mergeTwo = (known: Family, other: Family): Family => {
  const { info } = known
  if (known.kind === 'histogram') {
    if (other.kind !== 'histogram') return known
    return { kind: 'histogram', info, points: mergePoints(known.points, other.points, addDistributions) }
  }
  if (other.kind === 'histogram') return known
  const merge = known.kind === 'gauge' ? MERGES[info.across ?? 'sum'] : MERGES.sum
  return { kind: known.kind, info, points: mergePoints(known.points, other.points, merge) }
}

const MERGES: Readonly<Record<NonNullable<MetricInfo['across']> | 'sum', (left: number, right: number) => number>> = {
  sum: (left, right) => left + right,
  max: Math.max,
  min: Math.min,
}

const mergePoints = <Value>(
  known: readonly Point<Value>[],
  others: readonly Point<Value>[],
  merge: (left: Value, right: Value) => Value,
): readonly Point<Value>[] => {
  const points = new Map<string, Point<Value>>()
  for (const point of [...known, ...others]) {
    const key = JSON.stringify(point.labels)
    const before = points.get(key)
    points.set(key, before === undefined ? point : { ...point, value: merge(before.value, point.value) })
  }
  return [...points.values()]
}

/** Those with other bounds, as of another version, are left out. */
const addDistributions = (left: Distribution, right: Distribution): Distribution =>
  Bun.deepEquals(left.bounds, right.bounds)
    ? {
        bounds: left.bounds,
        counts: left.counts.map((count, index) => count + (right.counts[index] ?? 0)),
        sum: left.sum + right.sum,
        count: left.count + right.count,
      }
    : left
