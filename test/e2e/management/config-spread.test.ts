import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { chat, hasStatus, type Reply, textOf, within } from './support/http.ts'
import { API_KEY, done, openScene, type Scene, SLOW_MS, SPREAD_MS } from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

const KEY = 'sk-config-spread-0123456789abcdef0123456789'

let scene: Scene
let first: RunningGateway
let second: RunningGateway

beforeAll(async () => {
  scene = await openScene({ store: 'postgres' })
  first = await scene.start()
  second = await scene.start()
})
afterAll(() => scene.close())

/** A target at the recording provider. */
const target = (overrides: Readonly<Record<string, unknown>> = {}) => ({
  provider: 'openai',
  api_key: KEY,
  custom_host: `${scene.upstream.url}/v1`,
  ...overrides,
})

const save = async (gateway: RunningGateway, body: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  textOf(await done(gateway, 'POST', '/v2/configs', { name: 'spread', config: target(), ...body }), 'slug')

/** A call by a config of that slug; without one by the default of its key or workspace. */
const ask = (gateway: RunningGateway, slug?: string, token = API_KEY): Promise<Reply> =>
  chat(gateway.url, token, { headers: slug === undefined ? {} : { 'x-gateway-config': slug } })

const isModel =
  (model: string) =>
  ({ body }: Reply): boolean =>
    body.model === model

test('a config that is saved, changed, archived or deleted on one process is so on the other soon', async () => {
  const slug = await save(first)
  await within(SPREAD_MS, () => ask(second, slug), hasStatus(200))
  expect(scene.upstream.requests.at(-1)?.headers.get('authorization')).toBe(`Bearer ${KEY}`)

  await done(first, 'PUT', `/v2/configs/${slug}`, { config: target({ override_params: { model: 'mock-json' } }) })
  await within(SPREAD_MS, () => ask(second, slug), isModel('mock-json'))
  await done(second, 'PUT', `/v2/configs/${slug}`, { status: 'archived' })
  await within(SPREAD_MS, () => ask(first, slug), hasStatus(400))
  await done(second, 'PUT', `/v2/configs/${slug}`, { status: 'active' })
  await within(SPREAD_MS, () => ask(first, slug), hasStatus(200))
  await done(first, 'DELETE', `/v2/configs/${slug}`)
  await within(SPREAD_MS, () => ask(second, slug), hasStatus(400))
})

test('so is the default of a workspace', async () => {
  const slug = await save(first, { isDefault: true })
  await within(SPREAD_MS, () => ask(second), hasStatus(200))
  await done(second, 'PUT', '/v2/workspaces/ws-default', { defaults: { config_id: null } })
  await within(SPREAD_MS, () => ask(first), hasStatus(400))
  await done(first, 'DELETE', `/v2/configs/${slug}`)
})

test('so is the default of a key, which can forbid any other', async () => {
  const slug = await save(first, { config: target({ override_params: { model: 'mock-vision' } }) })
  const other = await save(first)
  const made = await done(first, 'POST', '/v2/api-keys/service', {
    name: 'spread',
    scopes: ['completions.write'],
    defaults: { config_id: slug, allow_config_override: false },
  })
  const key = textOf(made, 'key')
  await within(SPREAD_MS, () => ask(second, undefined, key), isModel('mock-vision'))
  await within(SPREAD_MS, () => ask(second, other), hasStatus(200))
  expect((await ask(second, other, key)).status).toBe(400)
})

test('a dry run says on either process where a call would go', async () => {
  const slug = await save(first, {
    config: { strategy: { mode: 'fallback' }, targets: [target(), target({ override_params: { model: 'b' } })] },
  })
  const evaluate = () => done(second, 'POST', '/v2/configs/evaluate', { config: slug, body: { model: 'a' } })
  await within(SPREAD_MS, evaluate, (reply) => reply.body.chosen !== null)
  const { body } = await evaluate()
  expect(body.chosen).toMatchObject({ path: 'config.targets[0]', provider: 'openai', model: 'a' })
  expect(body.steps).toContainEqual(expect.objectContaining({ path: 'config', mode: 'fallback' }))
  expect(body).not.toHaveProperty('error')
})

test('no process wrote the key of a config, nor logged a fault', () => {
  expect(scene.output()).not.toContain(KEY.slice(3))
  expect(scene.output()).not.toContain('for a reason of ours')
})
