import type { Clock } from '../core/ports.ts'
import type { DryRun } from '../management/rate-limits/deps.ts'
import { rehearseLimits } from '../rehearse.ts'
import type { Runtime } from '../runtime.ts'
import { type CallerOptions, findImaginedCaller } from './imagined-caller.ts'

export interface LimitDryRunOptions extends CallerOptions {
  readonly runtime: Pick<Runtime, 'rehearsal' | 'endpoints'>
  readonly clock: Clock
  readonly randomId: () => string
}

/** What limits say to calls that nobody makes, by the chain that runs. */
export const createLimitDryRun = (options: LimitDryRunOptions): DryRun => ({
  async evaluate(call) {
    const { runtime, clock, randomId } = options
    const caller = await findImaginedCaller(call, options)
    const { headers, body } = call
    const endpoint = runtime.endpoints.get(call.endpoint)
    const now = (): number => clock.monotonicMs()
    return rehearseLimits({ caller, endpoint, headers, body }, { pipeline: runtime.rehearsal, randomId, now })
  },
})
