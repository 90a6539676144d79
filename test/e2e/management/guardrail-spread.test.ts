import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { hasStatus, type Reply, send, textOf, within } from './support/http.ts'
import { API_KEY, done, openScene, type Scene, SLOW_MS, SPREAD_MS } from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

const CARD = 'My card is 4111 1111 1111 1111.'

let scene: Scene
let first: RunningGateway
let second: RunningGateway

beforeAll(async () => {
  scene = await openScene({ store: 'postgres' })
  first = await scene.start()
  second = await scene.start()
})
afterAll(() => scene.close())

const noCards = { id: 'gateway.pii', parameters: { categories: ['CREDIT_CARD'] } }

const save = async (path: string, body: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  textOf(
    await done(first, 'POST', path, { name: 'No cards', checks: [noCards], actions: { deny: true }, ...body }),
    'slug',
  )

/** A prompt with the number of a card. */
const ask = (gateway: RunningGateway, config: Readonly<Record<string, unknown>> = {}): Promise<Reply> =>
  send(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    token: API_KEY,
    headers: { 'x-gateway-config': JSON.stringify({ provider: 'mock', ...config }) },
    body: { model: 'mock', messages: [{ role: 'user', content: CARD }] },
  })

test('a guardrail that is made, changed, archived or deleted on one process is so on the other soon', async () => {
  const slug = await save('/v2/guardrails')
  const guarded = (gateway: RunningGateway) => () => ask(gateway, { input_guardrails: [slug] })
  await within(SPREAD_MS, guarded(second), hasStatus(446))
  expect((await guarded(second)()).body).toMatchObject({
    error: { type: 'hooks_failed' },
    hook_results: { before_request_hooks: [{ verdict: false, deny: true, checks: [{ id: 'gateway.pii' }] }] },
  })
  await done(second, 'PUT', `/v2/guardrails/${slug}`, { checks: [{ ...noCards, is_enabled: false }] })
  await within(SPREAD_MS, guarded(first), hasStatus(200))
  await done(first, 'PUT', `/v2/guardrails/${slug}`, { status: 'archived' })
  await within(SPREAD_MS, guarded(second), hasStatus(400))
  await done(first, 'DELETE', `/v2/guardrails/${slug}`)
})

test('so are the defaults of a workspace and of the organisation, and who is excluded from those', async () => {
  const [own, shared] = [await save('/v2/guardrails'), await save('/admin/v2/guardrails')]
  await done(first, 'PUT', '/v2/workspaces/ws-default', { defaults: { input_guardrails: [own] } })
  await within(SPREAD_MS, () => ask(second), hasStatus(446))
  await done(second, 'PUT', '/v2/workspaces/ws-default', { defaults: { input_guardrails: null } })
  await within(SPREAD_MS, () => ask(first), hasStatus(200))

  await done(first, 'PUT', '/admin/v2/organisation/defaults', { input_guardrails: [shared] })
  await within(SPREAD_MS, () => ask(second), hasStatus(446))
  const exclude = (excluded: boolean) =>
    done(first, 'PUT', '/admin/v2/workspace-exclusions/input-guardrails', {
      workspaces: [{ workspace_id: 'ws-default', excluded }],
    })
  await exclude(true)
  await within(SPREAD_MS, () => ask(second), hasStatus(200))
  await exclude(false)
  await within(SPREAD_MS, () => ask(second), hasStatus(446))
  await done(first, 'PUT', '/admin/v2/organisation/defaults', { input_guardrails: null })
  await within(SPREAD_MS, () => ask(second), hasStatus(200))
})

test('no process logged a fault', () => {
  expect(scene.output()).not.toContain('for a reason of ours')
})
