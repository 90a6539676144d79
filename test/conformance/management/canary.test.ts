import { beforeAll, expect, test } from 'bun:test'
import type { AnyRoute } from '../../../src/management/route.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../../src/store/testing.ts'
import { dumpTables } from './dump.ts'
import { routesUnderTest } from './routes-under-test.ts'
import { fillPath, sampleOf } from './samples.ts'
import { createWorld, type TestAnswer, type TestCall, type World } from './world.ts'

/** Each round makes more than twenty. */
const ROUNDS = 5

/** A text that looks like a key of a provider, and that nothing else holds. */
const newSecret = (): string => `sk-canary-${crypto.randomUUID().replaceAll('-', '')}`

/** How a secret might look where it was not meant to be. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1),
  Buffer.from(secret).toString('base64url').slice(0, -1),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
]

describeOnBothStores('secrets', (store) => {
  let world: World
  let routes: readonly AnyRoute[]
  const secrets: string[] = []
  /** Every text that left, but the answers whose purpose is to show a new key. */
  const texts: string[] = []

  beforeAll(async () => {
    routes = await routesUnderTest(store())
    world = await createWorld(store(), routes)
  }, SLOW_START_MS)

  const call = async (given: Omit<TestCall, 'token'>): Promise<TestAnswer> => {
    const answer = await world.call({ ...given, token: world.ours.admin })
    texts.push(answer.text, JSON.stringify([...answer.headers]))
    return answer
  }

  const succeed = async (method: TestCall['method'], path: string, body: unknown) => {
    const answer = await call({ method, path, body })
    expect({ path, status: answer.status, text: answer.text }).toMatchObject({ path, status: 200 })
    return answer.body
  }

  const secret = (): string => {
    const made = newSecret()
    secrets.push(made)
    return made
  }

  /** A key that the gateway makes is shown once: that answer alone may hold it. */
  const shown = async (path: string, body: unknown): Promise<{ readonly id: string; readonly key: string }> => {
    const answer = await world.call({ method: 'POST', path, token: world.ours.admin, body })
    expect(answer.status).toBe(200)
    const made = answer.body as { id: string; key: string }
    secrets.push(made.key)
    return made
  }

  /** Refusals of bodies that hold a secret in the right place and something wrong elsewhere. */
  const provoke = async (path: string, body: Readonly<Record<string, unknown>>): Promise<void> => {
    const hidden = secret()
    for (const [method, place] of [
      ['POST', path],
      ['PUT', `${path}/no-such-thing`],
    ] as const) {
      for (const bad of [
        { ...body, key: hidden, nonsense: 1 },
        { ...body, key: [hidden] },
        { ...body, key: { deep: hidden } },
        { ...body, key: `${hidden}\0` },
        { ...body, key: hidden, slug: 'not a slug' },
        { key: hidden },
      ]) {
        const { status } = await call({ method, path: place, body: bad })
        expect(status).toBeGreaterThanOrEqual(400)
      }
      await call({ method, path: place, raw: `{"key":"${hidden}"` })
      await call({ method, path: place, raw: `{"key":"${hidden}","key":"${hidden}"}` })
    }
  }

  const round = async (number: number): Promise<void> => {
    const { slug } = await succeed('POST', '/integrations', {
      name: `openai ${number}`,
      ai_provider_id: 'openai',
      key: secret(),
      workspace_id: world.ours.first.id,
      configurations: { custom_headers: { 'x-token': secret() } },
    })
    await succeed('PUT', `/integrations/${slug}`, { key: secret() })
    await succeed('PUT', `/integrations/${slug}/models`, {
      models: [
        { slug: 'own', enabled: true, is_custom: true, configurations: { custom_headers: { 'x-token': secret() } } },
      ],
    })
    await succeed('POST', '/integrations', {
      name: `bedrock ${number}`,
      ai_provider_id: 'bedrock',
      configurations: {
        aws_auth_type: 'accessKey',
        aws_region: 'eu-west-1',
        aws_access_key_id: secret(),
        aws_secret_access_key: secret(),
      },
    })
    const vault = { vault_auth_type: 'token', vault_addr: 'https://vault.example.com', vault_token: secret() }
    const kept = await succeed('POST', '/secret-references', {
      name: `vault ${number}`,
      manager_type: 'hashicorp_vault',
      auth_config: vault,
      secret_path: 'secret/openai',
    })
    await succeed('PUT', `/secret-references/${kept.slug}`, { auth_config: { vault_token: secret() } })
    const virtual = await succeed('POST', '/virtual-keys', { name: `key ${number}`, provider: 'openai', key: secret() })
    await succeed('PUT', `/virtual-keys/${(virtual.data as { slug: string }).slug}`, { key: secret() })
    const parameters = () => ({ url: 'https://hook.example', headers: { authorization: secret() } })
    const guardrail = await succeed('POST', '/guardrails', {
      name: `guardrail ${number}`,
      checks: [{ id: 'acme.hook', parameters: parameters() }],
    })
    await succeed('PUT', `/guardrails/${guardrail.slug}`, { checks: [{ id: 'acme.hook', parameters: parameters() }] })
    const target = () => ({
      ...{ provider: 'openai', api_key: secret() },
      input_guardrails: [{ checks: [{ id: 'acme.hook', parameters: parameters() }] }],
    })
    const saved = await succeed('POST', '/configs', {
      name: `config ${number}`,
      config: { strategy: { mode: 'fallback' }, targets: [target(), target()] },
    })
    await succeed('PUT', `/configs/${saved.slug}`, { config: JSON.stringify(target()) })
    const { id } = await shown('/api-keys/service', { name: `key ${number}`, scopes: ['logs.view'] })
    await shown(`/api-keys/${id}/rotate`, {})
    await deployment(number)
    await provoke(number % 2 === 0 ? '/integrations' : '/virtual-keys', {
      name: 'bad',
      ai_provider_id: 'openai',
      provider: 'openai',
    })
  }

  /** Its credentials are shown when they are made, and when they are made anew. */
  const deployment = async (number: number): Promise<void> => {
    const token = world.ours.admin
    const body = { name: `deployment ${number}` }
    const made = await world.call({ method: 'POST', path: '/deployments', token, body })
    const path = `/deployments/${made.body.id}`
    const rotated = await world.call({ method: 'PUT', path, token, body: { rotate_auth: true } })
    for (const { body: shownOnce } of [made, rotated]) {
      secrets.push((shownOnce.credentials as { password: string }).password, shownOnce.client_auth as string)
    }
  }

  /** Everything that can be read, as a client would walk it. */
  const readAll = async (): Promise<void> => {
    for (const route of routes.filter(({ method, path }) => method === 'GET' && !path.includes(':'))) {
      const sample = await sampleOf(route, world)
      const isNeeded = ([name]: readonly [string, unknown]) => route.query?.required?.includes(name) === true
      const query = Object.fromEntries(Object.entries(sample.query ?? {}).filter(isNeeded))
      const page: Record<string, string> = route.query?.properties?.page_size === undefined ? {} : { page_size: '100' }
      const { status, body } = await call({ method: 'GET', path: fillPath(route, { query: { ...query, ...page } }) })
      expect({ path: route.path, status }).toEqual({ path: route.path, status: 200 })
      const rows = (body.data ?? body.records ?? []) as readonly { id?: string; slug?: string }[]
      for (const { id, slug } of rows) {
        for (const reference of [id, slug]) {
          if (reference === undefined) continue
          await call({ method: 'GET', path: `${route.path}/${reference}` })
          for (const part of ['models', 'versions']) {
            await call({ method: 'GET', path: `${route.path}/${reference}/${part}` })
          }
        }
      }
    }
  }

  test(
    'a hundred of them are found nowhere: not in the database, the log, the refusals or the answers',
    async () => {
      for (let number = 0; number < ROUNDS; number++) await round(number)
      expect(secrets.length).toBeGreaterThanOrEqual(100)
      await readAll()
      const rows = [...(await dumpTables(world.db))].flatMap(([table, found]) => found.map((row) => `${table} ${row}`))
      expect(rows.length).toBeGreaterThan(100)
      const everything = [...rows, ...world.lines, ...texts].join('\n')
      expect(everything).toContain('sk-')
      const leaked = secrets.filter((hidden) => formsOf(hidden).some((form) => everything.includes(form)))
      expect(leaked).toEqual([])
      expect(everything).not.toContain('sk-canary-')
    },
    SLOW_START_MS,
  )
})
