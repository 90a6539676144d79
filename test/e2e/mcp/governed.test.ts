import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { API_KEY, type House, openHouse } from './support/house.ts'
import { startToolServer, type ToolServer } from './support/tool-server.ts'

setDefaultTimeout(120_000)

let tools: ToolServer
let house: House
let serverId: string

beforeAll(async () => {
  tools = startToolServer()
  house = await openHouse([tools.host])
  serverId = await house.addServer('tools', tools.url, {
    auth_type: 'headers',
    configurations: {
      headers: { authorization: 'Bearer of the integration' },
      passthrough_headers: { 'x-version': '2' },
      forward_headers: ['x-request-id', { from: 'x-tenant', to: 'x-customer' }, 'authorization', 'x-gateway-api-key'],
      user_identity_forwarding: { method: 'claims_header', include_claims: ['client_id', 'workspace_id'] },
    },
  })
})
afterAll(async () => {
  await house?.close()
  await tools?.close()
})

const call = (name: string, args: object, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** The one event of an answer. */
const dataOf = (text: string): unknown => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null')

test('the server behind gets its own credentials and what it is to be told, and no key of the gateway', async () => {
  const answer = await house.post('tools', call('echo', { text: 'a' }), { 'x-request-id': 'r-1', 'x-tenant': 'blue' })
  expect(answer.status).toBe(200)
  const { headers } = tools.last()
  expect(headers.get('authorization')).toBe('Bearer of the integration')
  expect(headers.get('x-version')).toBe('2')
  expect(headers.get('x-request-id')).toBe('r-1')
  expect(headers.get('x-customer')).toBe('blue')
  expect(Object.keys(JSON.parse(headers.get('x-user-claims') ?? '{}'))).toEqual(['workspace_id', 'client_id'])
  expect(JSON.stringify([...headers])).not.toContain(API_KEY)
})

test('a guardrail refuses arguments and results, and changes them', async () => {
  const guardrail = async (name: string, body: object): Promise<void> => {
    const { id } = await house.manage('POST', '/guardrails', { name, target: 'mcp_tools', ...body })
    await house.manage('PUT', `/guardrails/${id}/mcp-servers`, {
      mcp_servers: { [serverId]: { run_on: ['input', 'output'] } },
    })
  }
  await guardrail('forbids', {
    checks: [{ id: 'default.contains', parameters: { words: ['forbidden'], operator: 'none' } }],
    actions: { deny: true },
  })
  await guardrail('redacts', {
    checks: [{ id: 'default.regexReplace', parameters: { rule: '[0-9]{4}-[0-9]{4}', redactText: '[number]' } }],
  })
  await house.eventually(async () =>
    (await house.post('tools', call('echo', { text: 'forbidden' }))).text.includes('-32446'),
  )
  // The second one was made later, so it may be known later.
  await house.eventually(async () => {
    await house.post('tools', call('echo', { text: '0000-0000' }))
    return tools.last().body.includes('[number]')
  })

  const before = tools.count()
  const refused = await house.post('tools', call('echo', { text: 'forbidden' }, 5))
  expect(refused.status).toBe(200)
  expect(JSON.parse(refused.text)).toMatchObject({
    id: 5,
    error: {
      code: -32446,
      data: { guardrail_id: expect.any(String), reason: expect.stringContaining('default.contains') },
    },
  })
  expect(tools.count()).toBe(before)

  const answered = dataOf((await house.post('tools', call('say', { words: 'for|bidden' }))).text)
  expect(answered).toMatchObject({ id: 1, error: { code: -32446 } })
  expect(JSON.stringify(answered)).not.toContain('forbidden')

  await house.post('tools', call('echo', { text: 'my 1234-5678' }))
  expect(tools.last().body).toContain('my [number]')
  await house.post('tools', [call('echo', { text: 'one 1234-5678' }, 1), call('echo', { text: 'two 8765-4321' }, 2)])
  expect(tools.last().body).toContain('one [number]')
  expect(tools.last().body).toContain('two [number]')
  const changed = await house.post('tools', call('say', { words: '8765-|4321 is it' }))
  expect(changed.text).toContain('[number] is it')
})

test('an answer of a stream that a client goes on with is looked at as if it had come at once', async () => {
  await house.manage('POST', '/mcp-integrations/tools/sync')
  await house.manage('PUT', '/mcp-servers/tools/capabilities', {
    capabilities: [{ name: 'say', type: 'tool', enabled: false }],
  })
  const result = (text: string) => ({ content: [{ type: 'text', text }] })
  const answer = (id: number, given: object): object => ({ jsonrpc: '2.0', id, result: given })
  const list = { tools: ['echo', 'say'].map((name) => ({ name, inputSchema: { type: 'object' } })) }
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } }
  tools.tell([
    JSON.stringify(progress),
    JSON.stringify(answer(7, list)),
    JSON.stringify(answer(8, result('call 5555-1234'))),
    JSON.stringify(answer(9, result('a forbidden word'))),
    JSON.stringify([answer(10, result('a forbidden batch')), progress]),
    '{"jsonrpc":"2.0","id":11,"result":{"content":[]},"result":{"content":[{"type":"text","text":"a forbidden twin"}]}}',
    'what is forbidden',
  ])
  const heard = async (): Promise<readonly Record<string, unknown>[]> => {
    const response = await fetch(`${house.url}/mcp/tools/mcp`, {
      headers: { authorization: `Bearer ${API_KEY}`, accept: 'text/event-stream', 'last-event-id': '3' },
    })
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).not.toMatch(/forbidden (?:word|batch|twin)|is forbidden/)
    return [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, data = '']) => JSON.parse(data))
  }
  await house.eventually(async () => !JSON.stringify(await heard()).includes('"say"'))
  const denied = { code: -32446, data: { guardrail_id: expect.any(String) } }
  expect(await heard()).toMatchObject([
    progress,
    answer(7, { tools: [{ name: 'echo' }] }),
    answer(8, result('call [number]')),
    { id: 9, error: denied },
    { id: 10, error: denied },
    progress,
  ])
  expect(tools.last().headers.get('authorization')).toBe('Bearer of the integration')
  tools.tell([])
})

