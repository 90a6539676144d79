/** What is told of several rounds. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly rounds: number
}

/** The middle of the values, or the mean of the two in the middle. NaN of none. */
export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((left, right) => left - right)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN
  return (lower + upper) / 2
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
  rounds: values.length,
})

/**
 * Round by round: what the machine did to one of a pair, it did to the other a second later. A ratio of two medians would
 * mix rounds that had nothing to do with each other.
 */
export const ratiosOf = (values: readonly number[], references: readonly number[]): readonly number[] =>
  values.flatMap((value, round) => {
    const reference = references[round]
    return reference === undefined || reference === 0 ? [] : [value / reference]
  })

/** The value below which this share of the values lies. NaN of none. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
