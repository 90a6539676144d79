import { invalidField } from '../invalid-field.ts'

const MINUTE_US = 60_000_000
const HOUR_US = 60 * MINUTE_US
const DAY_US = 24 * HOUR_US

/** Widths of a bucket by their names, in microseconds. All divide a day, so that buckets begin at midnight in UTC. */
const WIDTHS = {
  '1m': MINUTE_US,
  '5m': 5 * MINUTE_US,
  '15m': 15 * MINUTE_US,
  '1h': HOUR_US,
  '6h': 6 * HOUR_US,
  '1d': DAY_US,
} as const
export type Interval = keyof typeof WIDTHS
export const INTERVALS = Object.keys(WIDTHS) as readonly Interval[]

/** The longest window of each width, where the client does not choose: between a hundred and two hundred points. */
const CHOICES: readonly (readonly [longestUs: number, interval: Interval])[] = [
  [2 * HOUR_US, '1m'],
  [12 * HOUR_US, '5m'],
  [2 * DAY_US, '15m'],
  [7 * DAY_US, '1h'],
  [31 * DAY_US, '6h'],
]

/** A graph has no more points than this. */
const MAX_POINTS = 1_500

/** A span of time in microseconds since 1970: from here on, and before there. */
export interface Range {
  readonly from: number
  readonly to: number
}

export const INTERVAL_RULE = `Width of a bucket. By default ${CHOICES.map(
  ([longestUs, interval]) => `${interval} for up to ${hours(longestUs)} hours`,
).join(', ')}, and 1d beyond. At most ${MAX_POINTS} points.`

function hours(us: number): number {
  return us / HOUR_US
}

/**
 * The width of the buckets that a window is cut into, in microseconds.
 * @throws ManagementInvalid for a width that makes too many
 */
export const widthOf = ({ from, to }: Range, interval: Interval | undefined): number => {
  const chosen = interval ?? CHOICES.find(([longestUs]) => to - from <= longestUs)?.[1] ?? '1d'
  const width = WIDTHS[chosen]
  if ((to - from) / width > MAX_POINTS) {
    throw invalidField(
      interval === undefined ? 'time_of_generation_max' : 'interval',
      `makes more than ${MAX_POINTS} points`,
    )
  }
  return width
}

/** Where each bucket of a window begins, the first one before the window does where that is not aligned. */
export const bucketsOf = ({ from, to }: Range, width: number): readonly number[] => {
  const first = Math.floor(from / width) * width
  return Array.from({ length: Math.ceil((to - first) / width) }, (_, index) => first + index * width)
}
