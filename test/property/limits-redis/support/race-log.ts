/** One admission of the race, as the server saw it. */
export interface RaceEvent {
  /** Which of the keys. */
  readonly place: number
  /** Time of the server in milliseconds since 1970. */
  readonly atMs: number
  /** What was used in the end. */
  readonly weight: number
}

export interface RaceResult {
  readonly events: readonly RaceEvent[]
  readonly refused: number
  /** Calls that were let through by what was leased. */
  readonly covered: number
}

/** The most weight in any interval `(t - windowMs, t]`, of any one key. */
export const largestWindow = (events: readonly RaceEvent[], windowMs: number): number => {
  let largest = 0
  for (const ofKey of Map.groupBy(events, ({ place }) => place).values()) {
    const sorted = ofKey.toSorted((left, right) => left.atMs - right.atMs)
    let weight = 0
    let first = 0
    for (const event of sorted) {
      weight += event.weight
      for (
        let oldest = sorted[first];
        oldest !== undefined && oldest.atMs <= event.atMs - windowMs;
        oldest = sorted[first]
      ) {
        weight -= oldest.weight
        first += 1
      }
      largest = Math.max(largest, weight)
    }
  }
  return largest
}
