import { describe, expect, test } from 'bun:test'
import { type GatewayError, InvalidConfig, type Violation } from '../../errors/gateway-error.ts'
import { THEN } from './fields.ts'
import { GUARDRAIL_LISTS, isGuardrailList } from './guardrail-fields.ts'
import { readCallConfig } from './read.ts'

const read = (config: unknown) => readCallConfig(config, { settingNames: new Set(['acme_region']) })

const when = (query: unknown, target: string) => ({ query, [THEN]: target })

const refusal = (config: unknown): GatewayError => {
  try {
    read(config)
  } catch (thrown) {
    if (thrown instanceof InvalidConfig) return thrown
    throw thrown
  }
  throw new Error('the config was accepted')
}

const violations = (config: unknown): readonly Violation[] => refusal(config).options.violations ?? []

const WHOLE = {
  strategy: {
    mode: 'fallback',
    on_status_codes: [429, 246],
    cb_config: {
      failure_threshold: 3,
      failure_threshold_percentage: 50,
      cooldown_interval: 30_000,
      failure_status_codes: [500],
      minimum_requests: 10,
    },
    stream_recovery: 'continue',
    on_content_refusal: true,
  },
  retry: { attempts: 3, on_status_codes: [429], use_retry_after_header: true },
  cache: { mode: 'semantic', max_age: 60 },
  request_timeout: 1000,
  first_token_timeout: 500,
  custom_host: 'https://host.example/v1',
  forward_headers: ['x-tenant'],
  strict_open_ai_compliance: false,
  fetch_integrated_models: true,
  passthrough: false,
  override_params: { model: 'm', maxTokens: 5 },
  default_params: { topP: 1 },
  drop_params: ['messages[*].name'],
  input_guardrails: ['guard_1'],
  output_guardrails: [],
  before_request_hooks: [],
  after_request_hooks: [],
  input_mutators: [],
  output_mutators: [],
  targets: [
    { name: 'a', provider: 'openai', api_key: 'sk-1', weight: 0.5 },
    { virtual_key: 'team', prompt_id: 'pp-1', azure_resource_name: 'res', acme_region: 'eu' },
    {
      strategy: {
        mode: 'loadbalance',
        sticky: { enabled: true, hash_fields: ['metadata.user', 'headers.x-a'], ttl: 5 },
      },
      targets: [{ provider: '@b', weight: 0 }, { provider: '@c' }],
    },
    {
      strategy: {
        mode: 'conditional',
        conditions: [when({ 'metadata.plan': 'gold' }, 'one')],
        default: 'two',
      },
      targets: [
        { name: 'one', provider: 'a' },
        { name: 'two', strategy: { mode: 'single' }, targets: [{ provider: 'b' }] },
      ],
    },
  ],
}

