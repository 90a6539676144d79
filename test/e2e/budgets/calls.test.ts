import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { builtInEndpoints } from '../../../plugins/built-in.ts'
import { limitUnits } from '../../../src/core/budgets.ts'
import { BUDGET_HEADER } from '../../../src/core/limits.ts'
import { routesOf } from '../../../src/core/route.ts'
import { API_KEY } from '../../support/gateway.ts'
import { providerHeaders, type RouteSample, SAMPLED_ROUTES, samplesOf } from '../../support/route-samples.ts'
import { type Reply, send } from '../management/support/http.ts'
import { type Chain, ofWorkspace, startChain } from './support/chain.ts'

let chain: Chain
beforeAll(async () => {
  chain = await startChain()
})
afterAll(() => chain.close())
beforeEach(() => {
  chain.policies = []
  chain.records.length = 0
  chain.opened.length = 0
})

const used = (): number[] => chain.policies.flatMap((policy) => chain.our.usage.usage(policy).map((each) => each.used))
const held = (): number[] =>
  chain.policies
    .flatMap(({ id }) => chain.our.counters.list('workspace-1', id, chain.our.time.nowMs))
    .map((each) => each.held)
/** Dollars that records say, of the calls themselves. */
const recorded = (): number =>
  chain.records.filter(({ attempt }) => attempt === 0).reduce((sum, { cost }) => sum + (cost?.total ?? 0), 0) / 1e12
/** Ends of calls are told a moment after their answers. */
const untilRecorded = async (calls: number): Promise<void> => {
  const deadlineMs = performance.now() + 5_000
  while (chain.records.filter(({ attempt }) => attempt === 0).length < calls) {
    if (performance.now() > deadlineMs) throw new Error(`there are no records of ${calls} calls`)
    await Bun.sleep(5)
  }
}

