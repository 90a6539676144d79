/** Durations of one thing, in microseconds. */
export interface Quantiles {
  readonly p50: number
  readonly p99: number
}

const NANOSECONDS = 1_000

export const quantilesOf = (durationsUs: Float64Array): Quantiles => {
  const sorted = durationsUs.toSorted()
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

/** Runs `once` again and again, a tenth of it to warm up, and times each of the rest. */
export const timeEach = (count: number, once: (turn: number) => void): Quantiles => {
  for (let turn = 0; turn < count / 10; turn += 1) once(turn)
  const durations = new Float64Array(count)
  for (let turn = 0; turn < count; turn += 1) {
    const started = Bun.nanoseconds()
    once(turn)
    durations[turn] = (Bun.nanoseconds() - started) / NANOSECONDS
  }
  return quantilesOf(durations)
}

/** The same for what is waited for, one after the other. */
export const timeEachAwaited = async (count: number, once: (turn: number) => Promise<unknown>): Promise<Quantiles> => {
  for (let turn = 0; turn < count / 10; turn += 1) await once(turn)
  const durations = new Float64Array(count)
  for (let turn = 0; turn < count; turn += 1) {
    const started = Bun.nanoseconds()
    await once(turn)
    durations[turn] = (Bun.nanoseconds() - started) / NANOSECONDS
  }
  return quantilesOf(durations)
}
