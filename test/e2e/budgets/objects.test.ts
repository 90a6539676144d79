import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { RunningGateway } from '../../support/command.ts'
import { type Reply, send, textOf, within } from '../management/support/http.ts'
import { API_KEY, done, manage, openScene, type Scene, SLOW_MS } from '../management/support/scene.ts'

setDefaultTimeout(SLOW_MS)

/** Long enough that a call has more than the 100 tokens that are the smallest budget. */
const TEXT = 'how much is left of the budget '.repeat(20)
const SPREAD_MS = 5_000

let scene: Scene
let gateway: RunningGateway
let privateKey: CryptoKey
let organisationId: string
/** Tokens of one call. */
let perCall: number
beforeAll(async () => {
  scene = await openScene({ store: 'pglite' })
  const pair = await generateKeyPair('RS256', { extractable: true })
  privateKey = pair.privateKey
  const jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one' }] }
  const file = join(scene.folder, 'weir.config.yaml')
  await Bun.write(file, `${await Bun.file(file).text()}jwt: { jwks: ${JSON.stringify(jwks)} }\n`)
  gateway = await scene.start()
  organisationId = textOf(await done(gateway, 'GET', '/v2/workspaces/ws-default'), 'organisation_id')
  const first = await ask({})
  perCall = (first.body.usage as { total_tokens: number }).total_tokens
  expect(perCall).toBeGreaterThan(100)
})
afterAll(() => scene.close())

interface Ask {
  readonly token?: string
  readonly provider?: string
  readonly headers?: Readonly<Record<string, string>>
}

const ask = ({
  token = API_KEY,
  provider = 'mock',
  headers = { 'x-gateway-provider': provider },
}: Ask): Promise<Reply> =>
  send(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    token,
    headers,
    body: { model: 'mock', messages: [{ role: 'user', content: TEXT }] },
  })

/** Lets one call through, and the second, which exceeds it. */
const budget = () => ({ type: 'tokens', credit_limit: perCall + 1, periodic_reset: 'monthly' })

type Shown = Readonly<Record<string, unknown>>

/** Two calls are answered, and the third is refused once both are counted. */
const expectSpent = async (call: Ask, type: string): Promise<void> => {
  await within(
    SPREAD_MS,
    () => ask(call),
    ({ status }) => status === 200,
  )
  expect((await ask(call)).status).toBe(200)
  const refusals: Reply[] = []
  await within(
    SPREAD_MS,
    () => ask(call),
    (reply) => reply.status === 412 && refusals.push(reply) > 0,
  )
  expect(refusals[0]?.body).toMatchObject({ error: { type, code: '04', param: null } })
  // It says when the count begins anew.
  const now = new Date()
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString()
  expect(refusals[0]?.text).toContain(nextMonth)
}

/** After `reset_usage` calls pass again. */
const expectReset = async (call: Ask, path: string, body: Shown = { reset_usage: true }): Promise<void> => {
  await done(gateway, 'PUT', path, body)
  await within(
    SPREAD_MS,
    () => ask(call),
    ({ status }) => status === 200,
  )
}

const newKey = (fields: Shown): Promise<Reply> =>
  done(gateway, 'POST', '/v2/api-keys/service', {
    name: 'k',
    scopes: ['completions.write', 'logs.list', 'logs.view'],
    workspace_id: 'ws-default',
    ...fields,
  })

/** An integration of the organisation at the recording provider. */
const newIntegration = async (slug: string, grants: Shown): Promise<void> => {
  await done(gateway, 'POST', '/admin/v2/integrations', {
    name: slug,
    ai_provider_id: 'openai',
    slug,
    key: `key-of-${slug}-0123456789`,
    configurations: { custom_host: `${scene.upstream.url}/v1` },
  })
  await done(gateway, 'PUT', `/admin/v2/integrations/${slug}/workspaces`, { create_default_provider: false, ...grants })
}

test('a key whose budget is used up gets 412, says so, and reads what asks no model', async () => {
  const made = await newKey({ usage_limits: budget() })
  const call = { token: textOf(made, 'key') }
  const path = `/v2/api-keys/${textOf(made, 'id')}`
  await expectSpent(call, 'api_key_exhaust_error')
  const shown = (await done(gateway, 'GET', path)).body
  expect(shown).toMatchObject({ status: 'exhausted', usage_limits: { status: 'exhausted' } })
  expect((shown.usage_limits as { current_usage: number }).current_usage % perCall).toBe(0)
  const { data } = (await done(gateway, 'GET', '/v2/api-keys?status=exhausted')).body
  expect((data as { id: string }[]).map(({ id }) => id)).toEqual([textOf(made, 'id')])
  for (const read of ['/v1/models', '/v1/files', '/v1/batches', '/v1/fine_tuning/jobs', '/v2/logs']) {
    const reply = await send(`${gateway.url}${read}`, { ...call, headers: { 'x-gateway-provider': 'openai' } })
    expect([read, reply.status]).not.toEqual([read, 412])
    expect(reply.text).not.toContain('exhaust_error')
  }
  await expectReset(call, path)
  await within(
    SPREAD_MS,
    () => manage(gateway, 'GET', path),
    ({ body }) => body.status === 'active',
  )
})

