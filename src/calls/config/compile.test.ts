import { describe, expect, test } from 'bun:test'
import { StepBudget } from '../../core/step-budget.ts'
import type { Branch, Leaf, Plan } from '../../kit/plan.ts'
import { compileConfig } from './compile.ts'
import { completePlan } from './complete.ts'
import { THEN } from './fields.ts'
import { toCache, toRetry } from './policies.ts'
import { readCallConfig } from './read.ts'

const compile = (config: unknown): Plan => compileConfig(readCallConfig(config, { settingNames: new Set(['region']) }))

const leaves = (config: unknown): readonly Leaf[] => compile(config).leaves

const branch = (config: unknown): Branch => {
  const { root } = compile(config)
  if (root.kind === 'leaf') throw new Error('the plan is one leaf')
  return root
}

const BREAKER = { failure_threshold: 3 }

describe('a leaf', () => {
  test('is all of a flat config', () => {
    const plan = compile({
      name: 'n',
      provider: 'openai',
      api_key: 'sk-1',
      custom_host: 'https://host.example',
      region: 'eu',
      override_params: { a: 1 },
      default_params: { b: 1 },
      drop_params: ['c'],
      request_timeout: 5,
      first_token_timeout: 6,
      forward_headers: ['x-a'],
      strict_open_ai_compliance: false,
      prompt_id: 'pp-1',
      retry: { attempts: 1 },
      cache: 'simple',
    })
    const leaf: Leaf = {
      kind: 'leaf',
      path: 'config',
      name: 'n',
      provider: 'openai',
      apiKey: 'sk-1',
      customHost: 'https://host.example',
      settings: { region: 'eu' },
      overrideParams: { a: 1 },
      defaultParams: { b: 1 },
      dropParams: ['c'],
      requestTimeoutMs: 5,
      firstTokenTimeoutMs: 6,
      forwardHeaders: ['x-a'],
      strict: false,
      promptId: 'pp-1',
      retry: { attempts: 1, onStatusCodes: new Set([429, 500, 502, 503, 504, 529]) },
      cache: { mode: 'simple', maxAgeSeconds: 604_800 },
    }
    expect(plan).toEqual({ root: leaf, leaves: [leaf], usesCache: true, usesBreakers: false })
    expect(compile({ provider: 'a' }).root).toEqual({ kind: 'leaf', path: 'config', provider: 'a', settings: {} })
  })

  test('stands for a target by its path', () => {
    const plan = compile({
      strategy: { mode: 'fallback' },
      targets: [
        { provider: 'a' },
        { strategy: { mode: 'loadbalance' }, targets: [{ provider: 'b' }, { provider: 'c' }] },
      ],
    })
    expect(plan.leaves.map(({ path }) => path)).toEqual([
      'config.targets[0]',
      'config.targets[1].targets[0]',
      'config.targets[1].targets[1]',
    ])
    expect(plan.usesCache).toBe(false)
    expect(plan.usesBreakers).toBe(false)
  })
})

