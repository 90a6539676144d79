import type { BatchesContext } from '../batches/context.ts'
import { createOwnBatches } from '../batches/own-batches.ts'
import { type BatchRunner, createBatchRunner } from '../batches/runner.ts'
import type { OwnBatches } from '../kit/own-batches.ts'

export interface RunBatches {
  readonly batches: OwnBatches
  /** From now on lines are asked for. @param ask makes a call through the whole chain */
  run(ask: BatchesContext['ask']): BatchRunner
}

/** Batches of this gateway. They can be made before anybody runs them. */
export const openOwnBatches = (context: Omit<BatchesContext, 'ask'>): RunBatches => {
  let runner: BatchRunner | undefined
  return {
    batches: createOwnBatches(context, () => runner?.wake()),
    run(ask) {
      runner = createBatchRunner({ ...context, ask })
      return runner
    },
  }
}