describe('a config', () => {
  test('may have every field of the interface', () => {
    const { targets, ...root } = read(WHOLE)
    const { targets: written, ...fields } = WHOLE
    const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !isGuardrailList(name)))
    const guardrails = {
      ...Object.fromEntries(Object.keys(GUARDRAIL_LISTS).map((name) => [name, []])),
      input_guardrails: [{ kind: 'stored', reference: 'guard_1', path: 'input_guardrails[0]' }],
    }
    expect(root).toEqual({ ...rest, guardrails, settings: {} } as unknown as typeof root)
    expect(targets?.length).toBe(written.length)
    const { azure_resource_name, acme_region, ...second } = written[1] ?? {}
    expect(targets?.[1]).toEqual({ ...second, settings: { resource_name: 'res', acme_region: 'eu' } } as never)
    expect(targets?.[3]?.targets?.[1]).toEqual({
      name: 'two',
      strategy: { mode: 'single' },
      settings: {},
      targets: [{ provider: 'b', settings: {} }],
    })
  })

  test('reads the spellings of its keys, and no others', () => {
    expect(
      read({
        requestTimeout: 1,
        strictOpenAICompliance: false,
        acmeRegion: 'eu',
        retry: { attempts: 1, onStatusCodes: [500], useRetryAfterHeaders: true },
        cache: { mode: 'simple', maxAge: 100 },
        overrideParams: { maxTokens: 5, metadata: { someKey: 1 } },
        strategy: { mode: 'fallback', onStatusCodes: [429], cbConfig: { failureThreshold: 1 } },
        targets: [{ virtualKey: 'a' }],
      }),
    ).toEqual({
      request_timeout: 1,
      strict_open_ai_compliance: false,
      settings: { acme_region: 'eu' },
      retry: { attempts: 1, on_status_codes: [500], use_retry_after_header: true },
      cache: { mode: 'simple', max_age: 100 },
      override_params: { maxTokens: 5, metadata: { someKey: 1 } },
      strategy: { mode: 'fallback', on_status_codes: [429], cb_config: { failure_threshold: 1 } },
      targets: [{ virtual_key: 'a', settings: {} }],
    })
  })

  test('knows the place at Azure by its longer names too', () => {
    const settings = { resource_name: 'r', deployment_id: 'd', api_version: 'v1' }
    expect(read({ azure_resource_name: 'r', azure_deployment_id: 'd', azure_api_version: 'v1' }).settings).toEqual(
      settings,
    )
    expect(read({ azureResourceName: 'r', deploymentId: 'd', azureApiVersion: 'v1' }).settings).toEqual(settings)
    expect(() => read({ azure_resource_name: 'r', resource_name: 's' })).toThrow('is there twice')
  })

  test('has a short form for its cache', () => {
    expect(read({ cache: 'simple' }).cache).toEqual({ mode: 'simple' })
  })

  test('may give a key file as an object, and needs no strategy for one target', () => {
    expect(read({ vertex_service_account_json: { a: 1 } }).settings).toEqual({ vertex_service_account_json: '{"a":1}' })
    expect(read({ targets: [{ provider: 'a' }] }).targets?.length).toBe(1)
    expect(read({ strategy: { mode: 'single' }, targets: [{}, {}] }).targets?.length).toBe(2)
  })

  test('does not change what it was given', () => {
    const config = structuredClone(WHOLE)
    read(config)
    expect(config).toEqual(WHOLE)
  })
})

