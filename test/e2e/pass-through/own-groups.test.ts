import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Scene, startScene } from './support/upstream.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

const SECRET = 'a-secret-of-the-house'

describe('what belongs to the management interface never leaves the house', () => {
  test.each([
    '/v1/secret-references',
    '/v1/secret-references/some-id',
    '/v1/logs',
    '/v1/feedback',
    '/v1/guardrails',
    '/v1/mcp-servers/one/capabilities',
    '/v1/api-keys/some/where/else',
    '/v1/integrations/one/secrets',
    '/v1/admin/users',
    '/v1/scim/v2/Users',
    '/v1/model-configs/pricing/openai/gpt-5',
    '/v1/Secret-References',
    '/v1/secret%2Dreferences',
    '/v1/v2/secret-references',
    '/openai/v1/secret-references',
  ])('%s', async (path) => {
    const before = scene.arrived.length
    const headers = { 'x-gateway-provider': 'openai' }
    const answer = await scene.call('POST', path, { body: JSON.stringify({ value: SECRET }), headers })
    expect([path, answer.status, JSON.parse(answer.text)]).toMatchObject([path, 404, { error: { code: 'not_found' } }])
    expect(scene.arrived.length).toBe(before)
  })

  test('a provider with paths of these names is reached by /gateway', async () => {
    scene.answer = () => Response.json({ ok: true })
    for (const path of ['/v1/gateway/logs', '/v1/gateway/v1/feedback', '/v1/logs-of-mine']) {
      const answer = await scene.call('POST', path, { body: '{}', headers: { 'x-gateway-provider': 'openai' } })
      expect([path, answer.status]).toEqual([path, 200])
    }
  })
})