describe('what a target inherits', () => {
  test('the nearest word counts; parameters and settings are merged', () => {
    const [first, second] = leaves({
      name: 'root',
      weight: 3,
      strategy: { mode: 'fallback' },
      retry: { attempts: 1 },
      cache: 'simple',
      request_timeout: 10,
      first_token_timeout: 10,
      custom_host: 'https://root.example',
      forward_headers: ['x-root'],
      strict_open_ai_compliance: false,
      region: 'root',
      override_params: { a: 1, b: 1 },
      default_params: { c: 1, d: 1 },
      drop_params: ['root'],
      targets: [
        {},
        {
          retry: { attempts: 2 },
          cache: 'semantic',
          request_timeout: 20,
          first_token_timeout: 20,
          custom_host: 'https://own.example',
          forward_headers: ['x-own'],
          strict_open_ai_compliance: true,
          region: 'own',
          override_params: { b: 2 },
          default_params: { d: 2 },
          drop_params: ['own'],
        },
      ],
    })
    expect(first).toMatchObject({
      retry: { attempts: 1 },
      cache: { mode: 'simple' },
      requestTimeoutMs: 10,
      firstTokenTimeoutMs: 10,
      customHost: 'https://root.example',
      forwardHeaders: ['x-root'],
      strict: false,
      settings: { region: 'root' },
      overrideParams: { a: 1, b: 1 },
      defaultParams: { c: 1, d: 1 },
      dropParams: ['root'],
    })
    expect(first?.name).toBeUndefined()
    expect(second).toMatchObject({
      retry: { attempts: 2 },
      cache: { mode: 'semantic' },
      requestTimeoutMs: 20,
      firstTokenTimeoutMs: 20,
      customHost: 'https://own.example',
      forwardHeaders: ['x-own'],
      strict: true,
      settings: { region: 'own' },
      overrideParams: { a: 1, b: 2 },
      defaultParams: { c: 1, d: 2 },
      dropParams: ['own'],
    })
  })

  test('a host of one target never reaches another', () => {
    const [first, second] = leaves({
      strategy: { mode: 'fallback' },
      targets: [{ provider: 'a', custom_host: 'https://own.example' }, { provider: 'b' }],
    })
    expect([first?.customHost, second?.customHost]).toEqual(['https://own.example', undefined])
  })

  const places: readonly (readonly [string, unknown, unknown, Partial<Leaf>])[] = [
    ['provider and key together', { provider: 'a', api_key: 'k' }, {}, { provider: 'a', apiKey: 'k' }],
    ['a virtual key', { virtual_key: 'v' }, {}, { virtualKey: 'v' }],
    [
      'its own provider, and then no key of another one',
      { provider: 'a', api_key: 'k' },
      { provider: 'b' },
      { provider: 'b' },
    ],
    ['nor with a virtual key', { provider: 'a', api_key: 'k' }, { virtual_key: 'v' }, { virtualKey: 'v' }],
    [
      'nor with a provider in its model',
      { provider: 'a', api_key: 'k' },
      { override_params: { model: '@b/m' } },
      { overrideParams: { model: '@b/m' } },
    ],
    [
      'its own key for the provider above',
      { provider: 'a', api_key: 'k' },
      { api_key: 'l' },
      { provider: 'a', apiKey: 'l' },
    ],
    ['a key that stands alone above', { api_key: 'k' }, { provider: 'b' }, { provider: 'b', apiKey: 'k' }],
    ['a provider instead of the virtual key above', { virtual_key: 'v' }, { provider: 'b' }, { provider: 'b' }],
  ]
  test.each(places)('%s', (_, root, target, expected) => {
    const [leaf] = leaves({ ...(root as object), targets: [target] })
    expect(leaf).toEqual({ kind: 'leaf', path: 'config.targets[0]', settings: {}, ...expected } as Leaf)
  })
})