describe('every violation is listed, by the place where its author finds it', () => {
  const table: readonly (readonly [string, unknown, readonly Violation[]])[] = [
    ['a list', [], [{ path: '', message: expect.stringContaining('must be an object') }]],
    ['nothing', {}, [{ path: '', message: expect.stringContaining('must say something') }]],
    ['only a name', { name: 'a', weight: 1 }, [{ path: '', message: expect.stringContaining('must say something') }]],
    ['a typo', { provder: 'a' }, [{ path: 'provder', message: "unknown key; did you mean 'provider'?" }]],
    [
      'a typo of a setting',
      { acmeRegon: 'a' },
      [{ path: 'acmeRegon', message: "unknown key; did you mean 'acme_region'?" }],
    ],
    ['a strange key', { zzzzzzzzzzzzzz: 1 }, [{ path: 'zzzzzzzzzzzzzz', message: 'unknown key' }]],
    [
      'another config',
      { targets: ['pc-other-123456'] },
      [{ path: 'targets[0]', message: expect.stringContaining('cannot name another config') }],
    ],
    [
      'words of version 1.0',
      { mode: 'single', options: [], targets: [{}] },
      [
        { path: 'mode', message: 'belongs into `strategy`' },
        { path: 'options', message: 'is of version 1.0: write `targets`' },
      ],
    ],
    [
      'a key twice',
      { api_key: 'a', apiKey: 'b' },
      [{ path: 'apiKey', message: "is there twice, as 'api_key' and as 'apiKey'" }],
    ],
    [
      'several',
      { requestTimeout: 0, retry: { attempts: -1, onStatusCodes: [99] }, targets: [{ weight: -1 }, { provider: 5 }] },
      [
        { path: 'targets[0].weight', message: 'expected number to be greater or equal to 0' },
        { path: 'targets[1].provider', message: 'expected string' },
        { path: '', message: 'needs a strategy to choose among its targets' },
        { path: 'requestTimeout', message: 'expected integer to be greater or equal to 1' },
        { path: 'retry.attempts', message: 'expected integer to be greater or equal to 0' },
        { path: 'retry.onStatusCodes[0]', message: 'expected integer to be greater or equal to 100' },
      ],
    ],
    [
      'a cache that does not exist',
      { cache: 'total' },
      [{ path: 'cache', message: 'must be one of: simple, semantic' }],
    ],
    [
      'a cache in the long form',
      { cache: { mode: 'total' } },
      [{ path: 'cache.mode', message: 'must be one of: simple, semantic' }],
    ],
    ['a setting', { acmeRegion: 5 }, [{ path: 'acmeRegion', message: 'must be a string' }]],
    [
      'a hook',
      { beforeRequestHooks: [{ onFial: {} }] },
      [{ path: 'beforeRequestHooks[0].onFial', message: "unknown key; did you mean 'on_fail'?" }],
    ],
    ['a guardrail', { input_guardrails: [5] }, [{ path: 'input_guardrails[0]', message: expect.any(String) }]],
    [
      'a header that carries keys',
      { forward_headers: ['x-ok', 'Authorization'] },
      [{ path: 'forward_headers[1]', message: 'is a header that cannot be forwarded' }],
    ],
    [
      'a header of ours',
      { forwardHeaders: ['x-gateway-forward-headers'] },
      [{ path: 'forwardHeaders[0]', message: 'is a header that cannot be forwarded' }],
    ],
    ['no targets', { targets: [] }, [{ path: 'targets', message: 'must be an array with at least one target' }]],
    [
      'targets of another kind',
      { targets: {} },
      [{ path: 'targets', message: 'must be an array with at least one target' }],
    ],
    [
      'a strategy of another kind',
      { strategy: 'single', targets: [{}] },
      [{ path: 'strategy', message: 'must be an object' }],
    ],
    [
      'a strategy without targets',
      { provider: 'a', strategy: { mode: 'fallback' } },
      [{ path: 'strategy', message: "of mode 'fallback' needs `targets`" }],
    ],
    [
      'a strategy without a mode',
      { strategy: {}, targets: [{}] },
      [
        { path: 'strategy.mode', message: 'expected required property' },
        { path: 'strategy.mode', message: expect.stringContaining('must be one of: single') },
      ],
    ],
    [
      'a strange mode below',
      { targets: [{}, { strategy: { mode: 'ab_test' }, targets: [{}] }], strategy: { mode: 'fallback' } },
      [{ path: 'targets[1].strategy.mode', message: 'must be one of: single, loadbalance, fallback, conditional' }],
    ],
    [
      'a breaker without a threshold',
      { strategy: { mode: 'fallback', cbConfig: { minimumRequests: 5 } }, targets: [{}] },
      [{ path: 'strategy.cbConfig', message: 'needs `failure_threshold` or `failure_threshold_percentage`' }],
    ],
    [
      'a short cool-down',
      { strategy: { mode: 'fallback', cb_config: { failure_threshold: 1, cooldown_interval: 29_999 } }, targets: [{}] },
      [{ path: 'strategy.cb_config.cooldown_interval', message: 'expected integer to be greater or equal to 30000' }],
    ],
    [
      'no weight at all',
      { strategy: { mode: 'loadbalance' }, targets: [{ weight: 0 }, { weight: 0 }] },
      [{ path: 'targets', message: 'all have weight 0, so none can be chosen' }],
    ],
    [
      'a sticky field of another kind',
      { strategy: { mode: 'loadbalance', sticky: { enabled: true, hash_fields: ['body.user'] } }, targets: [{}] },
      [{ path: 'strategy.sticky.hash_fields[0]', message: expect.stringContaining('match') }],
    ],
  ]
  for (const [what, config, expected] of table) {
    test(what, () => expect(violations(config)).toEqual(expected as Violation[]))
  }

  test('of a conditional strategy', () => {
    const config = {
      targets: [
        {},
        {
          strategy: {
            mode: 'conditional',
            conditions: [
              when({ 'metadata.plan': { $regx: 'x' } }, 'gold'),
              when({ plan: 'x' }, 'glod'),
              when({ $or: 5 }, 'zzzzzzz'),
            ],
          },
          targets: [{ name: 'gold' }, { name: 'silver' }, { name: 'gold' }],
        },
      ],
      strategy: { mode: 'fallback' },
    }
    const at = 'targets[1].strategy'
    expect(violations(config)).toEqual([
      { path: 'targets[1].targets[2].name', message: 'is the name of targets[1].targets[0] too' },
      { path: `${at}.conditions[0].query.metadata.plan.$regx`, message: "unknown operator; did you mean '$regex'?" },
      { path: `${at}.conditions[1].query.plan`, message: expect.stringContaining('unknown subject') },
      { path: `${at}.conditions[1].then`, message: "is the name of no target here; did you mean 'gold'?" },
      { path: `${at}.conditions[2].query.$or`, message: 'must be an array of queries' },
      { path: `${at}.conditions[2].then`, message: 'is the name of no target here' },
      { path: `${at}.default`, message: 'is needed: the name of a target for all other calls' },
    ] as Violation[])
    const empty = { strategy: { mode: 'conditional', default: 'none' }, targets: [{ name: 'one' }] }
    expect(violations(empty)).toEqual([
      { path: 'strategy.conditions', message: 'must hold at least one condition' },
      { path: 'strategy.default', message: expect.stringContaining('is the name of no target here') },
    ] as Violation[])
  })

  test('the first one stands in the message', () => {
    expect(refusal({ requestTimeout: 0 })).toMatchObject({
      message: 'The config is not valid: requestTimeout expected integer to be greater or equal to 1.',
      options: { param: 'requestTimeout' },
    })
    expect(refusal({}).message).toStartWith('The config is not valid: it must say something')
    expect(refusal({}).options.param).toBeUndefined()
  })

  test('at most fifty', () => {
    expect(
      violations(Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`unknown_key_${index}`, 1]))).length,
    ).toBe(50)
  })
})

