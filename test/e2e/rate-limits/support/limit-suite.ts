import { expect, test } from 'bun:test'
import OpenAI from 'openai'
import { builtInEndpoints } from '../../../../plugins/built-in.ts'
import { routesOf } from '../../../../src/core/route.ts'
import { providerHeaders, type RouteSample, SAMPLED_ROUTES, samplesOf } from '../../../support/route-samples.ts'
import { type Reply, send, textOf, within } from '../../management/support/http.ts'
import { API_KEY, done, manage } from '../../management/support/scene.ts'
import { type At, call, createPolicy, freshRun, headersOf, POLICIES, rateLimitOf, untilLive } from './limited.ts'

const usageOf = async (gateway: At, id: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
  const reply = await done(gateway, 'GET', `${POLICIES}/${id}/usage`)
  return reply.body.data as readonly Readonly<Record<string, unknown>>[]
}

/** Reads the usage until it is what it should be: tokens are settled a moment after the answer. */
const untilUsed = (gateway: At, id: string, used: number): Promise<number> =>
  within(
    5_000,
    () => manage(gateway, 'GET', `${POLICIES}/${id}/usage`),
    (reply: Reply) => (reply.body.data as readonly { readonly used: number }[])[0]?.used === used,
  )

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

/** A session of many messages, whose limits are tried in test/e2e/realtime. */
const isSession = ({ endpoint }: RouteSample): boolean => /^(?:realtime|live)/.test(endpoint)