test('a raised limit lets calls of a key through again, and forgets nothing', async () => {
  const made = await newKey({ usage_limits: budget() })
  const call = { token: textOf(made, 'key') }
  const path = `/v2/api-keys/${textOf(made, 'id')}`
  await expectSpent(call, 'api_key_exhaust_error')
  await expectReset(call, path, { usage_limits: { ...budget(), credit_limit: 100 * perCall } })
  const { usage_limits: shown } = (await done(gateway, 'GET', path)).body
  expect((shown as { current_usage: number }).current_usage).toBeGreaterThanOrEqual(2 * perCall)
})

test('the budget of a workspace holds for each of its keys', async () => {
  const workspace = await done(gateway, 'POST', '/admin/v2/workspaces', { name: 'spent', usage_limits: [budget()] })
  const workspaceId = textOf(workspace, 'id')
  const [one, other] = [await newKey({ workspace_id: workspaceId }), await newKey({ workspace_id: workspaceId })]
  await expectSpent({ token: textOf(one, 'key') }, 'workspace_exhaust_error')
  expect((await ask({ token: textOf(other, 'key') })).status).toBe(412)
  const path = `/admin/v2/workspaces/${workspaceId}`
  expect((await done(gateway, 'GET', path)).body).toMatchObject({ usage_limits: [{ status: 'exhausted' }] })
  await expectReset({ token: textOf(other, 'key') }, path)
})

test.each(['providers', 'virtual-keys'])(
  'a fallback goes past a provider whose budget is used up: /%s',
  async (kind) => {
    const slug = `spent-${kind}`
    await newIntegration(`${slug}-integration`, { workspaces: [{ id: 'ws-default', enabled: true }] })
    const fields = { name: slug, slug, integration_id: `${slug}-integration`, usage_limits: budget() }
    await done(gateway, 'POST', '/v2/providers', fields)
    const call = { provider: `@${slug}` }
    await expectSpent(call, 'virtual_key_exhaust_error')
    expect((await done(gateway, 'GET', `/v2/${kind}/${slug}`)).body).toMatchObject({ status: 'exhausted' })
    const config = { strategy: { mode: 'fallback' }, targets: [{ provider: `@${slug}` }, { provider: 'mock' }] }
    const over = await ask({ headers: { 'x-gateway-config': JSON.stringify(config) } })
    expect([over.status, over.headers.get('x-gateway-last-used-option-index')]).toEqual([200, 'config.targets[1]'])
    await expectReset(call, `/v2/${kind}/${slug}`)
  },
)

test('the budget of a workspace at an integration holds for its providers, whatever their own', async () => {
  const slug = 'spent-grant'
  const grant = { id: 'ws-default', enabled: true, usage_limits: [budget()] }
  await newIntegration(slug, { workspaces: [grant] })
  const own = { usage_limits: { ...budget(), credit_limit: 1_000_000 } }
  await done(gateway, 'POST', '/v2/providers', { name: slug, slug, integration_id: slug, ...own })
  await expectSpent({ provider: `@${slug}` }, 'integration_exhaust_error')
  expect((await done(gateway, 'GET', `/v2/providers/${slug}`)).body).toMatchObject({ status: 'exhausted' })
  const reset = { workspaces: [{ id: 'ws-default', enabled: true, reset_usage: true }] }
  await expectReset({ provider: `@${slug}` }, `/admin/v2/integrations/${slug}/workspaces`, reset)
})

test('the budget of the access of all holds for a workspace without a word of its own', async () => {
  const slug = 'spent-global'
  await newIntegration(slug, { global_workspace_access: { enabled: true, usage_limits: [budget()] } })
  await done(gateway, 'POST', '/v2/providers', { name: slug, slug, integration_id: slug })
  await expectSpent({ provider: `@${slug}` }, 'integration_exhaust_error')
})

const sign = (claims: Shown): Promise<string> =>
  new SignJWT({ organisation_id: organisationId, workspace: 'ws-default', scope: 'completions.write', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'one' })
    .setExpirationTime('1h')
    .sign(privateKey)

test('a foreign token brings its budget and its rate limits; all tokens of a user share them', async () => {
  const claims = { sub: 'anna', usage_limits: [budget()] }
  await expectSpent({ token: await sign(claims) }, 'api_key_exhaust_error')
  expect((await ask({ token: await sign({ ...claims, jti: 'another' }) })).status).toBe(412)
  expect((await ask({ token: await sign({ ...claims, sub: 'bob' }) })).status).toBe(200)
  const limited = await sign({ sub: 'carl', rate_limits: [{ type: 'requests', unit: 'rpd', value: 1 }] })
  expect((await ask({ token: limited })).status).toBe(200)
  const refused = await ask({ token: limited })
  expect([refused.status, refused.body]).toMatchObject([429, { error: { type: 'api_key_rate_limit_error' } }])
})

test('a foreign token whose limits cannot be read is refused with 401', async () => {
  const refused = await ask({ token: await sign({ usage_limits: { credit_limit: -5 } }) })
  expect(refused.status).toBe(401)
  expect(refused.text).toContain('usage_limits[0].credit_limit')
})
