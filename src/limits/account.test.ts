import { describe, expect, test } from 'bun:test'
import type { AdmitOptions, CallAccount, CallFacts, OwnedLimits, TargetFacts } from '../core/limits.ts'
import { LimitsUnavailable, RateLimited, RequestExceedsLimit } from '../errors/gateway-error.ts'
import { type LimitStore, type Origin, StoreFailedClosed } from './away/limit-store.ts'
import type { LimitPolicy } from './match/policy.ts'
import type { LimitUsage } from './rate-limits.ts'
import { createRateLimits } from './rate-limits.ts'
import { createMemoryStore } from './ring/memory-store.ts'

const WORKSPACE = '0199b1de-0000-7000-8000-000000000001'
const SPENT_NOTHING = { reachedProvider: true, totalTokens: 0, outputTokens: 0 }

let ids = 0
const policy = (fields: Partial<LimitPolicy> = {}): LimitPolicy => ({
  id: `0199b1de-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
  organisationId: 'organisation',
  workspaceId: WORKSPACE,
  name: null,
  target: 'llm',
  conditions: [{ key: 'api_key', value: '*' }],
  groupBy: ['api_key'],
  type: 'requests',
  unit: 'rpm',
  value: 10,
  onStoreFailure: 'local',
  reservation: 'bounded',
  mode: 'enforce',
  ...fields,
})

interface Bench {
  account(facts?: Partial<CallFacts>): CallAccount
  readonly limits: ReturnType<typeof createRateLimits>
  /** Calls of the store's `admit`. */
  readonly asked: () => number
  advance(ms: number): void
  used(policy: LimitPolicy): Promise<number[]>
}

const bench = (policies: readonly LimitPolicy[], store: Partial<LimitStore> = {}): Bench => {
  let nowMs = 1_700_000_000_000
  let asked = 0
  const now = (): number => nowMs
  const memory = createMemoryStore({ now })
  const origin: Origin = 'shared'
  const limits = createRateLimits({
    policies: { list: () => policies },
    store: {
      admit(charges) {
        asked++
        return { ...memory.admit(charges), budgets: [], origin }
      },
      settle: (settlements) => memory.settle(settlements),
      release: () => undefined,
      peek: (charges) => ({ ...memory.peek(charges), budgets: [] }),
      groups: (limit, page) => memory.groups(limit, page),
      reset: (key) => memory.reset(key),
      state: 'memory',
      close: async () => undefined,
      ...store,
    },
    clock: { now, monotonicMs: now },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    maximumGroups: 1_000,
  })
  return {
    limits,
    account: (facts = {}) =>
      limits.open({
        organisationId: 'organisation',
        workspaceId: WORKSPACE,
        apiKeyId: 'key-1',
        metadata: {},
        endpointType: 'chatComplete',
        model: 'gpt',
        ...facts,
      }),
    asked: () => asked,
    advance(ms) {
      nowMs += ms
    },
    used: async (of) => (await usageOf(limits, of)).map(({ used }) => used),
  }
}

const usageOf = async (limits: LimitUsage, of: LimitPolicy) =>
  (await limits.usage(of, { offset: 0, limit: 100 })).groups

const options = (fields: Partial<AdmitOptions> = {}): AdmitOptions => ({
  owned: [],
  forecast: () => ({ inputTokens: 100, maxOutputTokens: 400 }),
  ...fields,
})

const OPENAI: TargetFacts = { provider: 'openai', model: 'gpt' }
const OTHER: TargetFacts = { provider: 'anthropic', model: 'claude' }

/** The store of these tests is in memory, so nothing has to be waited for. */
const atOnce = (admitted: void | Promise<void>): void => {
  if (admitted !== undefined) throw new Error('the answer came later')
}

/** What a refused call was refused with. */
const refusal = (run: () => void | Promise<void>): RateLimited => {
  try {
    atOnce(run())
  } catch (thrown) {
    if (thrown instanceof RateLimited) return thrown
    throw thrown
  }
  throw new Error('the call was let through')
}

describe('a call at one target', () => {
  test('is charged everything in one step, and nothing for further attempts', async () => {
    const ofCall = policy()
    const ofTarget = policy({ conditions: [{ key: 'provider', value: 'openai' }] })
    const { account, asked, used } = bench([ofCall, ofTarget])
    const call = account()
    for (let attempts = 0; attempts < 3; attempts++) {
      atOnce(call.admit(options(), OPENAI))
      call.attemptEnded(true)
    }
    call.settle(SPENT_NOTHING)
    expect(asked()).toBe(1)
    expect([await used(ofCall), await used(ofTarget)]).toEqual([[1], [1]])
  })

  test('that no provider was asked for counts nothing', async () => {
    const requests = policy()
    const tokens = policy({ type: 'tokens', value: 10_000 })
    const { account, used } = bench([requests, tokens])
    const call = account()
    atOnce(call.admit(options(), OPENAI))
    expect([await used(requests), await used(tokens)]).toEqual([[1], [500]])
    call.settle({ reachedProvider: false, totalTokens: 0, outputTokens: 0 })
    expect([await used(requests), await used(tokens)]).toEqual([[], []])
  })

  test('that a provider failed counts as a request and no tokens', async () => {
    const requests = policy()
    const tokens = policy({ type: 'tokens', value: 10_000 })
    const { account, used } = bench([requests, tokens])
    const call = account()
    atOnce(call.admit(options(), OPENAI))
    call.settle(SPENT_NOTHING)
    expect([await used(requests), await used(tokens)]).toEqual([[1], []])
  })

  test('without any limit asks no store', () => {
    const { account, asked } = bench([])
    expect(account().admit(options(), OPENAI)).toBeUndefined()
    expect(asked()).toBe(0)
  })
})

describe('a call with several targets', () => {
  test('is charged for itself once, and for each target that has a window of its own', async () => {
    const ofCall = policy()
    const byProvider = policy({ conditions: [{ key: 'provider', value: '*' }], groupBy: ['provider'] })
    const { account, limits, used } = bench([ofCall, byProvider])
    const call = account()
    for (const target of [OPENAI, OPENAI, OTHER]) {
      atOnce(call.admit(options(), target))
      call.attemptEnded(true)
    }
    call.settle(SPENT_NOTHING)
    expect(await used(ofCall)).toEqual([1])
    const groups = await usageOf(limits, byProvider)
    expect(groups.map(({ group, used: count }) => [group.provider, count]).toSorted()).toEqual([
      ['anthropic', 1],
      ['openai', 1],
    ])
  })

  test('gives back the tokens of an attempt that failed, and settles those of the one that worked', async () => {
    const tokens = policy({
      type: 'tokens',
      value: 10_000,
      conditions: [{ key: 'provider', value: '*' }],
      groupBy: ['provider'],
    })
    const { account, limits } = bench([tokens])
    const call = account()
    atOnce(call.admit(options(), OPENAI))
    call.attemptEnded(true)
    atOnce(call.admit(options(), OTHER))
    call.settle({ reachedProvider: true, totalTokens: 777, outputTokens: 677 })
    const groups = await usageOf(limits, tokens)
    expect(groups.map(({ group, used }) => [group.provider, used])).toEqual([['anthropic', 777]])
  })

  test('keeps the request of a target that was asked, and gives back that of one that was not', async () => {
    const byProvider = policy({ conditions: [{ key: 'provider', value: '*' }], groupBy: ['provider'] })
    for (const wasAsked of [true, false]) {
      const { account, limits } = bench([byProvider])
      const call = account()
      atOnce(call.admit(options(), OPENAI))
      call.attemptEnded(wasAsked)
      atOnce(call.admit(options(), OTHER))
      call.settle(SPENT_NOTHING)
      const groups = (await usageOf(limits, byProvider)).map(({ group }) => group.provider)
      expect(groups).toEqual(wasAsked ? ['openai', 'anthropic'] : ['anthropic'])
    }
  })

  test('that none of them admits is charged nothing', async () => {
    const ofCall = policy({ type: 'tokens', value: 10_000 })
    const byProvider = policy({ conditions: [{ key: 'provider', value: '*' }], groupBy: ['provider'], value: 1 })
    const { account, used } = bench([ofCall, byProvider])
    for (const target of [OPENAI, OTHER]) atOnce(account().admit(options(), target))
    const before = await used(ofCall)
    const call = account()
    for (const target of [OPENAI, OTHER]) {
      expect(refusal(() => call.admit(options(), target)).options).toMatchObject({ endsCall: false })
    }
    call.settle({ reachedProvider: false, totalTokens: 0, outputTokens: 0 })
    expect([await used(ofCall), await used(byProvider)]).toEqual([before, [1, 1]])
  })

  test('a refusal of one target is that of this target alone', async () => {
    const ofCall = policy()
    const ofOpenai = policy({ conditions: [{ key: 'provider', value: 'openai' }], value: 1 })
    const { account, used } = bench([ofCall, ofOpenai])
    const first = account()
    atOnce(first.admit(options(), OPENAI))
    first.settle(SPENT_NOTHING)
    const second = account()
    const refused = refusal(() => second.admit(options(), OPENAI)).options
    expect(refused).toMatchObject({ endsCall: false, rateLimit: { policyId: ofOpenai.id } })
    atOnce(second.admit(options(), OTHER))
    second.settle(SPENT_NOTHING)
    expect([await used(ofCall), await used(ofOpenai)]).toEqual([[2], [1]])
  })

  test('a refusal of a limit that looks at the call alone ends the call', () => {
    const ofCall = policy({ value: 1 })
    const ofOpenai = policy({ conditions: [{ key: 'provider', value: 'openai' }], value: 1 })
    const { account } = bench([ofOpenai, ofCall])
    atOnce(account().admit(options(), OPENAI))
    expect(refusal(() => account().admit(options(), OTHER)).options.endsCall).toBe(true)
    expect(refusal(() => account().admit(options(), OPENAI)).options.endsCall).toBe(true)
    const closed = bench([policy({ onStoreFailure: 'closed' })], {
      admit: () => {
        throw new StoreFailedClosed()
      },
    })
    expect(() => closed.account().admit(options(), OPENAI)).toThrow(
      expect.objectContaining({ options: expect.objectContaining({ endsCall: true }) }),
    )
  })
})

describe('a refusal', () => {
  test('names the first limit, and the time after which all have room', () => {
    const minute = policy({ value: 1 })
    const hour = policy({ value: 1, unit: 'rph' })
    const { account, advance } = bench([minute, hour])
    atOnce(account().admit(options(), OPENAI))
    const refused = refusal(() => account().admit(options(), OPENAI))
    expect(refused.options.rateLimit).toMatchObject({ policyId: minute.id, limit: 1, used: 1, requested: 1 })
    expect(refused.message).toContain(minute.id)
    const waitMs = refused.options.retryAfterMs ?? 0
    expect(waitMs).toBeGreaterThan(3_600_000)
    advance(waitMs - 1)
    refusal(() => account().admit(options(), OPENAI))
    advance(1)
    atOnce(account().admit(options(), OPENAI))
  })

  test('is repeated for a moment without asking the store, with the time that is left', () => {
    const { account, advance, asked } = bench([policy({ value: 1 })])
    atOnce(account().admit(options(), OPENAI))
    const first = refusal(() => account().admit(options(), OPENAI))
    advance(100)
    const second = refusal(() => account().admit(options(), OPENAI))
    expect(asked()).toBe(2)
    expect(second.options.retryAfterMs).toBe((first.options.retryAfterMs ?? 0) - 100)
    advance(150)
    refusal(() => account().admit(options(), OPENAI))
    expect(asked()).toBe(3)
  })

  test('is forgotten when tokens are given back', () => {
    const { account } = bench([policy({ type: 'tokens', value: 600, reservation: 'max' })])
    const first = account()
    atOnce(first.admit(options(), OPENAI))
    refusal(() => account().admit(options(), OPENAI))
    first.settle({ reachedProvider: true, totalTokens: 20, outputTokens: 10 })
    atOnce(account().admit(options(), OPENAI))
  })

  test('of a call that can never fit is another error', () => {
    const { account } = bench([policy({ type: 'tokens', value: 499, reservation: 'max' })])
    expect(() => account().admit(options(), OPENAI)).toThrow(RequestExceedsLimit)
  })

  test('of a limit that must be asked and cannot says so', async () => {
    const closed = bench([policy()], {
      admit: () => {
        throw new StoreFailedClosed()
      },
    })
    expect(() => closed.account().admit(options(), OPENAI)).toThrow(LimitsUnavailable)
    const later = bench([policy()], { admit: () => Promise.reject(new StoreFailedClosed()) })
    await expect(Promise.resolve(later.account().admit(options(), OPENAI))).rejects.toBeInstanceOf(LimitsUnavailable)
  })
})

describe('limits of keys, workspaces and providers', () => {
  const owned = (value: number, more: Partial<OwnedLimits> = {}): readonly OwnedLimits[] => [
    { owner: 'api_key', id: 'key-1', limits: [{ type: 'requests', unit: 'rps', value }], ...more },
  ]

  test('refuse under their own names', () => {
    const names = { api_key: 'api_key', workspace: 'workspace', virtual_key: 'virtual_key', integration: 'integration' }
    for (const owner of Object.values(names) as OwnedLimits['owner'][]) {
      const { account } = bench([])
      const limited = options({ owned: owned(1, { owner }) })
      atOnce(account().admit(limited, OPENAI))
      expect(refusal(() => account().admit(limited, OPENAI)).options.type).toBe(`${owner}_rate_limit_error`)
    }
  })

  test('0 lets nothing through, and asks nobody to come again', () => {
    const { account } = bench([])
    expect(refusal(() => account().admit(options({ owned: owned(0) }), OPENAI)).options.retryAfterMs).toBeUndefined()
  })

  test('a call that asks no model is charged nothing and refused by nothing but 0', async () => {
    const limit = policy({ value: 1 })
    const { account, asked, used } = bench([limit])
    const free = options({ owned: owned(1), isFree: true })
    for (let calls = 0; calls < 3; calls++) {
      const reading = account()
      atOnce(reading.admit(free, OPENAI))
      reading.settle({ reachedProvider: true, totalTokens: 9, outputTokens: 9 })
      expect([...reading.headers()]).toEqual([])
    }
    expect([asked(), await used(limit)]).toEqual([0, []])
    const off = options({ owned: owned(0), isFree: true })
    expect(refusal(() => account().admit(off, OPENAI)).options.type).toBe('api_key_rate_limit_error')
  })

  test('of two for the same unit the smaller counts', () => {
    const { account } = bench([])
    const limits = [
      { type: 'requests', unit: 'rpm', value: 5 },
      { type: 'requests', unit: 'rpm', value: 1 },
    ] as const
    const limited = options({ owned: owned(0, { limits }) })
    atOnce(account().admit(limited, OPENAI))
    expect(refusal(() => account().admit(limited, OPENAI)).options.rateLimit?.limit).toBe(1)
  })
})

describe('what callers are told', () => {
  test('the tightest limit of each type, and the three tightest of all', () => {
    const { account } = bench([
      policy({ value: 100 }),
      policy({ value: 2, unit: 'rph' }),
      policy({ type: 'tokens', value: 10_000 }),
      policy({ value: 50 }),
      policy({ value: 7, mode: 'shadow' }),
    ])
    const call = account()
    atOnce(call.admit(options(), OPENAI))
    const headers = call.headers()
    expect(headers.get('x-ratelimit-limit-requests')).toBe('2')
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('1')
    expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^1h0m\d+s$|^60m\d+s$/)
    expect(headers.get('x-ratelimit-limit-tokens')).toBe('10000')
    expect(headers.get('x-ratelimit-remaining-tokens')).toBe('9500')
    expect(headers.get('ratelimit-policy')?.split(', ')).toHaveLength(3)
    expect(headers.get('ratelimit')).toMatch(/^"[\w-]{12}";r=1;t=\d+, /)
    expect(headers.has('x-gateway-rate-limit-mode')).toBe(false)
  })

  test('nothing without a limit', () => {
    const call = bench([]).account()
    atOnce(call.admit(options(), OPENAI))
    expect([...call.headers()]).toEqual([])
  })

  test('which limits in shadow mode would have refused', () => {
    const shadow = policy({ value: 1, mode: 'shadow' })
    const { account } = bench([shadow])
    atOnce(account().admit(options(), OPENAI))
    const second = account()
    atOnce(second.admit(options(), OPENAI))
    expect(second.shadowRefusals).toEqual([shadow.id])
    expect(second.headers().get('x-gateway-rate-limit-shadow')).toBe(shadow.id)
  })
})

describe('tokens that are held back', () => {
  const weight = async (reservation: LimitPolicy['reservation'], forecast: AdmitOptions['forecast']) => {
    const tokens = policy({ type: 'tokens', value: 100_000, reservation })
    const { account, used } = bench([tokens])
    atOnce(account().admit(options({ forecast }), OPENAI))
    return (await used(tokens))[0] ?? 0
  }

  test('follow the reservation', async () => {
    const bounded = () => ({ inputTokens: 10, maxOutputTokens: 20_000 })
    const open = () => ({ inputTokens: 10 })
    expect(await weight('max', bounded)).toBe(20_010)
    expect(await weight('max', open)).toBe(4_106)
    expect(await weight('bounded', bounded)).toBe(4_106)
    expect(await weight('input', bounded)).toBe(10)
    expect(await weight('post', bounded)).toBe(0)
  })

  test('learn from what calls used', async () => {
    const tokens = policy({ type: 'tokens', value: 1_000_000 })
    const { account, used, limits } = bench([tokens])
    const forecast = () => ({ inputTokens: 0, maxOutputTokens: 100_000 })
    for (let calls = 0; calls < 40; calls++) {
      const call = account()
      atOnce(call.admit(options({ forecast }), OPENAI))
      call.settle({ reachedProvider: true, totalTokens: 500, outputTokens: 500 })
    }
    await limits.reset(tokens, { api_key: 'key-1' })
    atOnce(account().admit(options({ forecast }), OPENAI))
    expect(await used(tokens)).toEqual([500])
  })

  test('beyond them a call adds debt, which the next ones wait for', async () => {
    const tokens = policy({ type: 'tokens', value: 1_000, reservation: 'input' })
    const { account, used } = bench([tokens])
    const call = account()
    atOnce(call.admit(options(), OPENAI))
    call.settle({ reachedProvider: true, totalTokens: 5_000, outputTokens: 4_900 })
    expect(await used(tokens)).toEqual([5_000])
    refusal(() => account().admit(options(), OPENAI))
  })
})

describe('the dry run', () => {
  test('gives each verdict and the answer, and counts nothing', async () => {
    const full = policy({ value: 1 })
    const strange = policy({ conditions: [{ key: 'metadata.plan', value: 'free' }] })
    const { account, limits, used } = bench([full, strange])
    atOnce(account().admit(options(), OPENAI))
    const facts: CallFacts = {
      organisationId: 'organisation',
      workspaceId: WORKSPACE,
      apiKeyId: 'key-1',
      metadata: {},
      endpointType: 'chatComplete',
    }
    const explained = await limits.dryRun(facts, [{ facts: OPENAI, options: options() }])
    expect(explained).toMatchObject({ allowed: false, status: 429 })
    const [target] = explained.targets
    expect(target?.message).toContain(full.id)
    expect(target?.limits).toMatchObject([
      { id: full.id, matches: true, used: 1, remaining: 0, weight: 1, wouldRefuse: true },
      { id: strange.id, matches: false, conditions: [{ key: 'metadata.plan', actual: null, holds: false }] },
    ])
    expect(await used(full)).toEqual([1])
    const other = await limits.dryRun({ ...facts, apiKeyId: 'key-2' }, [{ facts: OPENAI, options: options() }])
    expect(other).toMatchObject({ allowed: true, status: 200 })
  })
})
