import { beforeAll, expect, test } from 'bun:test'
import { expectError, paramOf } from '../../../test/conformance/management/expect-error.ts'
import { InvalidConfig } from '../../errors/gateway-error.ts'
import { describeOnBothStores, SLOW_START_MS } from '../../store/testing.ts'
import type { DryRunCall } from '../dry-run-call.ts'
import type { RouteVerdict } from './deps.ts'
import { type ConfigsScene, setConfigsScene } from './test-support.ts'

const STEP = { path: 'config', mode: 'fallback', decision: 'config.targets[0]', reason: 'It is the first.' } as const

describeOnBothStores('the dry run of a config', (store) => {
  let scene: ConfigsScene
  let verdict: RouteVerdict = { steps: [] }
  const asked: DryRunCall[] = []

  beforeAll(async () => {
    scene = await setConfigsScene(store(), {
      async dryRunRoute(call) {
        asked.push(call)
        return verdict
      },
    })
  }, SLOW_START_MS)

  const evaluate = (body: Readonly<Record<string, unknown>>, token?: string) =>
    scene.send('POST', '/configs/evaluate', body, token)

  test('goes through the call that the body describes', async () => {
    const { first, second } = scene.world.ours
    await evaluate({})
    const [bare] = asked.splice(0)
    expect(bare).toMatchObject({ workspaceId: first.id, endpoint: 'chat', body: {} })
    expect([...(bare?.headers ?? [])]).toEqual([])

    const key = await scene.send('POST', '/api-keys/service', {
      name: 'caller',
      scopes: ['completions.write'],
      workspace_id: second.slug,
    })
    await evaluate({
      workspace_id: second.slug,
      api_key_id: String(key.body.id).toUpperCase(),
      headers: { 'X-Gateway-Metadata': '{"plan":"paid"}' },
      body: { model: 'm' },
      endpoint: 'embeddings',
      config: 'pc-any',
    })
    const [full] = asked.splice(0)
    expect(full).toMatchObject({
      organisationId: scene.world.ours.organisationId,
      workspaceId: second.id,
      apiKeyId: key.body.id,
      body: { model: 'm' },
      endpoint: 'embeddings',
    })
    expect([...(full?.headers ?? [])]).toEqual([
      ['x-gateway-config', 'pc-any'],
      ['x-gateway-metadata', '{"plan":"paid"}'],
    ])
  })

  test('sends a config object in the header, whatever its characters', async () => {
    const config = { override_params: { user: 'Zoë \u{1f600} \u007f' }, provider: 'openai' }
    await evaluate({ config })
    const [call] = asked.splice(0)
    const text = call?.headers.get('x-gateway-config') ?? ''
    expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(JSON.parse(text)).toEqual(config)
  })

  test('answers what the router would do', async () => {
    verdict = {
      steps: [STEP],
      chosen: { path: 'config.targets[0]', provider: 'openai', virtualKey: 'main', model: 'gpt' },
    }
    expect((await evaluate({})).body).toEqual({
      chosen: { path: 'config.targets[0]', provider: 'openai', virtual_key: 'main', model: 'gpt' },
      steps: [STEP],
    })
    const firstToken = { limitMs: 12_000.4, answers: 7, p95Ms: 3_000.1, thinks: false }
    verdict = { steps: [STEP], chosen: { path: 'config', provider: 'openai', firstToken } }
    expect((await evaluate({})).body.chosen).toMatchObject({
      first_token: { limit_ms: 12_000, answers: 7, p95_ms: 3_000, thinks: false },
    })
    verdict = { steps: [STEP], chosen: { path: 'config', provider: 'openai' } }
    expect((await evaluate({})).body.chosen).toEqual({ path: 'config', provider: 'openai' })
  })

  test('answers what the call would be refused with, and what was decided until then', async () => {
    verdict = { steps: [STEP], error: new InvalidConfig('No condition fits.', { param: 'strategy.default' }) }
    expect((await evaluate({})).body).toEqual({
      chosen: null,
      steps: [STEP],
      error: {
        status: 400,
        message: 'No condition fits.',
        type: 'invalid_request_error',
        param: 'strategy.default',
        code: 'invalid_config',
      },
    })
  })

  test('is for who may read configs, about calls of their own workspace', async () => {
    asked.splice(0)
    const { first, second } = scene.world.ours
    const listed = await scene.send('GET', '/api-keys?page_size=1000')
    const keys = listed.body.data as { id: string; workspace_id: string | null }[]
    const ofSecond = keys.find((key) => key.workspace_id === second.id)?.id
    for (const token of [first.serviceKey, undefined]) {
      const refused = await evaluate({ api_key_id: ofSecond }, token)
      expectError(refused, 'management_reference')
      expect(paramOf(refused)).toBe('api_key_id')
    }
    expectError(await evaluate({ workspace_id: second.id }, first.serviceKey), 'management_forbidden')
    expect(asked).toEqual([])
  })

  test.each([
    ['headers.bad name', { headers: { 'bad name': 'x' } }],
    ['headers.x-a', { headers: { 'x-a': 'line\nbreak' } }],
    ['config', { headers: { 'x-gateway-config': 'pc-a' }, config: 'pc-b' }],
    ['config', { config: 5 }],
    ['endpoint', { endpoint: 'models' }],
  ])('refuses a wrong %s', async (param, body) => {
    const refused = await evaluate(body)
    expectError(refused, 'management_invalid')
    expect(paramOf(refused)).toBe(param)
  })
})
