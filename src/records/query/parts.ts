import type { Condition, FeedbackColumn, Measure, Question, RecordColumn, Scalar } from '../question.ts'
import { type Histogram, quantileOf } from '../rollups/histogram.ts'

export type AnyColumn = RecordColumn | FeedbackColumn

/** What measures are made of: each can be found for parts of the time and put together. */
export type Part = { readonly where: readonly Condition[] } & (
  | { readonly of: 'count' }
  /** `known`: how many are not null. */
  | { readonly of: 'sum' | 'known' | 'min' | 'max'; readonly column: AnyColumn }
  | { readonly of: 'histogram'; readonly column: RecordColumn }
  | { readonly of: 'values'; readonly column: AnyColumn }
  | { readonly of: 'values'; readonly metadata: string }
)

/** A part as it was found: a number, or null where there is nothing; a histogram; values that differ. */
export type Found = number | null | Histogram | Set<Scalar>

export interface MeasureParts {
  /** Each once. The first counts all rows: a group is there even where no measure fits one of them. */
  readonly parts: readonly Part[]
  /** Value of the measure at this place. */
  value(measure: number, found: readonly Found[]): Scalar
}

const number = (found: Found | undefined): number | null => (typeof found === 'number' ? found : null)

/** The parts that the measures of a question need. */
export const partsOf = (question: Question): MeasureParts => {
  const parts: Part[] = [{ of: 'count', where: [] }]
  const places = new Map<string, number>([[JSON.stringify(parts[0]), 0]])
  const place = (part: Part): number => {
    const name = JSON.stringify(part)
    const known = places.get(name)
    if (known !== undefined) return known
    places.set(name, parts.length)
    parts.push(part)
    return parts.length - 1
  }
  const values = question.measures.map((measure) => valueFrom(measure, place))
  return { parts, value: (measure, found) => values[measure]?.(found) ?? null }
}

const valueFrom = (measure: Measure, place: (part: Part) => number): ((found: readonly Found[]) => Scalar) => {
  const { where = [] } = measure
  if ('count' in measure) {
    const at = place({ of: 'count', where })
    return (found) => number(found[at]) ?? 0
  }
  if ('sum' in measure) {
    const at = place({ of: 'sum', column: measure.sum, where })
    return (found) => number(found[at]) ?? 0
  }
  if ('avg' in measure) {
    const sum = place({ of: 'sum', column: measure.avg, where })
    const known = place({ of: 'known', column: measure.avg, where })
    return (found) => {
      const count = number(found[known]) ?? 0
      return count === 0 ? null : (number(found[sum]) ?? 0) / count
    }
  }
  if ('min' in measure || 'max' in measure) {
    const at = place(
      'min' in measure ? { of: 'min', column: measure.min, where } : { of: 'max', column: measure.max, where },
    )
    return (found) => number(found[at])
  }
  if ('quantile' in measure) {
    const at = place({ of: 'histogram', column: measure.quantile, where })
    return (found) => {
      const histogram = found[at]
      return histogram instanceof Map ? quantileOf(histogram, measure.at) : null
    }
  }
  const at = place(
    'uniq' in measure
      ? { of: 'values', column: measure.uniq, where }
      : { of: 'values', metadata: measure.uniqMetadata, where },
  )
  return (found) => {
    const different = found[at]
    return different instanceof Set ? different.size : 0
  }
}
