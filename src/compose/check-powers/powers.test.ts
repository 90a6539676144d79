import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { Type as t } from '@sinclair/typebox'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import type { CheckCaller, CheckPower, CheckPowers, CheckPowersSource } from '../../kit/check.ts'
import { definePlugin, type StoredProvider } from '../../kit/plugin.ts'

const PRINCIPAL: CheckCaller['principal'] = {
  keyId: 'key-1',
  keyName: 'one',
  kind: 'workspace-service',
  organisationId: 'organisation-1',
  workspaceId: 'workspace-1',
  scopes: new Set(['completions.write']),
}
const CALLER: CheckCaller = { principal: PRINCIPAL, check: 'acme.check', traceId: 'trace-1' }

const account = (slug: string, providerId: string, more: Partial<StoredProvider> = {}): StoredProvider => ({
  slug,
  providerId,
  apiKey: `key of ${slug}`,
  allows: () => true,
  forModel: () => ({ settings: { region: 'eu' }, headers: { 'x-team': 'blue' }, customHost: 'https://acme.example' }),
  ...more,
})
const ACCOUNTS = [account('guard', 'acme'), account('first', 'twice'), account('second', 'twice')]

let source: CheckPowersSource
let gateway: TestGateway
const taking = definePlugin({
  name: 'taking',
  config: t.Object({}),
  needs: ['checkPowers'],
  setup: (_config, host) => {
    source = host.checkPowers
    return {}
  },
})
const start = (trustedHosts: readonly string[] = ['127.0.0.1']) =>
  startTestGateway({
    plugins: [taking],
    config: { plugins: ['defaults', 'mock', 'taking'], egress: { trustedHosts: [...trustedHosts] } },
    deps: {
      stored: {
        find: (workspace, slug) =>
          workspace === 'workspace-1' ? ACCOUNTS.find((each) => each.slug === slug) : undefined,
        models: () => ACCOUNTS.map(({ slug, providerId }) => ({ slug, providerId, models: [] })),
      },
      lookup: async (hostname) => {
        if (hostname === 'public.example') return ['192.0.32.8']
        if (hostname === 'mixed.example') return ['192.0.32.8', '10.0.0.1']
        if (hostname === 'slow.example') return new Promise(() => undefined)
        throw new Error('ENOTFOUND')
      },
    },
  })
beforeAll(async () => {
  gateway = await start()
})
afterAll(() => gateway.close())

const powers = (needs: readonly CheckPower[], signal = AbortSignal.timeout(20_000), caller = CALLER): CheckPowers =>
  source.grant(needs, caller, signal)

