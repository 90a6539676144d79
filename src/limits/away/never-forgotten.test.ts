import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { chargeOf, createLimitWorld, type LimitWorld, settlementOf } from '../test-support/limit-world.ts'
import { CONNECTION_LOST, NOT_CONNECTED, type Pending, replyError } from '../test-support/scripted-store.ts'
import { type LimitAdmission, StoreFailedClosed } from './limit-store.ts'

const RINGS = ['local', 'open', 'closed'] as const
type RingName = (typeof RINGS)[number]

/** What becomes of a call that the shared store is asked for. */
const FATES = ['answered', 'refused by the server', 'not sent', 'never answered'] as const
/** What becomes of one that has no answer yet. */
const ENDS = ['answered', 'refused by the server', 'lost and done', 'lost and not done'] as const

type Step =
  | {
      readonly step: 'call'
      readonly fate: (typeof FATES)[number]
      readonly rings: readonly RingName[]
      readonly weight: number
    }
  | { readonly step: 'end'; readonly which: number; readonly end: (typeof ENDS)[number] }
  | { readonly step: 'settle'; readonly which: number; readonly actual: number }
  | { readonly step: 'wait'; readonly ms: number }

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        step: fc.constant('call' as const),
        fate: fc.constantFrom(...FATES),
        rings: fc.subarray([...RINGS], { minLength: 1 }),
        weight: fc.integer({ min: 0, max: 6 }),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ step: fc.constant('end' as const), which: fc.nat(30), end: fc.constantFrom(...ENDS) }),
    },
    { weight: 3, arbitrary: fc.record({ step: fc.constant('settle' as const), which: fc.nat(30), actual: fc.nat(9) }) },
    { weight: 2, arbitrary: fc.record({ step: fc.constant('wait' as const), ms: fc.constantFrom(1, 5, 100, 600) }) },
  ),
  { maxLength: 40, size: 'max' },
)

/** Large enough for most calls, and small enough for some to be refused. */
const charge = (ring: RingName, weight: number) => chargeOf({ group: ring, onStoreFailure: ring, weight, limit: 60 })

interface Call {
  readonly rings: readonly RingName[]
  readonly weight: number
  /** None: refused. */
  readonly admission: LimitAdmission | undefined
  pending: Pending | undefined
  /** Nobody knew in time whether the shared store had charged it. */
  readonly isInDoubt: boolean
  actual: number | undefined
}

class Model {
  readonly calls: Call[] = []
  readonly #world: LimitWorld

  constructor(world: LimitWorld) {
    this.#world = world
  }

  async call({ fate, rings, weight }: Extract<Step, { step: 'call' }>): Promise<void> {
    const { shared, store, time } = this.#world
    const before = shared.pending.length
    shared.mode = {
      answered: 'answer' as const,
      'refused by the server': replyError('READONLY'),
      'not sent': NOT_CONNECTED,
      'never answered': 'hang' as const,
    }[fate]
    const answer = (async () => store.admit(rings.map((ring) => charge(ring, weight))))().catch((error: unknown) => {
      expect(error).toBeInstanceOf(StoreFailedClosed)
      return undefined
    })
    await time.settle()
    shared.mode = 'answer'
    if (fate === 'never answered') await time.advance(40)
    const admission = await answer
    this.calls.push({
      rings,
      weight,
      admission: admission?.admitted === true ? admission : undefined,
      pending: shared.pending[before],
      isInDoubt: fate === 'never answered',
      actual: undefined,
    })
  }

  async end({ which, end }: Extract<Step, { step: 'end' }>): Promise<void> {
    const open = this.calls.filter(({ pending }) => pending !== undefined)
    const call = open[which % open.length]
    if (call?.pending === undefined) return
    const { pending } = call
    call.pending = undefined
    switch (end) {
      case 'answered':
        pending.answer()
        break
      case 'refused by the server':
        pending.fail(replyError('OOM'))
        break
      case 'lost and done':
        pending.execute()
        pending.fail(CONNECTION_LOST)
        break
      case 'lost and not done':
        pending.fail(CONNECTION_LOST)
        break
    }
    await this.#world.time.settle()
  }

  /** As a call's account does it. */
  settle({ which, actual }: Extract<Step, { step: 'settle' }>): void {
    const open = this.calls.filter((call) => call.admission !== undefined && call.actual === undefined)
    const call = open[which % open.length]
    if (call?.admission === undefined) return
    const { admission, rings, weight } = call
    call.actual = actual
    const settlements = rings.flatMap((ring, place) => {
      const index = admission.verdicts[place]?.index
      const isUncounted = admission.origin !== 'shared' && ring === 'open'
      if (index === undefined || isUncounted || actual === weight) return []
      return [settlementOf(charge(ring, weight), index, actual - weight)]
    })
    this.#world.store.settle(settlements, admission.origin)
  }

  /** What was used, and the most that may be counted: more by the calls of which nobody knew in time who counts them. */
  bounds(ring: RingName): readonly [least: number, most: number] {
    const calls = this.calls.filter(({ rings }) => rings.includes(ring))
    const used = calls.reduce((sum, { admission, weight, actual = weight }) => {
      const isCounted = admission !== undefined && (admission.origin === 'shared' || ring !== 'open')
      return sum + (isCounted ? actual : 0)
    }, 0)
    return [used, calls.reduce((sum, { isInDoubt, weight }) => sum + (isInDoubt ? weight : 0), used)]
  }
}

test('whatever becomes of the answers, each call is counted, and none twice of which an answer came in time', async () => {
  let doubts = 0
  let outages = 0
  let exact = 0
  let over = 0
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (taken, replicas) => {
      const world = createLimitWorld(() => replicas)
      const model = new Model(world)
      for (const step of taken) {
        if (step.step === 'call') await model.call(step)
        else if (step.step === 'end') await model.end(step)
        else if (step.step === 'settle') model.settle(step)
        else await world.time.advance(step.ms)
        if (world.store.state === 'local') outages += 1
      }
      doubts += world.shared.pending.length
      for (const which of model.calls.keys()) await model.end({ step: 'end', which, end: 'answered' })
      await world.time.advance(2_000)
      expect(world.store.state).toBe('shared')
      for (const ring of RINGS) {
        const [least, most] = model.bounds(ring)
        const used = world.shared.used(charge(ring, 0))
        expect({ ring, used, isBounded: used >= least && used <= most }).toEqual({ ring, used, isBounded: true })
        exact += used === least ? 1 : 0
        over += used > least ? 1 : 0
      }
      // And nothing of it is kept here.
      expect(world.memory.size).toBe(0)
    }),
    { numRuns: 2_000 },
  )
  expect(doubts).toBeGreaterThan(500)
  expect(outages).toBeGreaterThan(100)
  expect(exact).toBeGreaterThan(1_000)
  expect(over).toBeGreaterThan(100)
}, 60_000)
