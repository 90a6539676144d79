import { describe, expect, test } from 'bun:test'
import {
  AT_OTHER,
  atOnce,
  budgetBench,
  budgetPolicy,
  NOON,
  OPENAI,
  OTHER,
  optionsOf,
  ownedBudgets,
  refusalOf,
  spentAt,
  WORKSPACE,
} from '../budgets/test-support/budget-bench.ts'
import { BUDGET_HEADER } from '../core/limits.ts'
import { RateLimited } from '../errors/gateway-error.ts'
import type { LimitPolicy } from './match/policy.ts'

const rateLimit = (fields: Partial<LimitPolicy> = {}): LimitPolicy => ({
  ...budgetPolicy(),
  id: 'rate-limit',
  target: 'llm',
  type: 'requests',
  unit: 'rpm',
  value: 2,
  onStoreFailure: 'local',
  reservation: 'bounded',
  mode: 'enforce',
  ...fields,
})

const used = (our: ReturnType<typeof budgetBench>, policy: ReturnType<typeof budgetPolicy>) =>
  our.usage.usage(policy).map((each) => each.used)

describe('a soft budget', () => {
  test('lets calls through until it is used up, also beyond', () => {
    const policy = budgetPolicy()
    const our = budgetBench({ policies: [policy] })
    our.call({ dollars: 0.4 })
    our.call({ dollars: 0.7 })
    expect(used(our, policy)).toEqual([1.1])
    const { status, message, options } = refusalOf(() => our.account().admit(optionsOf(), OPENAI))
    expect([status, options.endsCall, options.refusedBy, options.retryAfterMs]).toEqual([
      412,
      true,
      [policy.id],
      undefined,
    ])
    expect(message).toBe(
      `The budget of policy ${policy.id} (api_key:key-1) is used up: 1.1 USD of 1 USD used. It does not start again by itself.`,
    )
    expect(options.budget).toEqual({
      policyId: policy.id,
      group: { api_key: 'key-1' },
      type: 'cost',
      enforcement: 'soft',
      limit: 1,
      used: 1.1,
      requested: 0,
    })
    atOnce(our.account({ apiKeyId: 'key-2' }).admit(optionsOf(), OPENAI))
  })

  test('lets calls finish that are in flight, and asks no question for those that cannot begin', () => {
    const policy = budgetPolicy({ type: 'tokens', limit: 100 })
    const our = budgetBench({ policies: [policy] })
    const [first, second] = [our.account(), our.account()]
    for (const call of [first, second]) atOnce(call.admit(optionsOf(), OPENAI))
    our.end(first, [{ tokens: 100 }])
    atOnce(second.admit(optionsOf(undefined, { target: AT_OTHER }), OTHER))
    our.end(second, [{ tokens: 50 }, { target: AT_OTHER, tokens: 7 }])
    expect(used(our, policy)).toEqual([157])
    const questions = our.asked()
    refusalOf(() => our.account().admit(optionsOf(), OPENAI))
    expect(our.asked()).toBe(questions)
  })

  test('of 0 lets nothing through', () => {
    const our = budgetBench({ policies: [budgetPolicy({ type: 'requests', limit: 0 })] })
    expect(refusalOf(() => our.account().admit(optionsOf(), OPENAI)).message).toContain('is 0: nothing is let through')
  })

  test('counts calls that asked a provider, each once', () => {
    const policy = budgetPolicy({ type: 'requests', limit: 2 })
    const our = budgetBench({ policies: [policy] })
    our.call({ wasAsked: false })
    expect(used(our, policy)).toEqual([])
    const call = our.account()
    atOnce(call.admit(optionsOf(), OPENAI))
    our.end(call, [{}, { target: AT_OTHER }])
    our.call({})
    expect(used(our, policy)).toEqual([2])
    refusalOf(() => our.account().admit(optionsOf(), OPENAI))
  })

  test('is not asked by calls that ask no model', () => {
    const policy = budgetPolicy({ dollars: 0 })
    const our = budgetBench({ policies: [policy] })
    const call = our.account()
    atOnce(call.admit(optionsOf(5, { isFree: true }), OPENAI))
    expect(call.charge([spentAt({ dollars: 5 })])).toEqual([])
    expect(call.headers().has(BUDGET_HEADER)).toBe(false)
  })

  test('in shadow mode refuses nothing, is counted, and is named', () => {
    const policy = budgetPolicy({ mode: 'shadow', enforcement: 'reserve', onUnknownPrice: 'refuse' })
    const our = budgetBench({ policies: [policy] })
    our.call({ dollars: 1.5 })
    const call = our.account()
    atOnce(call.admit(optionsOf(0.5), OPENAI))
    atOnce(call.admit(optionsOf(0.5), OPENAI))
    expect([call.shadowRefusals, call.held()]).toEqual([[policy.id], []])
    expect(call.headers().has(BUDGET_HEADER)).toBe(false)
    our.end(call, [{ dollars: 0.25 }])
    expect(used(our, policy)).toEqual([1.75])
    const unpriced = our.account()
    atOnce(unpriced.admit(optionsOf(undefined), OPENAI))
    expect(unpriced.shadowRefusals).toEqual([policy.id])
  })
})

