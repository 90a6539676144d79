import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorBody, jsonPlan } from '../../../plugins/providers/mock/plan.ts'
import type { RunningGateway } from '../../support/command.ts'
import { chat, hasStatus, type Reply, within } from './support/http.ts'
import { postgresProgram } from './support/own-postgres.ts'
import { API_KEY, chatWith, done, manage, openScene, type Scene, SLOW_MS, SPREAD_MS } from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

/** Each makes ten secrets. */
const ROUNDS = 10

describe.each(['pglite', 'postgres'] as const)('a hundred secrets on %s', (store) => {
  let scene: Scene
  let gateway: RunningGateway
  const secrets: string[] = []
  /** Bodies and headers of every answer. */
  const answers: string[] = []

  beforeAll(async () => {
    // A provider that repeats what it was sent, as some do.
    const answer: Parameters<typeof openScene>[0]['answer'] = ({ headers }) =>
      jsonPlan(401, errorBody(`Wrong: ${[...headers.values()].join(' ')}`, 'invalid_request_error'))
    scene = await openScene({ store, answer })
    gateway = await scene.start()
  })
  afterAll(() => scene.close())

  const secret = (): string => {
    const made = `sk-canary-${crypto.randomUUID().replaceAll('-', '')}`
    secrets.push(made)
    return made
  }
  const kept = (reply: Reply): Reply => {
    answers.push(reply.text, JSON.stringify([...reply.headers]))
    return reply
  }
  const send = async (...[method, path, body]: [Parameters<typeof manage>[1], string, unknown?]): Promise<Reply> =>
    kept(await manage(gateway, method, path, body))
  const succeed = async (...call: Parameters<typeof send>): Promise<void> => {
    const { status, text } = await send(...call)
    expect({ call: call[1], status, text }).toMatchObject({ status: 200 })
  }

  const round = async (number: number): Promise<void> => {
    const slug = `canary-${number}`
    const host = `${scene.upstream.url}/v1`
    await succeed('POST', '/v2/integrations', {
      name: slug,
      slug,
      workspace_id: 'ws-default',
      default_provider_slug: slug,
      ai_provider_id: 'openai',
      key: secret(),
      configurations: { custom_host: host, custom_headers: { 'x-token': secret() } },
    })
    await succeed('PUT', `/v2/integrations/${slug}`, { key: secret() })
    await succeed('PUT', `/v2/integrations/${slug}/models`, {
      models: [
        { slug: 'own', enabled: true, is_custom: true, configurations: { custom_headers: { 'x-own': secret() } } },
      ],
      allow_all_models: true,
    })
    await succeed('POST', '/v1/virtual-keys', { name: slug, slug: `${slug}-v`, provider: 'openai', key: secret() })
    await succeed('PUT', `/v1/virtual-keys/${slug}-v`, { key: secret() })
    // Refused for something else than the secret in them.
    for (const body of [
      { name: 'bad', ai_provider_id: 'openai', key: secret(), nonsense: true },
      { name: 'bad', ai_provider_id: 'no-such-provider', key: secret() },
      { name: 'bad', ai_provider_id: 'openai', slug, key: secret() },
      { name: 'bad', ai_provider_id: 'openai', key: { deep: secret() } },
    ]) {
      expect((await send('POST', '/v2/integrations', body)).status).toBeGreaterThanOrEqual(400)
    }
    await within(SPREAD_MS, () => chatWith(gateway, slug), hasStatus(401))
    for (const model of ['mock', 'own']) {
      const before = scene.upstream.counters.received
      expect(kept(await chatWith(gateway, slug, model)).body).toMatchObject({ provider: 'openai' })
      expect(scene.upstream.counters.received).toBe(before + 1)
    }
    kept(await chat(gateway.url, API_KEY, { headers: { 'x-gateway-virtual-key': `${slug}-v` } }))
    const audit = 'audit-logs?start_time=2020-01-01T00:00:00Z&end_time=2090-01-01T00:00:00Z'
    for (const path of [
      `integrations/${slug}`,
      `integrations/${slug}/models`,
      `providers/${slug}`,
      `virtual-keys/${slug}-v`,
      audit,
    ]) {
      await succeed('GET', `/v2/${path}`)
    }
  }

  test('are in no dump, no file of the data folder, no output and no answer', async () => {
    for (let number = 0; number < ROUNDS; number++) await round(number)
    expect(secrets.length).toBeGreaterThanOrEqual(100)
    await done(gateway, 'GET', '/v2/integrations?page_size=100')
    await gateway.stop()
    const places: Readonly<Record<string, string>> = {
      answers: answers.join('\n'),
      output: scene.output(),
      database:
        scene.databaseUrl === undefined ? await filesBelow(join(scene.folder, '.weir')) : await dump(scene.databaseUrl),
    }
    // What may be found is: so the dump is a whole one.
    expect(places.database).toContain('canary-9')
    expect(places.output?.match(/"status":401/g)?.length).toBeGreaterThanOrEqual(ROUNDS)
    const found = Object.entries(places).flatMap(([place, text]) =>
      secrets.filter((one) => formsOf(one).some((form) => text.includes(form))).map((one) => `${one} in ${place}`),
    )
    expect(found).toEqual([])
    for (const text of Object.values(places)) expect(text).not.toContain('sk-canary-')
  })
})

/** How a secret might look where it was not meant to be. */
const formsOf = (secret: string): readonly string[] => [
  secret,
  secret.slice('sk-canary-'.length),
  Buffer.from(secret).toString('base64').slice(0, -4),
  Buffer.from(secret).toString('hex'),
]

const dump = async (databaseUrl: string): Promise<string> => {
  const child = Bun.spawn([postgresProgram('pg_dump'), '--inserts', databaseUrl], { stdout: 'pipe', stderr: 'pipe' })
  const [text, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`pg_dump ended with ${code}: ${errors}`)
  return text
}

/** Every byte of every file, one character each. */
const filesBelow = async (folder: string): Promise<string> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) =>
      Buffer.from(await Bun.file(join(parentPath, name)).arrayBuffer()).toString('latin1'),
    ),
  )
  return texts.join('\n')
}
