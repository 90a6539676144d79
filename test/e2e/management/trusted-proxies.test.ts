import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { send } from './support/http.ts'
import { ADMIN_KEY, manage, openScene, type Scene, SLOW_MS } from './support/scene.ts'

setDefaultTimeout(SLOW_MS)

const CLIENT = '198.51.100.7'
let scene: Scene
let other: Scene
let trusting: RunningGateway
let trustingForwarded: RunningGateway
let plain: RunningGateway

beforeAll(async () => {
  scene = await openScene({ store: 'postgres' })
  plain = await scene.start()
  trusting = await scene.start({ WEIR_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' })
  other = await openScene({ store: 'pglite' })
  const config = Bun.file(`${other.folder}/weir.config.yaml`)
  await Bun.write(config, (await config.text()).replace('server: {', 'server: { forwardedHeaders: forwarded,'))
  trustingForwarded = await other.start({ WEIR_TRUSTED_PROXIES: '127.0.0.1' })
})
afterAll(() => Promise.all([scene.close(), other.close()]))

/** A change with these headers, and the address that the audit log then shows. */
const addressOfChange = async (gateway: RunningGateway, headers: Record<string, string>): Promise<unknown> => {
  const body = { name: crypto.randomUUID(), scopes: ['completions.write'] }
  const made = await send(`${gateway.url}/v2/api-keys/service`, { method: 'POST', token: ADMIN_KEY, headers, body })
  expect(made.status).toBe(200)
  const times = 'start_time=2020-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z'
  const request = made.headers.get('x-gateway-request-id')
  const { body: log } = await manage(gateway, 'GET', `/v2/audit-logs?${times}&request_id=${request}`)
  return (log.records as readonly Record<string, unknown>[])[0]?.client_ip
}

describe('the audit log', () => {
  test.each<[string, () => RunningGateway, Record<string, string>, string]>([
    [
      'the connection where no proxy is trusted',
      () => plain,
      { 'x-forwarded-for': CLIENT, forwarded: `for=${CLIENT}` },
      '127.0.0.1',
    ],
    ['what a trusted proxy says', () => trusting, { 'x-forwarded-for': CLIENT }, CLIENT],
    [
      'not what the client wrote into the header',
      () => trusting,
      { 'x-forwarded-for': `1.1.1.1, ${CLIENT}, 10.9.9.9` },
      CLIENT,
    ],
    ['not the other header', () => trusting, { forwarded: 'for=1.1.1.1' }, '127.0.0.1'],
    [
      '`forwarded` where that is set',
      () => trustingForwarded,
      { forwarded: `for="${CLIENT}:99"`, 'x-forwarded-for': '1.1.1.1' },
      CLIENT,
    ],
  ])('shows %s', async (_, gateway, headers, address) => {
    expect(await addressOfChange(gateway(), headers)).toBe(address)
  })
})

describe('attempts', () => {
  const guess = (gateway: RunningGateway, address: string) =>
    send(`${gateway.url}/v2/invites/accept`, {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      body: { token: 'a guess' },
    })

  test('are counted by the address that the proxy saw, and a header of the client buys none', async () => {
    for (let tries = 0; tries < 20; tries++) {
      expect((await guess(trusting, `203.0.113.${tries}, ${CLIENT}`)).status).toBe(404)
    }
    expect((await guess(trusting, `203.0.113.99, ${CLIENT}`)).status).toBe(429)
    expect((await guess(trusting, '198.51.100.8')).status).toBe(404)
    for (let tries = 0; tries < 20; tries++) expect((await guess(plain, `203.0.113.${tries}`)).status).toBe(404)
    expect((await guess(plain, '203.0.113.99')).status).toBe(429)
  })
})

test('links and addresses begin with https where a trusted proxy says so, and nowhere else', async () => {
  for (const [gateway, scheme] of [
    [trusting, 'https'],
    [plain, 'http'],
  ] as const) {
    const call = { token: ADMIN_KEY, headers: { 'x-forwarded-proto': 'https' } }
    const body = { email: `${crypto.randomUUID()}@example.com`, role: 'member' }
    const invited = await send(`${gateway.url}/v2/users/invites`, { ...call, method: 'POST', body })
    const { host } = new URL(gateway.url)
    expect(invited.body.invite_link).toStartWith(`${scheme}://${host}/sign-in?invite=`)
    const { body: scim } = await send(`${gateway.url}/scim/v2/ServiceProviderConfig`, call)
    expect(scim.meta).toMatchObject({ location: `${scheme}://${host}/scim/v2/ServiceProviderConfig` })
  }
})
