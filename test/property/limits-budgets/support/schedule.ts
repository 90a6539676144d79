import fc from 'fast-check'
import type { Processes } from './processes.ts'

type Which = { readonly process: number }

export type Step =
  | ({ readonly step: 'call'; readonly weights: readonly (number | undefined)[]; readonly shadow: boolean } & Which)
  | ({ readonly step: 'deliver' } & Which)
  | ({ readonly step: 'finish'; readonly call: number; readonly share: number } & Which)
  | ({ readonly step: 'apply' | 'hear' | 'die' } & Which)
  | ({ readonly step: 'lose'; readonly isDone: boolean } & Which)
  | { readonly step: 'take over' | 'forget' | 'reset' }
  | { readonly step: 'wait'; readonly ms: number }

export const which = fc.nat(2)
export const deliver = fc.record({ step: fc.constant('deliver' as const), process: which })
export const finish = fc.record({
  step: fc.constant('finish' as const),
  process: which,
  call: fc.nat(9),
  share: fc.constantFrom(0, 0.3, 0.7, 1),
})
export const tellOfLedger = fc.record({ step: fc.constantFrom('apply' as const, 'hear' as const), process: which })
const weight = fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined, freq: 3 })
const call = fc.record({
  step: fc.constant('call' as const),
  process: which,
  weights: fc.tuple(weight, weight),
  shadow: fc.boolean(),
})

const common = [
  { weight: 8, arbitrary: call.map((each) => ({ ...each, shadow: false })) },
  { weight: 1, arbitrary: call.map((each) => ({ ...each, shadow: true })) },
  { weight: 8, arbitrary: deliver },
  { weight: 6, arbitrary: finish },
  { weight: 5, arbitrary: tellOfLedger },
  {
    weight: 4,
    arbitrary: fc.record({ step: fc.constant('wait' as const), ms: fc.constantFrom(1, 5, 20, 400, 1_100) }),
  },
]

const deaths = [
  { weight: 1, arbitrary: fc.record({ step: fc.constant('die' as const), process: which }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('take over' as const) }) },
]

const forgets = { weight: 1, arbitrary: fc.record({ step: fc.constant('forget' as const) }) }
export const resets = { weight: 1, arbitrary: fc.record({ step: fc.constant('reset' as const) }) }
export const losses = [
  { weight: 2, arbitrary: fc.record({ step: fc.constant('lose' as const), process: which, isDone: fc.boolean() }) },
  forgets,
]

const schedule = (...kinds: { weight: number; arbitrary: fc.Arbitrary<Step> }[]): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof(...kinds), { minLength: 10, maxLength: 80, size: 'max' })

/** Commands arrive late, and all of them arrive. */
export const orderly = schedule(...common)
export const withDeaths = schedule(...common, ...deaths)
export const withForgetting = schedule(...common, forgets)
export const withResets = schedule(...common, resets)
export const withLosses = schedule(...common, ...losses)

/** @param forget as `FLUSHALL` does */
export const take = async (processes: Processes, step: Step, forget: () => unknown): Promise<void> => {
  switch (step.step) {
    case 'call':
      processes.call(step.process, step.weights, step.shadow)
      break
    case 'deliver':
      await processes.time.settle()
      await processes.deliver(step.process)
      break
    case 'finish':
      processes.finish(step.process, step.call, step.share)
      break
    case 'apply':
      processes.apply(step.process)
      break
    case 'hear':
      processes.hear(step.process)
      break
    case 'die':
      processes.die(step.process)
      break
    case 'take over':
      processes.takeOver()
      break
    case 'reset':
      processes.reset()
      break
    case 'lose': {
      await processes.time.settle()
      const command = processes.at(step.process).wire.waiting.shift()
      if (step.isDone) await command?.loseAnswer()
      else command?.lose()
      await processes.time.settle()
      break
    }
    case 'forget':
      await forget()
      break
    case 'wait':
      await processes.time.advance(step.ms)
      break
  }
}
