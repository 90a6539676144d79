import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { type Reply, textOf, within } from './support/http.ts'
import { done, manage, openScene, type Scene, SLOW_MS, SPREAD_MS } from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

let scene: Scene
let gateway: RunningGateway

beforeAll(async () => {
  scene = await openScene({ store: 'pglite' })
  gateway = await scene.start()
})
afterAll(() => scene.close())

const evaluate = (body: Readonly<Record<string, unknown>>): Promise<Reply> =>
  done(gateway, 'POST', '/v2/configs/evaluate', body)

const target = (name: string) => ({ name, provider: 'openai', override_params: { model: name } })

/** The interface's word for the target of a condition, kept apart so that nothing takes a condition for a promise. */
const THEN = 'then'

/** Each condition leads to the target of its name; else `other` is meant. */
const conditional = {
  strategy: {
    mode: 'conditional',
    conditions: [
      { query: { 'metadata.plan': 'paid' }, [THEN]: 'paid' },
      { query: { 'params.user': { $in: ['ann', 'bob'] } }, [THEN]: 'friend' },
      { query: { 'url.pathname': { $regex: '/embeddings$' } }, [THEN]: 'embedding' },
      { query: { 'url.pathname': { $regex: '/v1/completions$' } }, [THEN]: 'text' },
    ],
    default: 'other',
  },
  targets: ['paid', 'friend', 'embedding', 'text', 'other'].map(target),
}

test('the conditions look at the call of the dry run', async () => {
  const chosen = async (call: Readonly<Record<string, unknown>>): Promise<unknown> =>
    (await evaluate({ config: conditional, ...call })).body.chosen
  const paid = { headers: { 'x-gateway-metadata': '{"plan":"paid"}' } }
  expect(await chosen(paid)).toEqual({ path: 'config.targets[0]', provider: 'openai', model: 'paid' })
  expect(await chosen({ body: { user: 'bob' } })).toMatchObject({ model: 'friend' })
  expect(await chosen({ endpoint: 'embeddings' })).toMatchObject({ model: 'embedding' })
  expect(await chosen({ endpoint: 'completions' })).toMatchObject({ model: 'text' })
  expect(await chosen({ endpoint: 'chat', body: { user: 'eve' } })).toMatchObject({ model: 'other' })
})

test('the guardrails of the target are named', async () => {
  const own = { 'default.contains': { words: ['a'] } }
  const config = { ...target('one'), input_guardrails: [own], before_request_hooks: [{ id: 'pg-a' }] }
  expect((await evaluate({ config })).body.chosen).toMatchObject({
    guardrails: { input: ['pg-a', 'input_guardrails[0]'], output: [] },
  })
  const wrong = await evaluate({ config: { ...config, output_guardrails: [{ 'default.contain': {} }] } })
  expect(wrong.body.error).toMatchObject({ status: 400, param: 'output_guardrails[0].default.contain' })
})

test('the steps say what was decided, and why', async () => {
  const nested = { strategy: { mode: 'fallback' }, targets: [conditional, target('last')] }
  const { steps } = (await evaluate({ config: nested })).body as { steps: Readonly<Record<string, string>>[] }
  expect(steps.map(({ path, mode, decision }) => ({ path, mode, decision }))).toEqual([
    { path: 'config', mode: 'fallback', decision: 'config.targets[0]' },
    { path: 'config.targets[0]', mode: 'conditional', decision: 'config.targets[0].targets[4]' },
    { path: 'config.targets[0].targets[4]', mode: 'target', decision: 'chosen' },
  ])
  for (const { reason } of steps) expect(reason).toMatch(/^[A-Z].*\.$/)
})

test('a key brings its default config, and may forbid another', async () => {
  const config = { ...target('of-the-key'), name: undefined }
  const slug = textOf(await done(gateway, 'POST', '/v2/configs', { name: 'default', config }), 'slug')
  const made = await done(gateway, 'POST', '/v2/api-keys/service', {
    name: 'caller',
    scopes: ['completions.write'],
    defaults: { config_id: slug, allow_config_override: false },
  })
  const key = { api_key_id: textOf(made, 'id') }
  await within(
    SPREAD_MS,
    () => evaluate(key),
    ({ body }) => Bun.deepMatch({ chosen: { model: 'of-the-key' } }, body),
  )
  const refused = await evaluate({ ...key, config: conditional })
  expect(refused.body).toMatchObject({ chosen: null, steps: [], error: { status: 400, code: 'invalid_config' } })
  expect((await manage(gateway, 'POST', '/v2/configs/evaluate', { api_key_id: crypto.randomUUID() })).status).toBe(404)
})

test('what the call would be refused with is the answer, not an error', async () => {
  const codeOf = async (call: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { chosen, error } = (await evaluate(call)).body
    expect(chosen).toBeNull()
    return (error as { code?: unknown }).code
  }
  expect(await codeOf({})).toBe('provider_required')
  expect(await codeOf({ config: 'pc-none' })).toBe('invalid_config')
  expect(await codeOf({ config: { provder: 'openai' } })).toBe('invalid_config')
  expect(await codeOf({ config: { mode: 'single', options: [target('a')] } })).toBe('unsupported_config')
  expect(await codeOf({ config: { provider: 'nobody' } })).toBe('unknown_provider')
})

test('no provider was asked', () => {
  expect([...scene.upstream.requests, ...scene.ownUpstream.requests]).toEqual([])
  expect(scene.output()).not.toContain('for a reason of ours')
})