describe('limits', () => {
  const targets = (count: number): unknown[] => Array.from({ length: count }, (_, index) => ({ name: `t-${index}` }))
  const nested = (depth: number): Record<string, unknown> =>
    depth === 0 ? { provider: 'a' } : { targets: [nested(depth - 1)] }

  test('on the targets of the root', () => {
    expect(read({ strategy: { mode: 'fallback' }, targets: targets(100) }).targets?.length).toBe(100)
    expect(violations({ strategy: { mode: 'fallback' }, targets: targets(101) })).toEqual([
      { path: 'targets', message: 'are more than 100' },
    ])
    const conditional = (count: number) => ({
      strategy: { mode: 'conditional', conditions: [when({}, 't-0')], default: 't-1' },
      targets: targets(count),
    })
    expect(read(conditional(1_000)).targets?.length).toBe(1_000)
    expect(violations(conditional(1_001))).toEqual([{ path: 'targets', message: 'are more than 1000' }])
  })

  test('on the targets below each of them', () => {
    const below = (count: number) => ({
      strategy: { mode: 'fallback' },
      targets: [
        { provider: 'a' },
        { strategy: { mode: 'loadbalance' }, targets: [{ ...nested(1) }, ...targets(count)] },
      ],
    })
    expect(read(below(48)).targets?.length).toBe(2)
    expect(violations(below(49))).toEqual([
      { path: 'targets[1].targets', message: 'are more than 50, over all levels' },
    ])
  })

  test('on the depth', () => {
    expect(read(nested(10)).targets?.length).toBe(1)
    const [violation] = violations(nested(11))
    expect(violation).toEqual({
      path: `targets[0]${'.targets[0]'.repeat(9)}.targets`,
      message: 'are nested more than 10 levels deep',
    })
    let deep: unknown = 1
    for (let level = 0; level < 50_000; level++) deep = [deep]
    expect(violations({ override_params: { deep } })).toEqual([
      { path: '', message: 'is too large, or nested too deep' },
    ])
  })
})