describe('a branch', () => {
  test('of mode single has its first target', () => {
    expect(branch({ targets: [{ provider: 'a' }] })).toMatchObject({
      mode: 'single',
      path: 'config',
    })
    const { children } = branch({ strategy: { mode: 'single' }, targets: [{ provider: 'a' }, { provider: 'b' }] })
    expect(children.map(({ path }) => path)).toEqual(['config.targets[0]'])
  })

  test('of mode fallback has its codes, when there are some', () => {
    const targets = [{ provider: 'a' }]
    expect(branch({ strategy: { mode: 'fallback' }, targets })).toMatchObject({
      mode: 'fallback',
      onContentRefusal: false,
    })
    expect(branch({ strategy: { mode: 'fallback' }, targets })).not.toHaveProperty('onStatusCodes')
    expect(branch({ strategy: { mode: 'fallback', on_status_codes: [] }, targets })).not.toHaveProperty('onStatusCodes')
    expect(
      branch({ strategy: { mode: 'fallback', on_status_codes: [429, 246], on_content_refusal: true }, targets }),
    ).toMatchObject({ onStatusCodes: new Set([429, 246]), onContentRefusal: true })
  })

  test('of mode loadbalance has a weight for each target, and may stick', () => {
    const targets = [{ weight: 0.5 }, {}, { weight: 0 }]
    expect(branch({ strategy: { mode: 'loadbalance' }, targets })).toMatchObject({ weights: [0.5, 1, 0] })
    const sticky = (value: unknown) => branch({ strategy: { mode: 'loadbalance', sticky: value }, targets })
    expect(sticky({ enabled: true })).toMatchObject({ sticky: { hashFields: [], ttlSeconds: 3_600 } })
    expect(sticky({ enabled: true, hash_fields: ['params.user'], ttl: 60 })).toMatchObject({
      sticky: { hashFields: ['params.user'], ttlSeconds: 60 },
    })
    expect(sticky({ enabled: false })).not.toHaveProperty('sticky')
  })

  test('of mode conditional finds its targets by name', () => {
    const plan = branch({
      strategy: {
        mode: 'conditional',
        conditions: [
          { query: { 'metadata.a': '1' }, [THEN]: 'two' },
          { query: { 'metadata.a': '2' }, [THEN]: 'one' },
        ],
        default: 'two',
      },
      targets: [{ name: 'one' }, {}, { name: 'two' }],
    })
    if (plan.mode !== 'conditional') throw new Error(plan.mode)
    expect([...plan.conditions.map(({ then }) => then), plan.otherwise]).toEqual([2, 0, 2])
    const subject = { metadata: { a: '2' }, params: {}, pathname: '/', searchBudget: new StepBudget(1_000) }
    expect(plan.conditions.map(({ query }) => query.holds(subject))).toEqual([false, true])
  })

  test('hands its breaker and its way to recover down, but for conditions, which know no breaker', () => {
    const inner = (mode: string, strategy: object = {}) => ({
      name: 'x',
      strategy: {
        mode,
        ...(mode === 'conditional' ? { conditions: [{ query: {}, [THEN]: 'x' }], default: 'x' } : {}),
        ...strategy,
      },
      targets: [{ name: 'x', strategy: { mode: 'fallback' }, targets: [{}] }],
    })
    const root = branch({
      strategy: { mode: 'fallback', cb_config: BREAKER, stream_recovery: 'restart' },
      targets: [
        inner('loadbalance'),
        inner('conditional'),
        inner('fallback', {
          cb_config: {
            failure_threshold_percentage: 5,
            minimum_requests: 1,
            failure_status_codes: [429],
            cooldown_interval: 60_000,
          },
          stream_recovery: 'continue',
        }),
      ],
    })
    const breaker = { failureThreshold: 3, minimumRequests: 5, cooldownMs: 30_000 }
    expect(root.breaker).toEqual(breaker)
    const [balance, conditional, own] = root.children
    expect(balance).toMatchObject({ breaker, streamRecovery: 'restart' })
    expect(conditional).not.toHaveProperty('breaker')
    expect(conditional).toMatchObject({ streamRecovery: 'restart', children: [{ breaker }] })
    expect(own).toMatchObject({
      streamRecovery: 'continue',
      breaker: {
        failureThresholdPercentage: 5,
        minimumRequests: 1,
        cooldownMs: 60_000,
        failureStatusCodes: new Set([429]),
      },
    })
    expect(own?.kind === 'branch' && own.breaker).not.toHaveProperty('failureThreshold')
  })
})

describe('bounds', () => {
  test('retries are cut, ages outside theirs count as none, time-outs end with the day', () => {
    expect(toRetry({ attempts: 9, on_status_codes: [], use_retry_after_header: true })).toMatchObject({
      attempts: 5,
      useRetryAfterHeader: true,
    })
    expect(toRetry({ attempts: 0, on_status_codes: [418] }).onStatusCodes).toEqual(new Set([418]))
    const age = (maxAge: number) => toCache({ mode: 'simple', max_age: maxAge }).maxAgeSeconds
    expect([59, 60, 7_776_000, 7_776_001, 100.9, -1].map(age)).toEqual([604_800, 60, 7_776_000, 604_800, 100, 604_800])
    const [leaf] = leaves({ request_timeout: 3_000_000_000, first_token_timeout: 3_000_000_000 })
    expect([leaf?.requestTimeoutMs, leaf?.firstTokenTimeoutMs]).toEqual([86_400_000, 86_400_000])
  })
})

test('a plan is completed only where its leaves do not speak', () => {
  const plan = compile({
    strategy: { mode: 'fallback' },
    targets: [{ provider: 'a' }, { provider: 'b', retry: { attempts: 0 } }],
  })
  const retry = toRetry({ attempts: 4 })
  const retried = completePlan(plan, { retry })
  expect(retried.leaves.map((leaf) => leaf.retry?.attempts)).toEqual([4, 0])
  expect(retried.usesCache).toBe(false)
  const cached = completePlan(plan, { cache: toCache({ mode: 'simple' }) })
  expect(cached.usesCache).toBe(true)
  expect(cached.root).toMatchObject({ mode: 'fallback', children: [{ cache: { mode: 'simple' } }, { provider: 'b' }] })
  expect(plan.leaves[0]).not.toHaveProperty('retry')
})
