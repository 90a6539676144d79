import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { type Reply, send, textOf } from './support/http.ts'
import { ADMIN_KEY, API_KEY, done, openScene, type Scene, SLOW_MS } from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

const CARD = 'My card is 4111 1111 1111 1111.'
const MASKED = 'My card is {{CREDIT_CARD_1}}.'

let scene: Scene
let gateway: RunningGateway

beforeAll(async () => {
  scene = await openScene({ store: 'pglite' })
  gateway = await scene.start()
})
afterAll(() => scene.close())

/** @returns path of its evaluation */
const save = async (root: string, redact: boolean, actions: Readonly<Record<string, unknown>>): Promise<string> => {
  const checks = [{ id: 'gateway.pii', parameters: { categories: ['CREDIT_CARD'], redact } }]
  const made = await done(gateway, 'POST', `${root}/guardrails`, { name: 'Cards', checks, actions })
  return `${root}/guardrails/${textOf(made, 'slug')}/evaluate`
}

const evaluate = async (path: string, body: unknown): Promise<Reply['body']> =>
  (await done(gateway, 'POST', path, body)).body

const messages = (content: string) => [{ role: 'user', content }]

test('a text is judged, with its time, and what would be changed is shown', async () => {
  const deny = await save('/v2', false, { deny: true })
  expect(await evaluate(deny, { text: CARD })).toMatchObject({
    verdict: false,
    status: 446,
    hook_results: {
      before_request_hooks: [
        {
          verdict: false,
          deny: true,
          execution_time: expect.any(Number),
          checks: [{ id: 'gateway.pii', verdict: false }],
        },
      ],
      after_request_hooks: [],
    },
    transformed: {},
  })
  expect(await evaluate(deny, { text: 'Hello' })).toMatchObject({ verdict: true, status: 200 })
  expect(await evaluate(await save('/v2', false, {}), { text: CARD, stage: 'output' })).toMatchObject({
    status: 246,
    hook_results: { before_request_hooks: [], after_request_hooks: [{ verdict: false }] },
  })
  expect(await evaluate(await save('/v2', false, { deny: true, soft_deny_200: true }), { text: CARD })).toMatchObject({
    status: 200,
    verdict: false,
  })
  expect(await evaluate(await save('/v2', false, { deny: true, async: true }), { text: CARD })).toMatchObject({
    status: 200,
  })
  expect(await evaluate(await save('/admin/v2', true, {}), { text: CARD })).toMatchObject({
    status: 200,
    transformed: { text: MASKED },
  })
})

test('a call is judged in its own form, and so is its answer', async () => {
  const path = await save('/v2', true, {})
  const answer = { choices: [{ index: 0, message: { role: 'assistant', content: CARD }, finish_reason: 'stop' }] }
  const found = await evaluate(path, {
    request: { body: { model: 'mock', messages: messages(CARD) }, metadata: { team: 'blue' }, provider: 'mock' },
    response: answer,
  })
  expect(found).toMatchObject({
    status: 200,
    hook_results: { before_request_hooks: [{ transformed: true }], after_request_hooks: [{ transformed: true }] },
    transformed: {
      request: { model: 'mock', messages: messages(MASKED) },
      response: { choices: [{ message: { content: MASKED } }] },
    },
  })
  const anthropic = { path: '/v1/messages', body: { model: 'mock', max_tokens: 5, messages: messages(CARD) } }
  expect(await evaluate(path, { request: anthropic })).toMatchObject({
    transformed: { request: { max_tokens: 5, messages: messages(MASKED) } },
  })
  const refused = async (request: unknown) =>
    (await send(`${gateway.url}${path}`, { method: 'POST', token: ADMIN_KEY, body: { request } })).status
  expect(await refused({ path: '/v1/nothing', body: {} })).toBe(400)
  expect(await refused({ path: '/v1/images/generations', body: { prompt: CARD } })).toBe(400)
})

test('headers of a check are shown masked, and one that is sent back masked stays what it was', async () => {
  const secret = 'Bearer sk-0123456789abcdef'
  const hook = (authorization: string, webhookURL = 'https://hooks.example.com/check') => ({
    checks: [{ id: 'default.webhook', parameters: { webhookURL, headers: { authorization } } }],
  })
  const made = await done(gateway, 'POST', '/v2/guardrails', { name: 'Hook', ...hook(secret) })
  const path = `/v2/guardrails/${textOf(made, 'slug')}`
  const shown = await done(gateway, 'GET', path)
  expect(shown.body.checks).toMatchObject(hook('Be*****ef').checks)
  await done(gateway, 'PUT', path, hook('Be*****ef'))
  expect((await done(gateway, 'GET', path)).body.checks).toMatchObject(hook('Be*****ef').checks)
  const moved = { method: 'PUT', token: ADMIN_KEY, body: hook('Be*****ef', 'https://elsewhere.example.com') } as const
  expect((await send(`${gateway.url}${path}`, moved)).status).toBe(400)
  const told = await done(
    gateway,
    'GET',
    '/v2/audit-logs?start_time=2020-01-01T00:00:00Z&end_time=2090-01-01T00:00:00Z',
  )
  expect(told.text).toContain('default.webhook')
  for (const text of [shown.text, told.text, scene.output()]) expect(text).not.toContain('0123456789abcdef')
})

test('nothing of it is recorded, and the words are in no log', async () => {
  const path = await save('/v2', false, { deny: true })
  const asked = await send(`${gateway.url}${path}`, { method: 'POST', token: API_KEY, body: { text: CARD } })
  expect(asked.status).toBe(200)
  const { body } = await done(gateway, 'GET', '/v2/logs')
  expect(body.data).toEqual([])
  expect(scene.output()).not.toContain('4111 1111')
})