/** What callers and operators see of rate limits, whatever they are counted in. */
export const limitSuite = (gateway: () => At): void => {
  test('a policy lets its value through and refuses the next call with its numbers', async () => {
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, value: 4 })
    const first = await untilLive(gateway(), run)
    expect(first.headers.get('x-ratelimit-limit-requests')).toBe('4')
    let reply = first
    while (reply.status === 200) reply = await call(gateway(), { run })
    expect(reply.status).toBe(429)
    const { error } = reply.body as { error: Record<string, unknown> }
    expect(error).toMatchObject({ type: 'rate_limits_policy_exhaust_error', param: null, code: null })
    expect(String(error.message)).toContain(id)
    const limit = rateLimitOf(reply)
    expect(limit).toMatchObject({ policy_id: id, type: 'requests', unit: 'rph', limit: 4, used: 4, requested: 1 })
    expect(Object.keys(limit.group as object)).toEqual(['api_key'])
    expect(reply.text).not.toContain(API_KEY)
    const retryAfter = Number(reply.headers.get('retry-after'))
    const retryAfterMs = Number(reply.headers.get('retry-after-ms'))
    expect(retryAfterMs).toBeGreaterThan(3_590_000)
    expect(retryAfterMs).toBeLessThanOrEqual(3_606_000)
    expect(retryAfter).toBe(Math.ceil(retryAfterMs / 1000))
    expect(reply.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(reply.headers.get('ratelimit-policy')).toMatch(/^"[0-9a-f]{12}";q=4;w=3600;qu="requests"$/)
    expect(reply.headers.get('ratelimit')).toMatch(/^"[0-9a-f]{12}";r=0;t=\d+$/)
    const [group] = await usageOf(gateway(), id)
    expect(group).toMatchObject({ used: 4, limit: 4, remaining: 0, debt: 0 })
  })

  test('a call is charged once over all its targets, and a refusal asks none of them', async () => {
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, value: 2 })
    await untilLive(gateway(), run)
    const targets = [{ provider: 'mock', override_params: { mock: { fault: 'rate-limited' } } }, { provider: 'mock' }]
    const ask = (retry: Readonly<Record<string, unknown>>): Promise<Reply> =>
      send(`${gateway().url}/v1/chat/completions`, {
        method: 'POST',
        token: API_KEY,
        headers: {
          'x-gateway-metadata': JSON.stringify({ run }),
          'x-gateway-config': JSON.stringify({ strategy: { mode: 'fallback' }, targets, ...retry }),
        },
        body: { model: 'mock', messages: [{ role: 'user', content: 'Hello' }] },
      })
    const served = await ask({})
    expect([served.status, served.headers.get('x-gateway-last-used-option-index')]).toEqual([200, 'config.targets[1]'])
    expect(served.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    const [group] = await usageOf(gateway(), id)
    expect(group?.used).toBe(2)
    const refused = await ask({ retry: { attempts: 3, on_status_codes: [429] } })
    expect([refused.status, refused.headers.get('x-gateway-retry-attempt-count')]).toEqual([429, '0'])
    expect(refused.headers.get('x-gateway-last-used-option-index')).toBe('config.targets[0]')
    expect(rateLimitOf(refused)).toMatchObject({ policy_id: id, used: 2 })
  })

  test('refusals are free, and groups have windows of their own', async () => {
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, value: 1, more: { group_by: [{ key: 'metadata._user' }] } })
    await untilLive(gateway(), run)
    await call(gateway(), { run })
    for (const user of ['anna', 'a-b', '{x}', 'ünï']) {
      const answers = [1, 2, 3].map(() => call(gateway(), { run, metadata: { _user: user } }))
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, 429, 429])
    }
    const groups = await usageOf(gateway(), id)
    expect(groups.map(({ group }) => (group as Record<string, unknown>)['metadata._user']).toSorted()).toEqual(
      ['anna', 'a-b', '{x}', 'ünï', null].toSorted(),
    )
    for (const group of groups) expect(group.used).toBe(1)
  })

  test('a group that is reset has its whole window again', async () => {
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, value: 1, more: { group_by: [{ key: 'metadata.run' }] } })
    await untilLive(gateway(), run)
    await call(gateway(), { run })
    expect((await call(gateway(), { run })).status).toBe(429)
    await done(gateway(), 'PUT', `${POLICIES}/${id}/usage/reset`, { group: { 'metadata.run': run } })
    expect((await call(gateway(), { run })).status).toBe(200)
    expect((await call(gateway(), { run })).status).toBe(429)
  })

  test('a changed value counts at once and forgets nothing; an archived policy counts no more', async () => {
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, value: 2 })
    await untilLive(gateway(), run)
    while ((await call(gateway(), { run })).status === 200);
    await done(gateway(), 'PUT', `${POLICIES}/${id}`, { value: 3 })
    const calls = () => call(gateway(), { run })
    await within(2_000, calls, ({ status }) => status === 200)
    expect((await calls()).status).toBe(429)
    // Above 100 the buckets of the ring are coarser: what is in it stays.
    await done(gateway(), 'PUT', `${POLICIES}/${id}`, { value: 500 })
    await within(2_000, calls, ({ status }) => status === 200)
    expect((await usageOf(gateway(), id))[0]?.used).toBe(4)
    await done(gateway(), 'DELETE', `${POLICIES}/${id}`)
    await within(2_000, calls, ({ headers }) => !headers.has('ratelimit'))
  })

  test('tokens of text completions count, of all prompts, whole and streamed', async () => {
    const run = freshRun()
    const conditions = [
      { key: 'metadata.run', value: run },
      { key: 'endpoint_type', value: 'complete' },
    ]
    const id = await createPolicy(gateway(), { run, type: 'tokens', value: 1_000, more: { conditions } })
    const complete = (more = {}): Promise<Reply> =>
      call(gateway(), { run, path: '/v1/completions', body: { prompt: ['one two', 'three'], max_tokens: 10, ...more } })
    const answers: Reply[] = []
    await within(5_000, complete, (reply) => answers.push(reply) > 0 && reply.headers.has('ratelimit'))
    const used = Object(answers.at(-1)?.body.usage).total_tokens
    expect(used).toBeGreaterThan(0)
    await untilUsed(gateway(), id, used)
    expect((await complete({ stream: true })).status).toBe(200)
    await untilUsed(gateway(), id, 2 * used)
    // A chat is none.
    expect((await call(gateway(), { run })).headers.has('ratelimit')).toBe(false)
  })

  test('tokens are held back, and settled to what was used', async () => {
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, type: 'tokens', value: 100_000 })
    const live = await untilLive(gateway(), run)
    expect(live.headers.get('x-ratelimit-limit-tokens')).toBe('100000')
    await done(gateway(), 'PUT', `${POLICIES}/${id}/usage/reset`, { group: { api_key: await keyId(gateway(), id) } })
    const plain = await call(gateway(), { run, body: { max_tokens: 50_000 } })
    const used = (plain.body.usage as { total_tokens: number }).total_tokens
    await untilUsed(gateway(), id, used)
    const stream = await call(gateway(), { run, body: { stream: true, max_tokens: 50_000 } })
    expect(stream.status).toBe(200)
    expect(stream.headers.get('x-ratelimit-limit-tokens')).toBe('100000')
    await untilUsed(gateway(), id, 2 * used)
    // An error of the provider costs no tokens, and a call that we refuse ourselves costs nothing at all.
    const failed = await call(gateway(), { run, body: { mock: { fault: 'rate-limited' } } })
    expect(failed.status).toBeGreaterThanOrEqual(400)
    const invalid = await call(gateway(), { run, body: { messages: 'nothing' } })
    expect(invalid.status).toBe(400)
    await untilUsed(gateway(), id, 2 * used)
  })

  test('a call that can never fit is told so', async () => {
    const run = freshRun()
    await createPolicy(gateway(), { run, type: 'tokens', value: 1_000, more: { reservation: 'max' } })
    await within(
      5_000,
      () => call(gateway(), { run, body: { max_tokens: 5_000 } }),
      ({ status }) => status === 400,
    )
    const refused = await call(gateway(), { run, body: { max_tokens: 5_000 } })
    expect(refused.body).toMatchObject({ error: { code: 'request_exceeds_limit', type: 'invalid_request_error' } })
    expect(refused.headers.has('retry-after')).toBe(false)
  })

  test('a policy in shadow mode counts and tells, and never refuses', async () => {
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, value: 1, more: { mode: 'shadow' } })
    const shadow = () => call(gateway(), { run })
    await within(5_000, shadow, ({ headers }) => headers.get('x-gateway-rate-limit-shadow') === id)
    expect((await shadow()).status).toBe(200)
    expect(Number((await usageOf(gateway(), id))[0]?.used)).toBeGreaterThanOrEqual(3)
  })

  test('the dry run says which policy would refuse, and why others do not apply, and consumes nothing', async () => {
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, value: 1 })
    await untilLive(gateway(), run)
    await call(gateway(), { run, key: API_KEY })
    const [group] = await usageOf(gateway(), id)
    const ask = () =>
      done(gateway(), 'POST', `${POLICIES}/evaluate`, {
        api_key_id: groupOf(group).api_key,
        headers: headersOf({ run }),
        body: { model: 'mock', messages: [{ role: 'user', content: 'Hello' }] },
      })
    const refused = await ask()
    expect(refused.body).toMatchObject({ allowed: false, status: 429 })
    const [target] = refused.body.targets as { limits: Record<string, unknown>[]; message: string }[]
    expect(target?.message).toContain(id)
    expect(target?.limits.find((limit) => limit.id === id)).toMatchObject({
      matches: true,
      used: 1,
      would_refuse: true,
    })
    const other = target?.limits.find((limit) => limit.matches === false)
    expect(other?.conditions).toBeArray()
    await done(gateway(), 'PUT', `${POLICIES}/${id}/usage/reset`, { group: group?.group })
    for (let times = 0; times < 3; times++) expect((await ask()).body).toMatchObject({ allowed: true, status: 200 })
    expect((await call(gateway(), { run })).status).toBe(200)
  })

  test('limits of a key count per second, and a client that waits as it is told gets through', async () => {
    const made = await done(gateway(), 'POST', '/v2/api-keys/service', {
      name: 'limited',
      scopes: ['completions.write'],
      rate_limits: [{ type: 'requests', unit: 'rps', value: 2 }],
    })
    const key = textOf(made, 'key')
    const run = freshRun()
    for (let round = 0; round < 5; round++) {
      let reply = await call(gateway(), { run, key })
      while (reply.status === 200) reply = await call(gateway(), { run, key })
      expect(reply.status).toBe(429)
      expect(reply.body).toMatchObject({ error: { type: 'api_key_rate_limit_error' } })
      await Bun.sleep(Number(reply.headers.get('retry-after-ms')))
      expect((await call(gateway(), { run, key })).status).toBe(200)
    }
  })

  test('a limit of 0 turns a key off', async () => {
    const made = await done(gateway(), 'POST', '/v2/api-keys/service', {
      name: 'off',
      scopes: ['completions.write'],
      rate_limits: [{ type: 'requests', unit: 'rpd', value: 0 }],
    })
    const reply = await call(gateway(), { run: freshRun(), key: textOf(made, 'key') })
    expect(reply.status).toBe(429)
    expect(reply.headers.has('retry-after')).toBe(false)
  })

  // A prompt has to be made first, and is limited in test/e2e/prompts.
  test.each(SAMPLED_ROUTES.filter((route) => !FREE_ROUTES.has(route) && !/\/prompts\//.test(route)))(
    '%s meets the limits',
    async (route) => {
      const [method = '', routePath = ''] = route.split(' ')
      for (const sample of samplesOf({ method, path: routePath })) {
        if (readsOnly(sample) || isSession(sample)) continue
        const run = freshRun()
        await createPolicy(gateway(), { run, value: 1 })
        const { method: verb, path, body = '' } = sample
        const ask = (): Promise<Reply> =>
          send(`${gateway().url}${path}`, {
            method: verb,
            token: API_KEY,
            headers: { 'x-gateway-metadata': JSON.stringify({ run }), ...providerHeaders(sample) },
            ...(body === ''
              ? {}
              : { body: typeof body === 'string' && body.startsWith('{') ? JSON.parse(body) : body }),
          })
        const answers: Reply[] = []
        await within(
          5_000,
          ask,
          (reply) => answers.push(reply) > 0 && (reply.status === 429 || reply.headers.has('ratelimit')),
        )
        const first = answers.at(-1)
        // Calls ahead of the policy are not counted; then one is let through.
        expect([path, first?.status]).toEqual([path, sample.status])
        const refused = await ask()
        expect([path, refused.status]).toEqual([path, 429])
        expect(rateLimitOf(refused)).toMatchObject({ limit: 1, used: 1 })
        // A route on its way out says so then too.
        expect(refused.headers.get('deprecation')).toBe(first?.headers.get('deprecation') ?? null)
      }
    },
  )

  test('calls that pass through and ask no model are free, and go on when the window is full', async () => {
    const free = SAMPLED_ROUTES.flatMap((route) => {
      const [method = '', path = ''] = route.split(' ')
      return samplesOf({ method, path }).filter(readsOnly)
    })
    expect(free.map(({ method }) => method)).toContainValues(['GET', 'DELETE'])
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, value: 3 })
    await untilLive(gateway(), run)
    const read = (sample: RouteSample): Promise<Reply> =>
      send(`${gateway().url}${sample.path}`, {
        method: sample.method,
        token: API_KEY,
        headers: { 'x-gateway-metadata': JSON.stringify({ run }), ...providerHeaders(sample) },
      })
    for (const sample of free) expect([sample.path, (await read(sample)).status]).toEqual([sample.path, sample.status])
    const [group] = await usageOf(gateway(), id)
    expect(Number(group?.used)).toBeLessThan(3)
    while ((await call(gateway(), { run })).status === 200);
    for (const sample of free) expect([sample.path, (await read(sample)).status]).toEqual([sample.path, sample.status])
  })

  test('the official client gets the status, the type and the wait', async () => {
    const run = freshRun()
    await createPolicy(gateway(), { run, value: 1 })
    await untilLive(gateway(), run)
    const client = new OpenAI({
      apiKey: API_KEY,
      baseURL: `${gateway().url}/v1`,
      defaultHeaders: headersOf({ run }),
      maxRetries: 0,
    })
    const create = () =>
      client.chat.completions.create({ model: 'mock', messages: [{ role: 'user', content: 'Hello' }] })
    await create().catch(() => undefined)
    const error = await create().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    const refused = error as InstanceType<typeof OpenAI.RateLimitError>
    expect(refused.type).toBe('rate_limits_policy_exhaust_error')
    expect(Number(refused.headers.get('retry-after-ms'))).toBeGreaterThan(0)
  })

  test('tokens of a stream that the client leaves are estimated, and the call is not free', async () => {
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, type: 'tokens', value: 1_000_000, more: { reservation: 'input' } })
    await untilLive(gateway(), run)
    const before = Number((await usageOf(gateway(), id))[0]?.used ?? 0)
    const abort = new AbortController()
    const response = await fetch(`${gateway().url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, ...headersOf({ run }) },
      body: JSON.stringify({
        model: 'mock',
        stream: true,
        messages: [{ role: 'user', content: 'Hello '.repeat(2_000) }],
      }),
      signal: abort.signal,
    })
    await response.body?.getReader().read()
    abort.abort()
    const used = () => manage(gateway(), 'GET', `${POLICIES}/${id}/usage`)
    await within(5_000, used, (reply) => {
      const [group] = reply.body.data as readonly { readonly used: number }[]
      return group !== undefined && group.used > before + 1_000
    })
  })

  test('a caller without a good key is not counted', async () => {
    const run = freshRun()
    const id = await createPolicy(gateway(), { run, value: 5 })
    await send(`${gateway().url}/v1/chat/completions`, {
      method: 'POST',
      token: 'no-such-key-0123456789abcdef',
      body: {},
    })
    expect(await usageOf(gateway(), id)).toEqual([])
  })
}

/** The group of a row of usage. */
const groupOf = (row: Readonly<Record<string, unknown>> | undefined): Readonly<Record<string, unknown>> => {
  if (typeof row?.group !== 'object' || row.group === null) throw new Error('nothing has been used')
  return { ...row.group }
}

/** Id of the key that the calls of the suite are made with, as the usage of a policy shows it. */
const keyId = async (gateway: At, policy: string): Promise<string> =>
  String(groupOf((await usageOf(gateway, policy))[0]).api_key)
