const HOUR_MS = 3_600_000

/** How far back pages look. */
export const RANGES = { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' } as const

export type Range = keyof typeof RANGES

const MS: Readonly<Record<Range, number>> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 168 * HOUR_MS,
  '30d': 720 * HOUR_MS,
}

/** A time that pages look at: up to now, or between two moments. It stands in the address bar. */
export interface Period {
  readonly range?: Range
  /** RFC 3339; with both, they count instead of the range. */
  readonly from?: string
  readonly to?: string
}

const isRange = (value: unknown): value is Range => typeof value === 'string' && Object.hasOwn(RANGES, value)

const isMoment = (value: unknown): value is string => typeof value === 'string' && !Number.isNaN(Date.parse(value))

/** What an address says; what cannot be read is left out. */
export const readPeriod = ({ range, from, to }: Record<string, unknown>): Period => ({
  ...(isRange(range) ? { range } : {}),
  ...(isMoment(from) && isMoment(to) ? { from, to } : {}),
})

export interface Window {
  readonly time_of_generation_min: string
  readonly time_of_generation_max: string
}

/** The time of the same length just before. */
export const windowBefore = <Asked extends Window>(window: Asked): Asked => {
  const [from, to] = [Date.parse(window.time_of_generation_min), Date.parse(window.time_of_generation_max)]
  return {
    ...window,
    time_of_generation_min: new Date(2 * from - to).toISOString(),
    time_of_generation_max: window.time_of_generation_min,
  }
}

/** @param fallback range where none is named */
export const windowOf = ({ range, from, to }: Period, fallback: Range): Window => {
  if (from !== undefined && to !== undefined) return { time_of_generation_min: from, time_of_generation_max: to }
  const now = Date.now()
  return {
    time_of_generation_min: new Date(now - MS[range ?? fallback]).toISOString(),
    // Records of this very moment belong to it.
    time_of_generation_max: new Date(now + 1_000).toISOString(),
  }
}