const refusal = async (asked: () => Promise<unknown>): Promise<string> => {
  try {
    await asked()
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
  throw new Error('it was not refused')
}

test('a check gets what it asks for, and is told how to ask for more', async () => {
  const granted = powers(['resolves'])
  expect(await granted.resolves('public.example')).toBe(true)
  expect(() => granted.fetch('https://public.example')).toThrow(
    "it uses `fetch`, which it has to ask for: needs: ['fetch']",
  )
  expect(() => granted.ask('/moderations', 'mock', {})).toThrow("needs: ['ask']")
  expect(() => granted.credentials(['acme'])).toThrow("needs: ['credentials']")
})

test('a check that asks for what nobody has does not start', async () => {
  const greedy = definePlugin({
    name: 'greedy',
    config: t.Object({}),
    setup: () => ({
      checks: [
        {
          id: 'acme.greedy',
          summary: 'Passes.',
          parameters: t.Object({}),
          stages: ['input'],
          needs: ['store'] as unknown as readonly CheckPower[],
          prepare: () => ({ run: () => ({ verdict: true }) }),
        },
      ],
    }),
  })
  const started = startTestGateway({ plugins: [greedy], config: { plugins: ['defaults', 'greedy'] } })
  expect(await refusal(() => started)).toBe(
    "check 'acme.greedy' of plugin 'greedy' needs `store`, but a check can only have: fetch, resolves, credentials, ask",
  )
})

describe('fetch', () => {
  const requests: { method: string; path: string; headers: Headers; body: string }[] = []
  let answer: () => Response | Promise<Response> = () => Response.json({ ok: true })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request, server) {
      void server
      const { pathname, search } = new URL(request.url)
      requests.push({
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body: await request.text(),
      })
      return answer()
    },
  })
  const base = `http://127.0.0.1:${server.port}`
  afterEach(() => {
    answer = () => Response.json({ ok: true })
    requests.length = 0
  })
  afterAll(() => server.stop(true))

  test('sends what the check says, and reads the answer', async () => {
    answer = () => Response.json({ verdict: false }, { status: 201, headers: { 'x-thing': 'a', 'set-cookie': 'a=b' } })
    const response = await powers(['fetch']).fetch(`${base}/scan?a=1#part`, {
      headers: { authorization: 'Bearer k' },
      body: { text: 'hé' },
    })
    expect([response.status, response.headers.get('x-thing'), response.headers.get('set-cookie')]).toEqual([
      201,
      'a',
      null,
    ])
    expect([response.json(), response.text(), response.bytes.length]).toEqual([
      { verdict: false },
      '{"verdict":false}',
      17,
    ])
    const [sent] = requests
    expect([sent?.method, sent?.path, sent?.body]).toEqual(['POST', '/scan?a=1', '{"text":"hé"}'])
    expect(sent?.headers.get('authorization')).toBe('Bearer k')
    expect(sent?.headers.get('content-type')).toBe('application/json')
    expect(sent?.headers.get('user-agent')).toBe('weir')
  })

  test('asks without a body, with a text and with bytes', async () => {
    const { fetch: ask } = powers(['fetch'])
    await ask(base)
    await ask(base, { method: 'HEAD' })
    await ask(base, { method: 'PUT', body: 'text', headers: { 'content-type': 'text/plain' } })
    await ask(base, { body: new Uint8Array([65]) })
    expect(requests.map(({ method, body, headers }) => [method, body, headers.get('content-type')])).toEqual([
      ['GET', '', null],
      ['HEAD', '', null],
      ['PUT', 'text', 'text/plain'],
      ['POST', 'A', null],
    ])
  })

  test('follows no redirect, and shows where it leads', async () => {
    answer = () => new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/' } })
    const response = await powers(['fetch']).fetch(base)
    expect([response.status, response.headers.get('location')]).toEqual([302, 'http://169.254.169.254/'])
    expect(requests).toHaveLength(1)
  })

  test('an answer that is too large, or no JSON, is an error', async () => {
    answer = () => new Response('x'.repeat(2000))
    const { fetch: ask } = powers(['fetch'])
    expect(await refusal(() => ask(base, { maxBytes: 1999 }))).toContain('larger than 1999 bytes')
    const response = await ask(base, { maxBytes: 2000 })
    expect(() => response.json()).toThrow(SyntaxError)
  })

  test('ends with the signal, and says why', async () => {
    answer = () => new Promise<Response>(() => undefined)
    const aborting = new AbortController()
    const asked = powers(['fetch'], aborting.signal).fetch(base)
    setTimeout(() => aborting.abort(new Error('took longer than 20 ms')), 20)
    expect(await refusal(() => asked)).toBe('took longer than 20 ms')
    expect(await refusal(() => powers(['fetch'], aborting.signal).fetch(base))).toBe('took longer than 20 ms')
  })

  test.each([
    'file:///etc/passwd',
    'ftp://public.example/',
    'data:text/plain,a',
    'http://user:password@public.example/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://2130706434/',
    'http://mixed.example/',
    'nothing',
  ])('%s is refused', async (url) => {
    const refused = powers(['fetch']).fetch(url)
    expect(await refused.catch(({ code }: { code: string }) => code)).toBe('egress_refused')
  })
})

describe('resolves', () => {
  test('knows names with public addresses alone', async () => {
    const { resolves } = powers(['resolves'])
    const known = await Promise.all(['public.example', 'mixed.example', 'unknown.example', '10.0.0.1'].map(resolves))
    expect(known).toEqual([true, false, false, false])
  })

  test('ends with the signal', async () => {
    const aborting = new AbortController()
    const asked = powers(['resolves'], aborting.signal).resolves('slow.example')
    aborting.abort(new Error('late'))
    expect(await refusal(() => asked)).toBe('late')
  })
})

