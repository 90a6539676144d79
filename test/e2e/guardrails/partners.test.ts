import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { HookReport } from '#core/guardrails'
import { type Case, cases } from '../../../plugins/guardrails/partners/test-support.ts'
import type { RunningGateway } from '../../support/command.ts'
import { pageOf } from '../docs/pages.ts'
import { type Reply, send, within } from '../management/support/http.ts'
import { API_KEY, done, openScene, type Scene, SLOW_MS, SPREAD_MS } from '../management/support/scene.ts'

setDefaultTimeout(SLOW_MS)

/** Ids of what accounts are stored as, by how ids of checks begin where they differ. */
const ACCOUNTS: Readonly<Record<string, string>> = { mistral: 'mistral-ai' }
const partnerOf = (check: string): string => check.split('.')[0] ?? ''
/** What of an account stands in requests: its key, or the id of the key that signs them. */
const keyOf = (partner: string): string =>
  partner === 'bedrock' ? AWS.aws_access_key_id : `${partner}-key-canary-0123456789`
const AWS = {
  aws_auth_type: 'accessKey',
  aws_region: 'eu-central-1',
  aws_access_key_id: 'AKIDCANARY123456',
  aws_secret_access_key: 'secret-canary-0123456789',
}

/** One case for each check: by preference one that it refuses, with nothing to mask. */
const told: readonly Case[] = [
  ...new Map(
    cases
      .map(([, fixture]) => fixture)
      .filter(({ exchanges, texts, parameters }) => exchanges.length === 1 && texts.length === 1 && !parameters.redact)
      .toSorted((one, other) => Number(other.verdict) - Number(one.verdict))
      .map((fixture) => [fixture.check, fixture]),
  ).values(),
]

/** In Mistral's own form ("Classifiers Endpoints" of docs.mistral.ai, read 2026-11-23), and in OpenAI's. */
const MODERATIONS = [
  ['mistral.moderateContent', { categories: ['violence_and_threats'] }, 'violence_and_threats'],
  ['openai.moderateContent', {}, 'violence'],
] as const

type Answer = (path: string) => Response | Promise<Response>

