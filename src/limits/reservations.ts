import { createBoundedMap } from '../core/bounded-map.ts'
import type { TokenForecast } from '../core/limits.ts'
import type { Reservation } from './match/policy.ts'

/** Held back for the output of a request that names no bound and of a model that nothing is known of. */
const UNBOUNDED_OUTPUT = 4_096
/** Least that is held back for output. */
const FLOOR = 256
/** Outputs that are remembered of each limit and model. */
const REMEMBERED = 32
/** Limits and models that are remembered. */
const MAXIMUM_HISTORIES = 10_000

interface History {
  readonly outputs: number[]
  next: number
  /** The 95th percentile; undefined when it has to be found again. */
  high: number | undefined
}

/** The 95th percentile. Of so few outputs it is the largest, or the second largest: no need to sort them at every call. */
const percentileOf = (outputs: readonly number[]): number => {
  let largest = 0
  let second = 0
  for (const output of outputs) {
    if (output > largest) {
      second = largest
      largest = output
    } else if (output > second) second = output
  }
  return Math.ceil(outputs.length * 0.95) === outputs.length ? largest : second
}

/** How many tokens to hold back for a call, learnt from what calls of the same limit and model used. */
export const createReservations = () => {
  const histories = createBoundedMap<string, History>(MAXIMUM_HISTORIES)

  const highOf = (history: History | undefined): number => {
    if (history === undefined) return UNBOUNDED_OUTPUT
    history.high ??= percentileOf(history.outputs)
    return Math.max(history.high, FLOOR)
  }

  return {
    of(mode: Reservation, { inputTokens, maxOutputTokens }: TokenForecast, limit: string, model: string): number {
      switch (mode) {
        case 'post':
          return 0
        case 'input':
          return inputTokens
        case 'max':
          return inputTokens + (maxOutputTokens ?? UNBOUNDED_OUTPUT)
        case 'bounded': {
          const high = highOf(histories.peek(`${limit} ${model}`))
          return inputTokens + Math.min(maxOutputTokens ?? high, high)
        }
      }
    },
    learn(limit: string, model: string, outputTokens: number): void {
      const name = `${limit} ${model}`
      let history = histories.get(name)
      if (history === undefined) {
        history = { outputs: [], next: 0, high: undefined }
        histories.set(name, history)
      }
      history.outputs[history.next] = outputTokens
      history.next = (history.next + 1) % REMEMBERED
      history.high = undefined
    },
  }
}

export type Reservations = ReturnType<typeof createReservations>