describe('a budget whose periods end', () => {
  const schedule = { every: 1, since: { startMs: 0, setAtMs: 0 } } as const
  const MIDNIGHT = Date.parse('2026-11-25T00:00:00Z')

  test('starts again at midnight, as the refusal says', () => {
    const our = budgetBench({ policies: [budgetPolicy({ schedule })] })
    our.call({ dollars: 1 })
    const { options, message } = refusalOf(() => our.account().admit(optionsOf(), OPENAI))
    expect([options.retryAfterMs, options.budget?.resetsAtMs]).toEqual([MIDNIGHT - NOON, MIDNIGHT])
    expect(message).toEndWith('It starts again at 2026-11-25T00:00:00.000Z.')
    our.time.nowMs = MIDNIGHT - 1
    refusalOf(() => our.account().admit(optionsOf(), OPENAI))
    our.time.nowMs = MIDNIGHT
    atOnce(our.account().admit(optionsOf(), OPENAI))
    // A clock that is set back is in the period of before.
    our.time.nowMs = MIDNIGHT - 1
    refusalOf(() => our.account().admit(optionsOf(), OPENAI))
  })

  test('charges a call to the period in which it began, whenever it ends and wherever it goes on', () => {
    const ofAny = budgetPolicy({ schedule })
    const ofOther = budgetPolicy({ schedule, conditions: [{ key: 'provider', value: 'anthropic' }], groupBy: [] })
    const our = budgetBench({ policies: [ofAny, ofOther] })
    our.time.nowMs = MIDNIGHT - 1
    const call = our.account()
    atOnce(call.admit(optionsOf(), OPENAI))
    our.time.nowMs = MIDNIGHT
    our.call({ dollars: 0.125 })
    atOnce(call.admit(optionsOf(undefined, { target: AT_OTHER }), OTHER))
    const charges = call.charge([spentAt({ dollars: 0.25 }), spentAt({ target: AT_OTHER, dollars: 0.5 })])
    expect(charges).toMatchObject([
      { budgetId: ofAny.id, startMs: MIDNIGHT - 86_400_000, endMs: MIDNIGHT, type: 'cost', amount: 750_000_000_000 },
      { budgetId: ofOther.id, startMs: MIDNIGHT - 86_400_000, endMs: MIDNIGHT, type: 'cost', amount: 500_000_000_000 },
    ])
    expect(used(our, ofAny)).toEqual([0.125])
    // The count of today is still at hand.
    our.call({ dollars: 1 })
    refusalOf(() => our.account().admit(optionsOf(), OPENAI))
  })
})