describe('checks of partners', () => {
  let scene: Scene
  let gateway: RunningGateway
  let answer: Answer = () => new Response(null, { status: 500 })
  const received: { readonly path: string; readonly keys: string }[] = []
  const partner = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      received.push({ path: pathname + search, keys: JSON.stringify([...request.headers]) })
      return answer(pathname + search)
    },
  })
  const host = `http://127.0.0.1:${partner.port}`

  beforeAll(async () => {
    scene = await openScene({ store: 'pglite' })
    gateway = await scene.start()
    const names = [...told.map(({ check }) => check), ...MODERATIONS.map(([check]) => check)].map(partnerOf)
    await Promise.all(
      [...new Set(names)].map((name) =>
        store(`our-${name}`, ACCOUNTS[name] ?? name, keyOf(name), {
          custom_host: host,
          ...(name === 'bedrock' ? AWS : {}),
        }),
      ),
    )
    for (const [check, parameters] of [
      ...told.map((fixture) => [fixture.check, fixture.parameters] as const),
      ...MODERATIONS,
    ]) {
      answer = () => Response.json({})
      const [stage = 'input'] = told.flatMap((fixture) => (fixture.check === check ? [fixture.stage] : []))
      await within(
        SPREAD_MS * 20,
        () => call(check, parameters, 'Hello', `${stage}_guardrails`),
        (reply) => !reply.text.includes('has no account'),
      )
    }
  }, SLOW_MS * 2)
  afterAll(async () => {
    await scene.close()
    await partner.stop(true)
  })

  /** An account of the default workspace, whose provider is made with it. */
  const store = (slug: string, id: string, key: string, configurations: Readonly<Record<string, string>>) =>
    done(gateway, 'POST', '/admin/v2/integrations', {
      name: slug,
      ai_provider_id: id,
      slug,
      key,
      configurations,
      workspace_id: 'ws-default',
    })

  const call = (check: string, parameters: object, text = 'Hello', on = 'input_guardrails'): Promise<Reply> =>
    send(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      token: API_KEY,
      headers: {
        'x-gateway-config': JSON.stringify({ provider: 'mock', [on]: [{ [check]: parameters, deny: true }] }),
        'x-gateway-strict-open-ai-compliance': 'false',
      },
      body: { model: 'mock', messages: [{ role: 'user', content: text }] },
    })

  const reportOf = ({ body, status, text }: Reply): HookReport['checks'][number] => {
    const hooks = body.hook_results as Record<string, HookReport[]> | undefined
    const [report] = Object.values(hooks ?? {}).flatMap((list) => list.flatMap(({ checks }) => checks))
    if (report === undefined) throw new Error(`no report in ${status} ${text}`)
    return report
  }

  test.each(told.map((fixture) => [fixture.check, fixture] as const))(
    '%s is asked with its account',
    async (_, fixture) => {
      const { check, parameters, exchanges, stage, texts, verdict, data } = fixture
      const { url = '', answer: body } = exchanges[0] ?? {}
      const path = url.replace(/^https:\/\/[^/]+(?:\/base)?/, '')
      answer = () => Response.json(body)
      received.length = 0
      const own = check.startsWith('promptfoo.') ? { credentials: 'our-promptfoo' } : {}
      const reply = await call(check, { ...parameters, ...own }, texts[0], `${stage}_guardrails`)
      expect(received.map((request) => request.path)).toEqual([path])
      expect(received[0]?.keys).toContain(keyOf(partnerOf(check)))
      expect([reply.status, reportOf(reply)]).toMatchObject([
        verdict ? 200 : 446,
        // What is said of an answer that is withheld is withheld with it.
        { id: check, verdict, ...(stage === 'output' && !verdict ? {} : { data }) },
      ])
      expect(reportOf(reply).error).toBeUndefined()
      expect(reply.text).not.toContain('canary')
    },
  )

  test.each(MODERATIONS)('%s is asked through the gateway', async (check, parameters, flagged) => {
    const result = { flagged: true, categories: { [flagged]: true }, category_scores: { [flagged]: 0.9 } }
    answer = () => Response.json({ id: 'modr-1', model: 'm', results: [result] })
    received.length = 0
    const reply = await call(check, parameters)
    expect(received.map(({ path }) => path)).toEqual(['/moderations'])
    expect(received[0]?.keys).toContain(keyOf(partnerOf(check)))
    expect([reply.status, reportOf(reply)]).toMatchObject([
      446,
      { verdict: false, data: { results: [{ flagged: ['violence'], category_scores: { violence: 0.9 } }] } },
    ])
  })

  test.each<[string, Answer, string]>([
    [
      'refuses the key',
      () => new Response('{"error":"secret words"}', { status: 401 }),
      'Pillar answered 401: check the key',
    ],
    ['fails', () => new Response('secret words', { status: 503 }), 'Pillar answered 503'],
    ['leads elsewhere', () => Response.redirect(`${host}/elsewhere`, 302), 'Pillar answered 302'],
    ['answers no JSON', () => new Response('<html>secret words'), 'Pillar answered with something that is no JSON'],
    ['answers in no known form', () => Response.json({ flagged: true }), 'Pillar answered in a form that is not known'],
    ['never answers', () => new Promise(() => undefined), 'took longer than 300 ms'],
    ['answers without end', () => new Response('x'.repeat(2 ** 21)), 'bytes'],
  ])('one that %s is an error in the report, and the call passes', async (_, broken, message) => {
    answer = broken
    received.length = 0
    const reply = await call('pillar.scanPrompt', { scanners: ['pii'], timeout: 300 })
    expect(reply.status).toBe(200)
    const { verdict, error } = reportOf(reply)
    expect([verdict, error?.message]).toEqual([true, expect.stringContaining(message)])
    expect(reply.text).not.toContain('secret words')
    expect(received.length).toBe(1)
  })

  test('the config of the documentation stops what its partner finds', async () => {
    const config = pageOf('docs/partners.md').blocks.find(({ kind }) => kind === 'json')?.text ?? ''
    const chat = (): Promise<Reply> =>
      send(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        token: API_KEY,
        headers: { 'x-gateway-config': JSON.stringify(JSON.parse(config)) },
        body: { model: 'mock', messages: [{ role: 'user', content: 'Hello' }] },
      })
    const told = async (secrets: boolean): Promise<number> => {
      answer = () => Response.json({ prompt_injection: false, secrets })
      return (await chat()).status
    }
    expect([await told(false), await told(true)]).toEqual([200, 446])
  })

  test('an account that is not there, or of which there are two, is an error that says so', async () => {
    const missing = await call('pillar.scanPrompt', { scanners: ['pii'], credentials: 'none' })
    expect(reportOf(missing).error?.message).toContain("no stored provider '@none'")
    const wrong = await call('pillar.scanPrompt', { scanners: ['pii'], credentials: 'our-lasso' })
    expect(reportOf(wrong).error?.message).toContain("is an account with 'lasso'")
    await store('more', 'pillar', 'k-0123456789', {})
    await within(
      SPREAD_MS * 20,
      () => call('pillar.scanPrompt', { scanners: ['pii'] }),
      (reply) => reportOf(reply).error?.message.includes("'@more'") === true,
    )
  })
})
