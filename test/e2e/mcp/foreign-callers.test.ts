import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { API_KEY, type House, openHouse } from './support/house.ts'
import { startToolServer, type ToolServer } from './support/tool-server.ts'

setDefaultTimeout(120_000)

let tools: ToolServer
let house: House
let issuer: ReturnType<typeof Bun.serve>
let keys: Record<'own' | 'next' | 'other', CryptoKeyPair>
/** Keys that the issuer shows. */
const shown: ('own' | 'next')[] = ['own']
let asked = 0
let introspections = 0

beforeAll(async () => {
  tools = startToolServer()
  const make = () => generateKeyPair('RS256', { extractable: true })
  keys = { own: await make(), next: await make(), other: await make() }
  issuer = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      if (new URL(request.url).pathname === '/introspect') {
        introspections++
        const token = new URLSearchParams(await request.text()).get('token')
        const isRight = request.headers.get('authorization') === `Basic ${btoa('weir:a%20secret')}`
        return Response.json({ active: isRight && token === 'an opaque one'.replaceAll(' ', '-'), sub: 'opaque' })
      }
      asked++
      const jwks = await Promise.all(
        shown.map(async (kid) => ({ ...(await exportJWK(keys[kid].publicKey)), kid, alg: 'RS256', use: 'sig' })),
      )
      return Response.json({ keys: jwks })
    },
  })
  const at = `http://127.0.0.1:${issuer.port}`
  house = await openHouse([tools.host, `127.0.0.1:${issuer.port}`])
  await house.addServer('tools', tools.url, {
    configurations: {
      jwt_validation: {
        jwksUri: `${at}/jwks`,
        requiredClaims: ['sub', 'team'],
        claimValues: {
          aud: { values: 'the tools', matchType: 'contains' },
          team: { values: '^(red|blue)$', matchType: 'regex' },
        },
      },
      user_identity_forwarding: { method: 'bearer' },
      external_auth_config: { issuer: 'https://login.example' },
    },
  })
  await house.addServer('opaque', tools.url, {
    configurations: {
      jwt_validation: {
        ...{ introspectEndpoint: `${at}/introspect`, introspectClientId: 'weir', introspectClientSecret: 'a secret' },
        headerKey: 'X-Issued-Token',
      },
    },
  })
  await house.addServer('plain', tools.url)
})
afterAll(async () => {
  await house?.close()
  await tools?.close()
  await issuer?.stop(true)
})

const echo = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text: 'hello' } } }

const tokenOf = (
  claims: JWTPayload = {},
  { kid = 'own', expires = '5m', by = keys.own }: { kid?: string; expires?: string; by?: CryptoKeyPair } = {},
): Promise<string> =>
  new SignJWT({ sub: 'ann', aud: ['the tools'], team: 'red', ...claims })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setExpirationTime(expires)
    .sign(by.privateKey)

const statusWith = async (token: string, server = 'tools'): Promise<number> =>
  (await house.post(server, echo, { authorization: `Bearer ${token}` })).status

test('a token of the issuer is taken at its server, and passed on where that is said; elsewhere it is nothing', async () => {
  const token = await tokenOf()
  expect(await statusWith(token)).toBe(200)
  expect(tools.last().headers.get('authorization')).toBe(`Bearer ${token}`)
  expect(await statusWith(token, 'plain')).toBe(401)
  expect(await statusWith(token, 'opaque')).toBe(401)
  const headers = { authorization: `Bearer ${token}` }
  const chat = { method: 'POST', headers, body: '{"model":"@mock/mock","messages":[]}' }
  expect((await fetch(`${house.url}/v1/chat/completions`, chat)).status).toBe(401)
  expect((await fetch(`${house.url}/v2/mcp-servers`, { headers })).status).toBe(401)
  expect((await house.post('*', echo, headers)).status).toBe(401)

  // A key of the gateway does as well, and is passed on to nobody.
  expect((await house.post('tools', echo)).status).toBe(200)
  expect(JSON.stringify([...tools.last().headers])).not.toContain(API_KEY)
  expect(tools.last().headers.get('authorization')).toBeNull()
  // One look at the keys is enough for all of it.
  expect(asked).toBe(1)
})

describe('a token', () => {
  test.each<[string, () => Promise<string>]>([
    ['of another audience', () => tokenOf({ aud: 'another server' })],
    ['of nobody', () => tokenOf({ sub: '' })],
    ['without a claim that must be there', () => tokenOf({ team: undefined })],
    ['with another value', () => tokenOf({ team: 'green' })],
    ['with more than the value', () => tokenOf({ team: 'red or green' })],
    ['that has ended', () => tokenOf({}, { expires: '-1m' })],
    ['signed by somebody else', () => tokenOf({}, { by: keys.other })],
    ['of a key that there is not', () => tokenOf({}, { kid: 'none' })],
    ['that is not signed', async () => `${btoa('{"alg":"none"}')}.${(await tokenOf()).split('.')[1]}.`],
    ['that was changed', async () => (await tokenOf()).replace(/\.[^.]+\./, `.${btoa('{"sub":"root","exp":9e9}')}.`)],
    ['of 10 KB', () => tokenOf({ padding: 'x'.repeat(10_000) })],
  ])('%s is refused', async (_what, make) => {
    const answer = await house.post('tools', echo, { authorization: `Bearer ${await make()}` })
    expect(answer.status).toBe(401)
    expect(answer.text).not.toContain('root')
  })
})

test('users are told apart, and let in as the server says', async () => {
  const servers = (await house.manage('GET', '/mcp-servers')) as { data: { id: string; slug: string }[] }
  const id = servers.data.find(({ slug }) => slug === 'tools')?.id
  await house.manage('PUT', `/mcp-servers/${id}/user-access`, { default_user_access: 'deny' })
  const token = await tokenOf({ sub: 'bob' })
  await house.eventually(async () => (await statusWith(token)) === 403)
  await house.manage('PUT', `/mcp-servers/${id}/user-access`, { default_user_access: 'allow' })
  await house.eventually(async () => (await statusWith(token)) === 200)
})

test('an issuer is asked about what says nothing itself, in the header that is said', async () => {
  const headers = { authorization: '', 'x-issued-token': 'an-opaque-one' }
  for (let call = 0; call < 3; call++) expect((await house.post('opaque', echo, headers)).status).toBe(200)
  expect(introspections).toBe(1)
  expect((await house.post('opaque', echo, { ...headers, 'x-issued-token': 'another-one' })).status).toBe(401)
})

test('clients are told of the authorization server of the operator', async () => {
  const refused = await house.post('tools', echo, { authorization: 'Bearer no' })
  const [, at = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
  const about = await (await fetch(at)).json()
  expect(about).toMatchObject({
    resource: `${house.url}/mcp/tools/mcp`,
    authorization_servers: ['https://login.example'],
  })
  const plain = await house.post('plain', echo, { authorization: 'Bearer no' })
  expect([plain.status, plain.headers.get('www-authenticate')]).toEqual([401, null])
})

test.each([
  ['a*b(', 'has a pattern'],
  ['(?=a)', 'has a pattern'],
])('a pattern %s is refused when it is stored', async (pattern, words) => {
  const jwt = { jwksUri: 'https://a.example', claimValues: { team: { values: pattern, matchType: 'regex' } } }
  const body = {
    name: 'x',
    url: tools.url,
    auth_type: 'none',
    transport: 'http',
    configurations: { jwt_validation: jwt },
  }
  await expect(house.manage('POST', '/mcp-integrations', body)).rejects.toThrow(words)
})
