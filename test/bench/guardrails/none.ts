import guardrails from '../../../plugins/pipeline/guardrails/index.ts'
import type { Answer } from '../../../src/core/bodies/answer.ts'
import type { Call } from '../../../src/core/call.ts'
import { principal, type Target, target } from '../../../src/kit/slots.ts'
import { fakeHost } from '../../../src/kit/testing/fake-host.ts'
import { CONTEXT } from '../../property/guardrails/guarded.ts'
import type { Row } from '../limits/table.ts'
import { aCall } from './call.ts'

const TARGET_NS = 500
const CALLS = 200_000
const ROUNDS = 25

/** Nanoseconds of a call of `run`, whose promise is not waited for: the median of many rounds. */
const nanoseconds = (run: () => unknown): number => {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const started = Bun.nanoseconds()
    for (let turn = 0; turn < CALLS; turn++) run()
    return (Bun.nanoseconds() - started) / CALLS
  })
  return rounds.toSorted((left, right) => left - right)[ROUNDS >> 1] ?? 0
}

/** What the stage takes for a call of a workspace without guardrails. */
export const noneRow = async (): Promise<Row> => {
  const { stages = [] } = await guardrails.setup({ streamBufferBytes: 1024 }, fakeHost())
  const [stage] = stages
  if (stage === undefined) throw new Error('there is no stage')
  const call: Call = aCall()
  call.set(principal, CONTEXT.caller.principal)
  call.set(target, { provider: { id: 'mock' } } as Target)
  const answer: Promise<Answer> = Promise.resolve({ status: 200, headers: new Headers(), body: new Uint8Array() })
  const next = (): Promise<Answer> => answer
  const taken = nanoseconds(() => stage.run(call, next)) - nanoseconds(next)
  return {
    metric: 'The stage, where nothing is configured',
    target: `≤ ${TARGET_NS} ns`,
    measured: `${taken.toFixed(0)} ns`,
    met: taken <= TARGET_NS,
  }
}