test('a policy of a few calls a minute stops the next one, and says how long to wait; another tool goes on', async () => {
  await house.manage('POST', '/policies/rate-limits', {
    name: 'few',
    target: 'mcp_tools',
    type: 'requests',
    unit: 'rpm',
    value: 2,
    conditions: [
      { key: 'mcp_server', value: 'tools' },
      { key: 'mcp_tool', value: 'counted' },
    ],
    group_by: [{ key: 'api_key' }],
  })
  let last = await house.post('tools', call('counted', {}))
  const statuses = [last.status]
  await house.eventually(async () => {
    last = await house.post('tools', call('counted', {}, 9))
    statuses.push(last.status)
    return last.status === 429
  })
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2)
  expect(JSON.parse(last.text)).toMatchObject({
    jsonrpc: '2.0',
    id: 9,
    error: { data: { retry_after_ms: expect.any(Number) } },
  })
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await house.post('tools', call('echo', { text: 'a' }))).status).toBe(200)
})

test('every call of a tool is in the records: server, tool, status, guardrails', async () => {
  await house.post('tools', call('recorded', { text: 'a' }))
  let found: readonly Readonly<Record<string, unknown>>[] = []
  await house.eventually(async () => {
    const { data } = await house.manage('GET', '/logs?endpoint=mcp-messages&provider=tools&model=recorded')
    found = data as typeof found
    return found.length > 0
  })
  expect(JSON.stringify(found[0])).toContain('"recorded"')
  const { data: denied } = await house.manage('GET', '/logs?endpoint=mcp-messages&error_code=guardrail_denied')
  expect((denied as unknown[]).length).toBeGreaterThan(0)
})

test('a server may be told who calls by a signature, which it checks with the keys of the gateway', async () => {
  await house.addServer('signed', tools.url, {
    configurations: { user_identity_forwarding: { method: 'jwt_header', include_claims: ['client_id'] } },
  })
  await house.post('signed', call('echo', { text: 'a' }))
  const token = tools.last().headers.get('x-user-jwt') ?? ''
  const keys = createRemoteJWKSet(new URL(`${house.url}/.well-known/jwks.json`))
  const { payload, protectedHeader } = await jwtVerify(token, keys, { audience: tools.url, issuer: 'weir' })
  expect(protectedHeader.alg).toBe('RS256')
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(300)
  expect(payload.client_id).toEqual(expect.any(String))
})

test('a server may be told which person calls', async () => {
  const name = { givenName: 'Ada', familyName: 'Lovelace' }
  const { userId, key } = await house.addPerson({ userName: 'ada@example.com', name }, ['mcp.invoke'])
  await house.addServer('personal', tools.url, {
    configurations: {
      user_identity_forwarding: { method: 'claims_header', include_claims: ['sub', 'email', 'username'] },
    },
  })
  const asAda = { authorization: `Bearer ${key}` }
  await house.eventually(async () => (await house.post('personal', call('echo', { text: 'a' }), asAda)).status === 200)
  expect(JSON.parse(tools.last().headers.get('x-user-claims') ?? '{}')).toEqual({
    sub: userId,
    email: 'ada@example.com',
    username: 'Ada Lovelace',
  })
})

test('a page of another origin is refused', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  expect((await house.post('tools', ping, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await house.post('tools', ping, { origin: house.url })).status).toBe(200)
})

test('what is no message is told so', async () => {
  for (const [body, code] of [
    ['{', -32700],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', -32700],
    ['{"jsonrpc":"2.0","id":1,"Method":"tools/call","method":"ping"}', -32700],
    ['{"id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['[]', -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}', -32602],
  ] as const) {
    const { status, text } = await house.post('tools', body)
    expect([body, status, JSON.parse(text).error.code]).toEqual([body, 400, code])
  }
  const large = call('echo', { text: 'a'.repeat(4 * 1024 * 1024) })
  expect((await house.post('tools', large)).status).toBe(413)
  expect((await house.post('tools', 'a', { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await house.post('none', { jsonrpc: '2.0', id: 1, method: 'ping' })).status).toBe(404)
})
