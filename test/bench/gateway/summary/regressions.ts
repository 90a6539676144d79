import { type Finding, REFERENCES } from './measurement.ts'
import { METRICS } from './metrics.ts'

/** A finding that is worse, or better, than in an earlier run. */
export interface Change {
  readonly finding: Finding
  readonly before: number
  readonly now: number
  /** Above 1 is worse, whichever way the metric counts. */
  readonly factor: number
  readonly isWorse: boolean
}

/** Changes smaller than this are not worth a look, whatever the spread says. */
const SMALLEST = 0.05

/**
 * What changed beyond the spread of both runs. Ratios to the reference are compared where there are any: another machine, or
 * the same one on another day, has other figures and nearly the same ratios. What a reference itself does is the machine's
 * doing: it is left out.
 */
export const compare = (now: readonly Finding[], before: readonly Finding[]): Change[] => {
  const earlier = new Map(before.map((finding) => [placeOf(finding), finding]))
  return now
    .filter(({ lane }) => !REFERENCES.includes(lane))
    .flatMap((finding) => {
      const old = earlier.get(placeOf(finding))
      const change = old && changeOf(finding, old)
      return change === undefined ? [] : [change]
    })
    .toSorted((left, right) => right.factor - left.factor)
}

const placeOf = ({ experiment, setting, lane, metric }: Finding): string =>
  [experiment, setting, lane, metric].join('|')

const changeOf = (finding: Finding, old: Finding): Change | undefined => {
  const [now, before] =
    finding.ratio !== undefined && old.ratio !== undefined ? [finding.ratio, old.ratio] : [finding.value, old.value]
  // Ranges that meet may be the same thing twice.
  if (now.min <= before.max && before.min <= now.max) return undefined
  const growth = now.median / before.median
  const factor = METRICS[finding.metric].better === 'lower' ? growth : 1 / growth
  if (!Number.isFinite(factor) || Math.abs(factor - 1) < SMALLEST) return undefined
  return { finding, before: before.median, now: now.median, factor, isWorse: factor > 1 }
}
