/**
 * Counts of values by size, which can be added up: the buckets of OpenTelemetry's exponential histogram at scale 6. Bucket `i`
 * has what is over 2^(i/64) and not over 2^((i+1)/64); its middle is within 0.55 % of all in it.
 */
export type Histogram = Map<number, number>

/** Buckets for each doubling. */
export const BUCKETS_PER_DOUBLING = 64
/** Stands for a bucket of its own, for zero. */
export const ZERO_BUCKET = -1_000

export const bucketOf = (value: number): number =>
  value <= 0 ? ZERO_BUCKET : Math.ceil(Math.log2(value) * BUCKETS_PER_DOUBLING) - 1

/** What stands for all values of a bucket: as far, in proportion, from its lower end as from its upper one. */
const middleOf = (bucket: number): number => {
  if (bucket === ZERO_BUCKET) return 0
  const lower = 2 ** (bucket / BUCKETS_PER_DOUBLING)
  const upper = 2 ** ((bucket + 1) / BUCKETS_PER_DOUBLING)
  return (2 * lower * upper) / (lower + upper)
}

export const addTo = (histogram: Histogram, bucket: number, count: number): void => {
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + count)
}

/** The value that a share of at least `at` is not above. Null of nothing. */
export const quantileOf = (histogram: Histogram, at: number): number | null => {
  let count = 0
  for (const each of histogram.values()) count += each
  if (count === 0) return null
  const rank = Math.max(1, Math.ceil(at * count))
  let seen = 0
  for (const bucket of [...histogram.keys()].sort((one, other) => one - other)) {
    seen += histogram.get(bucket) ?? 0
    // No two whole numbers so small share a bucket.
    if (seen >= rank) return middleOf(bucket) < 64 ? Math.round(middleOf(bucket)) : middleOf(bucket)
  }
  return null
}

/**
 * A histogram as bytes: for each bucket in their order the step from the one before and its count, as variable-length
 * integers of 7 bits a byte, the lowest first; the first step is from the bucket of zero.
 */
export const packHistogram = (histogram: Histogram): Uint8Array => {
  const bytes: number[] = []
  let before = ZERO_BUCKET
  for (const bucket of [...histogram.keys()].sort((one, other) => one - other)) {
    writeInteger(bytes, bucket - before)
    writeInteger(bytes, histogram.get(bucket) ?? 0)
    before = bucket
  }
  return Uint8Array.from(bytes)
}

/** Adds what `packHistogram` packed. @throws RangeError for bytes that it did not */
export const addPacked = (histogram: Histogram, bytes: Uint8Array): void => {
  let bucket = ZERO_BUCKET
  let at = 0
  const read = (): number => {
    let value = 0
    let factor = 1
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined || factor > 2 ** 49) throw new RangeError('A histogram is cut off')
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }
  while (at < bytes.length) {
    bucket += read()
    addTo(histogram, bucket, read())
  }
}

const writeInteger = (bytes: number[], value: number): void => {
  let rest = value
  while (rest >= 128) {
    bytes.push((rest % 128) | 128)
    rest = Math.floor(rest / 128)
  }
  bytes.push(rest)
}
