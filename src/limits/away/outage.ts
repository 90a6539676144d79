import type { LogFields, Logger } from '../../core/ports.ts'
import { createBreaker } from './breaker.ts'
import { createRecovery } from './recovery.ts'
import { reasonOf } from './store-failure.ts'
import type { Timers } from './timers.ts'

/** The time in which the shared store is not asked: when it begins, when it ends, and what the operator hears of it. */
export interface Outage {
  readonly isOn: boolean
  succeeded(): void
  /** @param workspaceId whose call failed: the store is back when it does what that workspace needs */
  failed(error: unknown, workspaceId: string): void
  /** A call was decided without the shared store. */
  countCall(): void
  stop(): void
}

export interface OutageOptions {
  readonly probe: (workspaceId: string) => Promise<boolean>
  readonly merge: () => Promise<boolean>
  readonly onBegin: () => void
  readonly onEnd: () => void
  /** More for the line that says that it is over. */
  readonly report: () => LogFields
  readonly log: Logger
  readonly timers: Timers
}

export const createOutage = ({ probe, merge, onBegin, onEnd, report, log, timers }: OutageOptions): Outage => {
  const breaker = createBreaker()
  let calls = 0
  let failedWorkspace = ''

  const recovery = createRecovery({
    probe: () => probe(failedWorkspace),
    merge,
    timers,
    onRecovered() {
      breaker.close()
      log.warn('rate limits are shared again', { callsDecidedMeanwhile: calls, ...report() })
      calls = 0
      onEnd()
    },
  })

  return {
    get isOn() {
      return breaker.isOpen
    },
    succeeded: () => breaker.succeeded(),
    failed(error, workspaceId) {
      failedWorkspace = workspaceId
      if (!breaker.failed()) return
      log.warn('rate limits are counted by each process alone: the shared store does not answer', {
        reason: reasonOf(error),
      })
      onBegin()
      recovery.start()
    },
    countCall() {
      calls += 1
    },
    stop: () => recovery.stop(),
  }
}