describe('a call through the whole chain', () => {
  test('is counted with what its record says, and refused once the budget is used up', async () => {
    chain.policies = [ofWorkspace({ type: 'cost', limit: 1 })]
    const first = await chain.chat()
    expect([first.status, first.headers.get(BUDGET_HEADER)]).toEqual([
      200,
      `0.000000001 USD; budget=${chain.policies[0]?.id}`,
    ])
    await untilRecorded(1)
    expect(recorded()).toBeGreaterThan(0)
    expect(used()).toEqual([recorded()])
    const refused = await chain.chat()
    expect([refused.status, refused.body]).toMatchObject([
      412,
      {
        error: {
          type: 'usage_limits_policy_exhaust_error',
          param: null,
          code: '06',
          budget: { policy_id: chain.policies[0]?.id, type: 'cost', used: recorded(), resets_at: null },
        },
      },
    ])
    expect(refused.headers.get(BUDGET_HEADER)).toStartWith('0 USD; ')
    await untilRecorded(2)
    expect(chain.records.at(-1)).toMatchObject({ status: 412, refusedBy: [chain.policies[0]?.id], attempts: 0 })
  })

  test('that is streamed, cut or given up is counted as it is recorded, and holds nothing afterwards', async () => {
    const reserve = { enforcement: 'reserve' } as const
    chain.policies = [
      ofWorkspace({ dollars: 100, ...reserve }),
      ofWorkspace({ type: 'tokens', limit: 1e9, ...reserve }),
    ]
    await chain.chat({ stream: true, max_tokens: 50 })
    expect(chain.opened[0]?.held).toMatchObject([{ type: 'cost' }, { type: 'tokens' }])
    await chain.chat({ stream: true, mock: { fault: 'cut-mid-stream' } })
    await chain.chat({ mock: { fault: 'rate-limited' } })
    await chain.chat({ mock: { fault: 'html-error' } })
    await untilRecorded(4)
    const leaving = new AbortController()
    const response = await fetch(`${chain.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'x-gateway-provider': 'mock' },
      body: JSON.stringify({
        model: 'mock',
        stream: true,
        messages: [{ role: 'user', content: 'Hello' }],
        mock: { fault: 'hang-mid-stream' },
      }),
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    expect(held().every((units) => units > 0)).toBe(true)
    leaving.abort()
    await untilRecorded(5)
    expect(held()).toEqual([0, 0])
    const tokens = chain.records.reduce(
      (sum, { attempt, totalTokens = 0 }) => sum + (attempt === 0 ? totalTokens : 0),
      0,
    )
    expect(used()).toEqual([expect.closeTo(recorded(), 12), tokens])
  })

  test('that falls back is charged for each target, and once for the call', async () => {
    const ofCall = ofWorkspace({ dollars: 10, enforcement: 'reserve' })
    const requests = ofWorkspace({ type: 'requests', limit: 10, conditions: [{ key: 'provider', value: 'mock' }] })
    chain.policies = [ofCall, requests]
    const targets = [{ provider: 'mock', override_params: { mock: { fault: 'rate-limited' } } }, { provider: 'mock' }]
    const config = { strategy: { mode: 'fallback' }, targets, retry: { attempts: 1 } }
    const reply = await chain.chat({}, { 'x-gateway-config': JSON.stringify(config) })
    expect(reply.status).toBe(200)
    await untilRecorded(1)
    expect(used()).toEqual([recorded(), 1])
    expect(held()).toEqual([0, 0])
  })

  test('that a hard budget has no room for goes on to a target that costs less', async () => {
    // The output of 1,000 tokens costs 4 cents.
    chain.policies = [ofWorkspace({ dollars: 0.03, enforcement: 'reserve' })]
    const targets = [
      { provider: 'mock', override_params: { max_tokens: 1_000 } },
      { provider: 'mock', override_params: { max_tokens: 100 } },
    ]
    const config = { strategy: { mode: 'fallback' }, targets }
    const reply = await chain.chat({}, { 'x-gateway-config': JSON.stringify(config) })
    expect([reply.status, reply.headers.get('x-gateway-last-used-option-index')]).toEqual([200, 'config.targets[1]'])
    const refused = await chain.chat({ max_tokens: 1_000 })
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([412, false])
  })

  test('never goes over a hard budget, however many come at once', async () => {
    chain.policies = [ofWorkspace({ dollars: 0.2, enforcement: 'reserve' })]
    const [policy] = chain.policies
    const replies: Reply[] = []
    for (let round = 0; round < 8; round++) {
      replies.push(...(await Promise.all(Array.from({ length: 16 }, () => chain.chat({ max_tokens: 200 })))))
    }
    const statuses = new Set(replies.map(({ status }) => status))
    expect([...statuses].toSorted()).toEqual([200, 412])
    await untilRecorded(replies.length)
    const [spent = 0] = used()
    expect(spent).toBeCloseTo(recorded(), 12)
    expect(limitUnits('cost', spent)).toBeLessThanOrEqual(policy?.limit ?? 0)
    expect(held()).toEqual([0])
  })

  test('of a client of Anthropic or Gemini is refused in its own form', async () => {
    chain.policies = [ofWorkspace({ dollars: 0 })]
    const message = { model: 'mock', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] }
    const anthropic = await send(`${chain.url}/v1/messages`, {
      method: 'POST',
      token: API_KEY,
      headers: { 'x-gateway-provider': 'mock' },
      body: message,
    })
    expect(anthropic.status).toBe(412)
    expect(anthropic.body).toMatchObject({ type: 'error', error: { message: expect.stringContaining('is 0') } })
    const gemini = await send(`${chain.url}/v1beta/models/mock:generateContent`, {
      method: 'POST',
      token: API_KEY,
      headers: { 'x-gateway-provider': 'mock' },
      body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
    })
    expect(gemini.status).toBe(412)
    expect(gemini.body).toMatchObject({ error: { status: 'FAILED_PRECONDITION', details: [{ reason: '06' }, {}] } })
  })

  test('whose price nobody knows is refused where the policy says so', async () => {
    chain.policies = [ofWorkspace({ dollars: 10, onUnknownPrice: 'refuse' })]
    expect((await chain.chat()).status).toBe(200)
    const reply = await chain.chat(
      {},
      { 'x-gateway-provider': 'openai', 'x-gateway-custom-host': 'http://127.0.0.1:9' },
    )
    expect(reply.status).toBe(412)
    expect(String(Object(reply.body.error).message)).toContain("the model 'mock' at openai is not known")
  })
})

/** What asks no model is free: a list of models, a count of tokens, a response that is kept. */
const FREE_ROUTES: ReadonlySet<string> = new Set(
  builtInEndpoints
    .filter(({ isCounted }) => !isCounted)
    .flatMap(routesOf)
    .map(({ method, path }) => `${method} ${path}`),
)

/** Whether it passes through and asks no model. */
const readsOnly = ({ method, endpoint }: RouteSample): boolean =>
  endpoint === 'proxy' && (method === 'GET' || method === 'DELETE')

const ask = (sample: RouteSample): Promise<Reply> => {
  const { method, path, body = '' } = sample
  return send(`${chain.url}${path}`, {
    method,
    token: API_KEY,
    headers: providerHeaders(sample),
    ...(body === '' ? {} : { body: typeof body === 'string' && body.startsWith('{') ? JSON.parse(body) : body }),
  })
}

// A prompt has to be stored first.
const routes = SAMPLED_ROUTES.filter((route) => !/\/prompts\//.test(route))
const samplesAt = (route: string): readonly RouteSample[] => {
  const [method = '', path = ''] = route.split(' ')
  return samplesOf({ method, path }).filter(({ reachesNobody }) => reachesNobody !== true)
}

describe('a budget that is used up', () => {
  test.each(routes.filter((route) => !FREE_ROUTES.has(route)))('refuses %s', async (route) => {
    chain.policies = [ofWorkspace({ type: 'tokens', limit: 0 })]
    for (const sample of samplesAt(route)) {
      if (readsOnly(sample)) continue
      const { status, text } = await ask(sample)
      expect([sample.path, status]).toEqual([sample.path, 412])
      expect(text).toContain('is 0: nothing is let through')
    }
  })

  test('does not refuse what asks no model', async () => {
    chain.policies = [ofWorkspace({ type: 'tokens', limit: 0 })]
    const free = routes.flatMap((route) => samplesAt(route).filter((each) => FREE_ROUTES.has(route) || readsOnly(each)))
    expect(free.length).toBeGreaterThan(5)
    for (const sample of free) expect([sample.path, (await ask(sample)).status]).toEqual([sample.path, sample.status])
  })
})
