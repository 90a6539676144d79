import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { AdmitOptions, CallAccount, RateLimits } from '#core/limits'
import {
  BudgetExhausted,
  definePlugin,
  type GatewayError,
  LimitsUnavailable,
  openaiCompatible,
  RateLimited,
  RequestExceedsLimit,
  t,
  UpstreamUnreachable,
} from '#kit'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'

/** What the limits were asked, in order. */
let asked: string[] = []
let options: AdmitOptions | undefined
/** Whether the attempts that are over asked a provider. */
let ended: boolean[] = []
/** What the next of them are refused with. */
let refusals: GatewayError[] = []
/** True: the cache has the answer. */
let hit = false

const account: CallAccount = {
  admit(told, to) {
    asked.push(to.provider)
    options = told
    const refusal = refusals.shift()
    if (refusal !== undefined) throw refusal
  },
  attemptEnded: (reachedProvider) => void ended.push(reachedProvider),
  settle: () => undefined,
  charge: () => [],
  held: () => [],
  headers: () =>
    new Map([
      ['x-ratelimit-limit-requests', '9'],
      ['x-gateway-budget-remaining', '0.5 USD; budget=api_key.cost'],
    ]),
  shadowRefusals: [],
}
const limits: RateLimits = {
  open: () => account,
  dryRun: async () => ({ allowed: true, status: 200, targets: [] }),
}

/** Stands for the cache. */
const memory = definePlugin({
  name: 'memory',
  config: t.Object({}),
  placement: { before: 'target-limit' },
  setup: () => ({
    stages: [{ name: 'memory', run: (_call, next) => (hit ? Promise.resolve(answer()) : next()) }],
    providers: ['acme', 'other'].map((id) => openaiCompatible({ id, baseURL: `https://api.${id}.example/v1` })),
  }),
})

/** How often the provider still fails. */
let failures = 0

const sink = definePlugin({
  name: 'sink',
  config: t.Object({}),
  placement: { after: 'target-limit' },
  setup: () => ({
    stages: [
      {
        name: 'sink',
        run: async (call) => {
          call.markProviderReached()
          failures--
          if (failures >= 0) throw new UpstreamUnreachable('no answer')
          return answer()
        },
      },
    ],
  }),
})

const answer = () => ({ status: 200, headers: new Headers(), body: new Uint8Array(0) })

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ plugins: [memory, sink], deps: { limits } })
})
afterAll(() => gateway.close())
beforeEach(() => {
  asked = []
  ended = []
  refusals = []
  failures = 0
  hit = false
})

const send = (config: unknown, url = gateway.url): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'x-gateway-api-key': API_KEY, 'x-gateway-config': JSON.stringify(config) },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
  })

const one = { provider: 'acme' }
const two = { strategy: { mode: 'fallback' }, targets: [{ provider: 'acme' }, { provider: 'other' }] }
const LIMIT = 'x-ratelimit-limit-requests'

test('a call is charged at its target, and hears of its limits', async () => {
  for (const [config, told] of [
    [one, ['acme']],
    [two, ['acme']],
    [{ ...two, cache: 'simple' }, ['acme']],
  ] as const) {
    asked = []
    expect((await send(config)).headers.get(LIMIT)).toBe('9')
    expect(asked).toEqual([...told])
  }
})

test('an answer from the cache is not charged at all', async () => {
  hit = true
  for (const config of [one, two]) {
    const response = await send({ ...config, cache: 'simple' })
    expect([response.status, response.headers.get(LIMIT)]).toEqual([200, null])
  }
  expect(asked).toEqual([])
})

test('a refusal of a limit that looks at the target leaves the call to the next one', async () => {
  refusals = [new RateLimited('full')]
  const response = await send(two)
  expect([response.status, response.headers.get(LIMIT)]).toEqual([200, '9'])
  expect(asked).toEqual(['acme', 'other'])
})

test.each([
  ['a full window', () => new RateLimited('full', { endsCall: true }), 429],
  ['a call that can never fit', () => new RequestExceedsLimit('large', { endsCall: true }), 400],
  ['a store that has to be asked', () => new LimitsUnavailable('away', { endsCall: true }), 503],
])('a refusal that any target would meet ends the call: %s', async (_name, refusal, status) => {
  const listed = { attempts: 3, on_status_codes: [400, 429, 503] }
  for (const config of [{ ...one, retry: listed }, { ...two, retry: listed }, two]) {
    asked = []
    refusals = [refusal()]
    expect((await send(config)).status).toBe(status)
    expect(asked).toEqual(['acme'])
  }
  refusals = [new RateLimited('full', { endsCall: true })]
  expect((await send(one)).headers.get(LIMIT)).toBe('9')
})

test('a failed attempt is over before the next one begins', async () => {
  failures = 1
  const response = await send(two)
  expect([response.status, response.headers.get(LIMIT)]).toEqual([200, '9'])
  expect([asked, ended[0]]).toEqual([['acme', 'other'], true])
})

test('budgets hear of the most that a call can take at its target, as the config has it', async () => {
  const models = { override_params: { model: 'gpt-4o-mini', max_tokens: 100 } }
  await send({ provider: 'openai', ...models })
  const tokens = options?.mostTokens?.() ?? 0
  expect(tokens).toBeGreaterThan(100)
  expect(tokens).toBeLessThan(1_000)
  // 15 cents and 60 cents for a million tokens, and what a faster tier adds.
  const least = (tokens - 100) * 150_000 + 100 * 600_000
  const cost = options?.worstCost?.() ?? 0
  expect(cost).toBeGreaterThanOrEqual(least)
  expect(cost).toBeLessThan(3 * least)
  await send({ provider: 'openai', ...models, drop_params: ['max_tokens'] })
  expect(options?.mostTokens?.()).toBeGreaterThan(16_000)
  await send({ provider: 'openai', override_params: { model: 'nobody-knows' } })
  expect(options?.worstCost?.()).toBeUndefined()
})

test('callers hear of their budgets and their limits, unless the operator says otherwise', async () => {
  const BUDGET = 'x-gateway-budget-remaining'
  const told = (response: Response) => [response.headers.has(LIMIT), response.headers.has(BUDGET)]
  expect(told(await send(one))).toEqual([true, true])
  const quiet = await startTestGateway({
    plugins: [memory, sink],
    deps: { limits },
    config: { plugins: ['defaults', 'mock', { 'rate-limit': { budgetHeader: false } }] },
  })
  const shy = await startTestGateway({
    plugins: [memory, sink],
    deps: { limits },
    config: { plugins: ['defaults', 'mock', { 'rate-limit': { headers: false } }] },
  })
  try {
    expect(told(await send(one, quiet.url))).toEqual([true, false])
    expect(told(await send(one, shy.url))).toEqual([false, true])
    refusals = [new RateLimited('full', { endsCall: true }), new BudgetExhausted('used up', { endsCall: true })]
    expect(told(await send(one, shy.url))).toEqual([true, true])
    expect(told(await send(one, shy.url))).toEqual([false, true])
  } finally {
    await Promise.all([quiet.close(), shy.close()])
  }
})

test('a budget of a target leaves the call to the next one', async () => {
  refusals = [new BudgetExhausted('used up')]
  expect((await send(two)).status).toBe(200)
  expect(asked).toEqual(['acme', 'other'])
  refusals = [new BudgetExhausted('used up', { endsCall: true })]
  expect((await send(two)).status).toBe(412)
})