test('a config has at most a thousand patterns', () => {
  const config = (count: number) => ({
    strategy: {
      mode: 'conditional',
      conditions: Array.from({ length: count }, (_, index) => ({
        query: { 'metadata.plan': { $regex: `^plan-${index}$` } },
        [THEN]: 'one',
      })),
      default: 'one',
    },
    targets: [{ name: 'one', provider: 'openai' }],
  })
  expect(read(config(1_000)).targets?.length).toBe(1)
  expect(violations(config(1_001))).toEqual([{ path: '', message: 'has more than 1000 conditions with `$regex`' }])
})

test('a config drops at most a hundred parameters', () => {
  const config = (count: number, path = 'a') => ({
    provider: 'openai',
    drop_params: Array.from({ length: count }, () => path),
  })
  expect(read(config(100)).drop_params?.length).toBe(100)
  expect(violations(config(101))).toEqual([{ path: 'drop_params', message: 'must have at most 100 items' }])
  expect(violations(config(1, 'a'.repeat(257)))[0]?.path).toBe('drop_params[0]')
})

test('a huge config is refused at once', () => {
  const before = performance.now()
  const keys = Array.from({ length: 200_000 }, (_, index): [string, unknown] => [`overrideParam${index}`, 1])
  expect(violations(Object.fromEntries(keys))[0]?.message).toContain('too large')
  expect(violations(Object.fromEntries(keys.slice(0, 90_000))).length).toBe(50)
  const many = Array.from({ length: 100 }, () => ({
    strategy: { mode: 'fallback' },
    targets: Array.from({ length: 60 }, () => ({})),
  }))
  expect(violations({ strategy: { mode: 'fallback' }, targets: many }).map(({ message }) => message)).toContain(
    'are more than 5000 with those before them',
  )
  const names = Array.from({ length: 4_000 }, (_, index) => ({ name: `target-${index}` }))
  const conditions = names.map(({ name }) => when({}, `${name}-x`))
  expect(
    violations({ strategy: { mode: 'conditional', conditions, default: 'target-0' }, targets: names }).length,
  ).toBe(50)
  // Generous: looking for near names to all of them takes minutes.
  expect(performance.now() - before).toBeLessThan(15_000)
})

test('keys cannot be brought in through a prototype', () => {
  const planted = '{"provider":"openai","__proto__":{"api_key":"sk-1"}}'
  expect(violations(JSON.parse(planted))).toEqual([{ path: '__proto__', message: 'this key is never allowed' }])
  expect(violations(JSON.parse(`{"targets":[${planted}]}`))[0]?.path).toBe('targets[0].__proto__')
  expect(violations(JSON.parse(`{"overrideParams":{"a":${planted}}}`))).toEqual([
    { path: 'overrideParams.a.__proto__', message: 'this key is never allowed' },
  ])
  expect(violations(JSON.parse('{"retry":{"attempts":1,"__proto__":{}}}'))[0]?.path).toBe('retry.__proto__')
  expect(violations(JSON.parse('{"strategy":{"mode":"single","__proto__":{}},"targets":[{}]}'))[0]?.path).toBe(
    'strategy.__proto__',
  )
})

test('no value of the config is repeated, as it may be a key', () => {
  const config = {
    api_key: ['sk-secret'],
    provider: { a: 'sk-secret' },
    weight: 'sk-secret',
    cache: 'sk-secret',
    acme_region: ['sk-secret'],
  }
  const { message, options } = refusal(config)
  expect(options.violations?.length).toBe(5)
  expect(JSON.stringify([message, options])).not.toContain('sk-secret')
})