describe('a budget that reserves', () => {
  const policy = budgetPolicy({ enforcement: 'reserve' })

  test('never lets through what may not fit, and gives back what was not spent', () => {
    const our = budgetBench({ policies: [policy] })
    const calls = [our.account(), our.account()]
    for (const call of calls) atOnce(call.admit(optionsOf(0.4), OPENAI))
    expect(calls[0]?.held()).toMatchObject([{ budgetId: policy.id, amount: 400_000_000_000 }])
    const { options, message } = refusalOf(() => our.account().admit(optionsOf(0.4), OPENAI))
    expect(message).toContain(
      'has too little left: 0.8 USD of 1 USD used, and the call may take 0.4 USD. Some of it is held',
    )
    expect([options.retryAfterMs, options.endsCall, options.budget?.requested]).toEqual([1_000, false, 0.4])
    for (const call of calls) our.end(call, [{ dollars: 0.1 }])
    atOnce(our.account().admit(optionsOf(0.8), OPENAI))
    expect(refusalOf(() => our.account().admit(optionsOf(0.01), OPENAI)).options.endsCall).toBe(true)
  })

  test('tells what a call is taken to have spent that never ends: to all budgets of the type', () => {
    const soft = budgetPolicy({ id: 'soft' })
    const tokens = budgetPolicy({ id: 'tokens', type: 'tokens', limit: 100 })
    const our = budgetBench({ policies: [soft, policy, tokens] })
    const call = our.account()
    atOnce(call.admit(optionsOf(0.4), OPENAI))
    expect(call.held()).toMatchObject([
      { budgetId: 'soft', amount: 400_000_000_000 },
      { budgetId: policy.id, amount: 400_000_000_000 },
    ])
    const withoutReserve = budgetBench({ policies: [soft, tokens] }).account()
    atOnce(withoutReserve.admit(optionsOf(0.4), OPENAI))
    expect(withoutReserve.held()).toEqual([])
  })

  test('says so where a call can never fit', () => {
    const daily = budgetPolicy({ enforcement: 'reserve', schedule: { every: 1, since: { startMs: 0, setAtMs: 0 } } })
    const our = budgetBench({ policies: [daily] })
    const { options, message } = refusalOf(() => our.account().admit(optionsOf(1.000000001), OPENAI))
    expect(message).toContain('may take 1.000000001 USD')
    expect(message).toContain('can never be made')
    expect(options.retryAfterMs).toBeUndefined()
  })

  test('gives back everything once, whatever ends the call', () => {
    const our = budgetBench({ policies: [policy] })
    const call = our.account()
    atOnce(call.admit(optionsOf(0.9), OPENAI))
    call.settle({ reachedProvider: true, totalTokens: 0, outputTokens: 0 })
    expect([call.held(), call.charge([spentAt({ dollars: 0.9 })])]).toEqual([[], []])
    const other = our.account()
    atOnce(other.admit(optionsOf(0.9), OPENAI))
    expect(other.charge([])).toEqual([])
    expect(other.charge([spentAt({ dollars: 0.9 })])).toEqual([])
    atOnce(our.account().admit(optionsOf(1), OPENAI))
  })

  test('holds for a fallback what it may cost there, beside what may be spent already', () => {
    const our = budgetBench({ policies: [policy] })
    const call = our.account()
    const held = () => call.held().map(({ amount }) => amount / 1e9)
    atOnce(call.admit(optionsOf(0.5), OPENAI))
    call.attemptEnded(true, false)
    atOnce(call.admit(optionsOf(0.2, { target: AT_OTHER }), OTHER))
    expect(held()).toEqual([200])
    call.attemptEnded(true, true)
    atOnce(call.admit(optionsOf(0.3, { target: AT_OTHER }), OTHER))
    expect(held()).toEqual([500])
    call.attemptEnded(true, true)
    expect(refusalOf(() => call.admit(optionsOf(0.6, { target: AT_OTHER }), OTHER)).options.endsCall).toBe(false)
    expect(held()).toEqual([500])
    our.end(call, [{ target: AT_OTHER, dollars: 0.45 }])
    expect(used(our, policy)).toEqual([0.45])
    atOnce(our.account().admit(optionsOf(0.55), OPENAI))
  })

  test('of one target holds what the target may have cost once it was left', () => {
    const ofOpenai = budgetPolicy({
      enforcement: 'reserve',
      conditions: [{ key: 'provider', value: 'openai' }],
      groupBy: [],
    })
    const our = budgetBench({ policies: [ofOpenai] })
    const call = our.account()
    atOnce(call.admit(optionsOf(0.5), OPENAI))
    call.attemptEnded(true, true)
    atOnce(call.admit(optionsOf(0.25), OPENAI))
    call.attemptEnded(true, false)
    atOnce(call.admit(optionsOf(5, { target: AT_OTHER }), OTHER))
    expect(call.held().map(({ amount }) => amount / 1e9)).toEqual([500])
    our.end(call, [{ dollars: 0.4 }, { target: AT_OTHER, dollars: 3 }])
    expect(used(our, ofOpenai)).toEqual([0.4])
  })

  test.each([
    ['requests', 1],
    ['tokens', 1_000],
  ] as const)('holds %s: %d a call', (type, amount) => {
    const our = budgetBench({ policies: [budgetPolicy({ enforcement: 'reserve', type, limit: amount * 2 })] })
    const call = our.account()
    atOnce(call.admit(optionsOf(), OPENAI))
    call.attemptEnded(true, true)
    atOnce(call.admit(optionsOf(undefined, { target: AT_OTHER }), OTHER))
    // A call is one request, however often it is tried; its tokens add up.
    expect(call.held().map((each) => each.amount)).toEqual([type === 'requests' ? 1 : 2_000])
  })

  test('holds nothing where the price is not known, or refuses the call', () => {
    const refusing = budgetPolicy({ onUnknownPrice: 'refuse' })
    const allowing = budgetBench({ policies: [policy] })
    const call = allowing.account()
    atOnce(call.admit(optionsOf(undefined), OPENAI))
    expect(call.held()).toEqual([])
    const our = budgetBench({ policies: [refusing] })
    const { message, status, options } = refusalOf(() => our.account().admit(optionsOf(undefined), OPENAI))
    expect([status, options.endsCall, options.refusedBy]).toEqual([412, undefined, [refusing.id]])
    expect(message).toContain(
      `the model 'gpt' at openai is not known, and policy ${refusing.id} (api_key:key-1) refuses`,
    )
    atOnce(our.account().admit(optionsOf(0.1), OPENAI))
  })
})