describe('credentials', () => {
  const { credentials } = {
    credentials: (...args: Parameters<CheckPowers['credentials']>) => powers(['credentials']).credentials(...args),
  }

  test('are those of the only account with a partner, or of the one that is named', async () => {
    const guard = {
      slug: 'guard',
      apiKey: 'key of guard',
      settings: { region: 'eu' },
      headers: { 'x-team': 'blue' },
      customHost: 'https://acme.example',
    }
    expect(await credentials(['acme'])).toEqual(guard)
    expect(await credentials(['other', 'acme'], '@guard')).toEqual(guard)
    expect((await credentials(['twice'], 'second')).apiKey).toBe('key of second')
  })

  test('that are not there are said how to store, or to name', async () => {
    expect(await refusal(() => credentials(['nobody', 'none']))).toBe(
      "the workspace has no account with 'nobody' or 'none': store an integration whose `ai_provider_id` is 'nobody' or 'none'",
    )
    expect(await refusal(() => credentials(['twice']))).toBe(
      "the workspace has several accounts with 'twice'; name one of '@first', '@second'",
    )
    expect(await refusal(() => credentials(['acme'], 'first'))).toBe(
      "'@first' is an account with 'twice', not with 'acme'",
    )
    expect(await refusal(() => credentials(['acme'], 'none'))).toBe(
      "there is no stored provider '@none' in this workspace",
    )
    const { workspaceId: _, ...organisation } = PRINCIPAL
    const ofNobody = powers(['credentials'], undefined, { ...CALLER, principal: organisation })
    expect(await refusal(() => ofNobody.credentials(['acme']))).toBe(
      'only calls of a workspace have accounts with partners',
    )
  })
})

describe('ask', () => {
  const BODY = { model: 'mock', messages: [{ role: 'user', content: 'Hello' }] }

  test('goes through the chain as a call of the workspace, of the trace, with the id of the check', async () => {
    const caller = { ...CALLER, traceId: 'trace-ask', metadata: { team: 'blue', _guardrail: 'other' } }
    const answer = await powers(['ask'], undefined, caller).ask('/chat/completions', 'mock', BODY)
    expect(answer).toMatchObject({ object: 'chat.completion', choices: [{ message: { role: 'assistant' } }] })
    expect(await gateway.record((record) => record.trace_id === 'trace-ask')).toMatchObject({
      metadata: { team: 'blue', _guardrail: 'acme.check' },
      api_key_id: 'key-1',
      status: 200,
    })
  })

  test('nobody else is such a call, whatever their metadata say', async () => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'x-gateway-provider': 'mock',
        'x-gateway-trace-id': 'trace-claim',
        'x-gateway-metadata': '{"_guardrail":"acme.check","team":"red"}',
        baggage: '_guardrail=acme.check',
      },
      body: JSON.stringify(BODY),
    })
    expect(response.status).toBe(200)
    expect((await gateway.record((record) => record.trace_id === 'trace-claim')).metadata).toEqual({ team: 'red' })
  })

  test('what cannot be answered is an error, and is recorded', async () => {
    const { ask } = powers(['ask'], undefined, { ...CALLER, traceId: 'trace-failed' })
    expect(await refusal(() => ask('/nothing', 'mock', BODY))).toBe("nothing is served at '/nothing'")
    expect(await refusal(() => ask('/chat/completions', 'nobody', BODY))).toContain(
      "There is no provider 'nobody' here.",
    )
    expect(await gateway.record((record) => record.trace_id === 'trace-failed')).toMatchObject({ status: 400 })
    const { workspaceId: _, ...organisation } = PRINCIPAL
    const ofNobody = powers(['ask'], undefined, { ...CALLER, principal: organisation })
    expect(await refusal(() => ofNobody.ask('/chat/completions', 'mock', BODY))).toContain('need a key of a workspace')
  })

  test('finds the only provider that can be asked, where none is named', async () => {
    const { ask } = powers(['ask'])
    const answer = await ask('/moderations', undefined, { input: 'Hello' })
    expect(answer).toMatchObject({ results: [{ flagged: false }] })
    expect(await refusal(() => ask('/chat/completions', undefined, BODY))).toStartWith(
      'several providers have chat: name one in `provider`: ',
    )
  })

  test('ends with the signal', async () => {
    const aborting = new AbortController()
    const { ask } = powers(['ask'], aborting.signal, { ...CALLER, traceId: 'trace-late' })
    const asked = ask('/chat/completions', 'mock', BODY)
    aborting.abort(new Error('late'))
    expect(await refusal(() => asked)).toBe('late')
    expect(await gateway.record((record) => record.trace_id === 'trace-late')).toMatchObject({ status: 408 })
    expect(await refusal(() => ask('/chat/completions', 'mock', BODY))).toBe('late')
  })
})
