import { defined } from '#kit'
import type { MockOptions } from './options.ts'
import type { Plan, WholePlan } from './plan.ts'
import { OTHER_ANSWERS } from './refusing.ts'
import { TRANSPORTS } from './transport.ts'

/** Says whether the fault of a request still strikes, and counts it. */
export type Strikes = (key: string, times: number) => boolean

/** The switches of a request, without a fault that has struck often enough. @param text what it counts by, unless it says so */
export const struck = (asked: MockOptions, strikes: Strikes, text: string): MockOptions => {
  if (asked.times === undefined || strikes(asked.key ?? text, asked.times)) return asked
  const { fault: _, ...rest } = asked
  return rest
}

/** The answer with the fault of its request, at its pace. @param right is made where the fault leaves anything of it */
export const faulted = (options: MockOptions, right: () => WholePlan): Plan => {
  const { fault } = options
  const other = fault === undefined ? undefined : OTHER_ANSWERS[fault]
  if (other !== undefined) return paced(other(options), options)
  const plan = right()
  return paced((fault === undefined ? undefined : TRANSPORTS[fault]?.(plan, options)) ?? plan, options)
}

const paced = (plan: Plan, { latencyMs, intervalMs, chunkBytes }: MockOptions): Plan => ({
  ...plan,
  ...defined({ latencyMs, intervalMs, chunkBytes }),
})