describe('budgets of keys, workspaces and providers', () => {
  test.each([
    ['api_key', 'api_key_exhaust_error', 'call'],
    ['workspace', 'workspace_exhaust_error', 'call'],
    ['virtual_key', 'virtual_key_exhaust_error', 'target'],
    ['integration', 'integration_exhaust_error', 'target'],
  ] as const)('of a %s refuse with their own type', (owner, type, scope) => {
    const our = budgetBench()
    const budgets = [ownedBudgets(owner)]
    our.call({ dollars: 2 }, { budgets })
    const { options } = refusalOf(() => our.account().admit(optionsOf(0, { budgets }), OPENAI))
    expect(options).toMatchObject({ type, wireCode: '04', endsCall: scope === 'call', refusedBy: [`${owner}.cost`] })
    expect(options.budget?.policyId).toBeUndefined()
    const [budget] = budgets
    if (budget === undefined) throw new Error('there is no budget')
    expect(our.usage.ownedUsage(WORKSPACE, budget)).toMatchObject([{ used: 2, isExhausted: true }])
  })

  test('are charged with what their own targets cost', () => {
    const our = budgetBench()
    const [ofKey, ofProvider, ofOther] = [
      ownedBudgets('api_key'),
      ownedBudgets('virtual_key'),
      ownedBudgets('integration'),
    ]
    const call = our.account()
    atOnce(call.admit(optionsOf(0, { budgets: [ofKey, ofProvider] }), OPENAI))
    call.attemptEnded(true, true)
    atOnce(call.admit(optionsOf(0, { budgets: [ofKey, ofOther], target: AT_OTHER }), OTHER))
    const charges = call.charge([spentAt({ dollars: 0.25 }), spentAt({ target: AT_OTHER, dollars: 0.5 })])
    expect(charges.map(({ budgetId, amount }) => [budgetId, amount / 1e12])).toEqual([
      ['api_key.cost', 0.75],
      ['virtual_key.cost', 0.25],
      ['integration.cost', 0.5],
    ])
  })

  test('that many workspaces share count in each by itself', () => {
    const our = budgetBench()
    const budgets = [ownedBudgets('integration')]
    our.call({ dollars: 2 }, { budgets })
    atOnce(our.account({ workspaceId: 'another' }).admit(optionsOf(0, { budgets }), OPENAI))
  })
})

describe('budgets beside rate limits', () => {
  test('are asked in one question, and refuse together: nothing is counted then', () => {
    const policy = budgetPolicy({ enforcement: 'reserve' })
    const our = budgetBench({ policies: [policy], rateLimits: [rateLimit()] })
    const first = our.account()
    atOnce(first.admit(optionsOf(0.9), OPENAI))
    expect(our.asked()).toBe(1)
    refusalOf(() => our.account().admit(optionsOf(0.5), OPENAI))
    our.end(first, [{ dollars: 0.1 }])
    atOnce(our.account().admit(optionsOf(0.5), OPENAI))
    expect(() => our.account().admit(optionsOf(0.1), OPENAI)).toThrow(RateLimited)
    atOnce(our.account({ apiKeyId: 'key-2' }).admit(optionsOf(0.9), OPENAI))
  })

  test('are named first where both refuse, with the ids of all', () => {
    const policy = budgetPolicy({ enforcement: 'reserve' })
    const limit = rateLimit({ type: 'tokens', value: 600, reservation: 'max' })
    const our = budgetBench({ policies: [policy], rateLimits: [limit] })
    atOnce(our.account().admit(optionsOf(0.9), OPENAI))
    expect(refusalOf(() => our.account().admit(optionsOf(0.5), OPENAI)).options.refusedBy).toEqual([
      policy.id,
      limit.id,
    ])
  })
})

describe('the header', () => {
  test('tells what is left of the tightest budget', () => {
    const roomy = budgetPolicy({ dollars: 100 })
    const tight = budgetPolicy({
      type: 'tokens',
      limit: 1_200,
      enforcement: 'reserve',
      schedule: { every: 'month', since: { startMs: 0, setAtMs: 0 } },
    })
    const our = budgetBench({ policies: [roomy, tight] })
    const call = our.account()
    atOnce(call.admit(optionsOf(0.5), OPENAI))
    expect(call.headers().get(BUDGET_HEADER)).toBe(`200 tokens; budget=${tight.id}; reset=2026-12-01T00:00:00.000Z`)
    const refused = our.account()
    refusalOf(() => refused.admit(optionsOf(0.5), OPENAI))
    expect(refused.headers().get(BUDGET_HEADER)).toBe(`200 tokens; budget=${tight.id}; reset=2026-12-01T00:00:00.000Z`)
    const other = our.account({ apiKeyId: 'key-2' })
    atOnce(other.admit(optionsOf(0.5, { mostTokens: () => 1 }), OPENAI))
    expect(other.headers().get(BUDGET_HEADER)).toStartWith('1199 tokens; ')
  })

  test('is not there without a budget', () => {
    const call = budgetBench().account()
    atOnce(call.admit(optionsOf(), OPENAI))
    expect([...call.headers()]).toEqual([])
  })
})

test('groups beyond those that are told apart share one count', () => {
  const policy = budgetPolicy({ type: 'requests', limit: 2, conditions: [], groupBy: ['metadata.user'] })
  const our = budgetBench({ policies: [policy], maximumGroups: 1 })
  const as = (user: string) => our.call({}, {}, { metadata: { user } })
  for (const user of ['anna', 'bob', 'carol', 'anna']) as(user)
  for (const user of ['anna', 'dan']) expect(() => as(user)).toThrow('is used up')
})
