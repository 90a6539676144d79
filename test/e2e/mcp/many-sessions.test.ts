import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { VERSION } from '../../../src/version.ts'
import { API_KEY, EVERY, type Everything, type House, openHouse, startEverything } from './support/house.ts'
import { startToolServer, type ToolServer } from './support/tool-server.ts'

setDefaultTimeout(120_000)

let everything: Everything
let house: House
let one: ToolServer
let oneId: string

beforeAll(async () => {
  everything = await startEverything()
  one = startToolServer()
  house = await openHouse([...everything.hosts, one.host])
  await house.addServer('new', everything.http)
  await house.addServer('old', everything.sse, { transport: 'sse' })
  oneId = await house.addServer('one', one.url)
})
afterAll(async () => {
  await house?.close()
  await everything?.close()
  await one?.close()
})

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a test', version: '1' } },
}
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
const call = (name: string, args: object = {}, id: number | string = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const messageIn = (body: string) => JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body)
const begin = async (params: object = initialize.params): Promise<string> => {
  const answer = await house.post(EVERY, { ...initialize, params })
  expect(messageIn(answer.text).result.serverInfo).toEqual({ name: 'weir', title: 'Weir', version: VERSION })
  return answer.headers.get('mcp-session-id') ?? ''
}
const bare = async (method: string, session: string, key = API_KEY): Promise<number> => {
  const response = await fetch(`${house.url}/mcp`, {
    method,
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', 'mcp-session-id': session },
  })
  await response.body?.cancel()
  return response.status
}

test('a session that is none, is somebody else’s, or has ended is refused, whatever is asked', async () => {
  const session = await begin()
  expect((await house.post(EVERY, ping, { 'mcp-session-id': session })).status).toBe(200)
  const { key } = await house.addPerson({ userName: 'eve@example.com' }, ['mcp.invoke'])
  await house.eventually(async () => (await house.post(EVERY, ping, { authorization: `Bearer ${key}` })).status === 200)
  const refusedFor = async (id: string, as = API_KEY): Promise<void> => {
    const notice = { jsonrpc: '2.0', method: 'notifications/roots/list_changed' }
    for (const message of [ping, notice, { ...ping, method: 'tools/list' }, call('one__echo')]) {
      const { status } = await house.post(EVERY, message, { 'mcp-session-id': id, authorization: `Bearer ${as}` })
      expect([message.method, status]).toEqual([message.method, 404])
    }
    for (const method of ['GET', 'DELETE']) expect([method, await bare(method, id, as)]).toEqual([method, 404])
  }
  await refusedFor(crypto.randomUUID())
  await refusedFor(session, key)
  expect(await bare('DELETE', session)).toBe(200)
  await refusedFor(session)
})

test('who says much of itself keeps its abilities; abilities that are too long are refused by name', async () => {
  const client = new Client(
    { name: 'a test', version: '1.0.0', icons: [{ src: `data:image/png;base64,${'A'.repeat(6_000)}` }] },
    { capabilities: { elicitation: {}, roots: {} } },
  )
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' }))
  client.setRequestHandler(ListRootsRequestSchema, async () => ({ roots: [{ uri: 'file:///here' }] }))
  await house.connect(EVERY, client)
  for (const server of ['new', 'old']) {
    const name = `${server}__trigger-elicitation-request`
    // Its server offers it once it has heard that its client is able.
    await house.eventually(async () => (await client.listTools()).tools.some((tool) => tool.name === name))
    const asked = await client.callTool({ name, arguments: {} })
    expect([server, JSON.stringify(asked)]).toEqual([server, expect.stringContaining('declined')])
  }
  const params = { ...initialize.params, capabilities: { experimental: { long: 'A'.repeat(6_000) } } }
  const { status, text } = await house.post(EVERY, { ...initialize, params })
  expect([status, messageIn(text).error]).toEqual([
    200,
    expect.objectContaining({ code: -32602, message: expect.stringContaining('capabilities') }),
  ])
})

test('what a client gives up is given up at its server, which knows it by the same id', async () => {
  const session = await begin()
  const headers = { 'mcp-session-id': session }
  const hanging = house.post(EVERY, call('one__hangs', {}, 'slow'), headers)
  await house.eventually(async () => one.last().body.includes('hangs'))
  const params = { requestId: 'slow', reason: 'not wanted any more' }
  const notice = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
  expect((await house.post(EVERY, notice, headers)).status).toBe(202)
  expect(JSON.parse(one.last().body)).toEqual(notice)
  one.release()
  await hanging
  // What nobody runs goes nowhere.
  const before = one.count()
  expect((await house.post(EVERY, notice, headers)).status).toBe(202)
  expect(one.count()).toBe(before)
})

test('a call carries every digit of its numbers, and ids that cannot be kept are refused by name', async () => {
  const exact = '{"serial":9007199254740993,"price":0.12345678901234567890,"name":"12345678901234567890"}'
  const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"one__echo","arguments":${exact}}}`
  expect((await house.post(EVERY, body)).status).toBe(200)
  expect(one.last().body).toContain(exact)
  const refused = await house.post(EVERY, '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}')
  expect([refused.status, JSON.parse(refused.text).error.message]).toEqual([400, expect.stringContaining('`id`')])
})

test('somebody finds and calls what they may use, and nothing else is there', async () => {
  const { userId, workspaceId, key } = await house.addPerson({ userName: 'ada@example.com' }, ['mcp.invoke'])
  const asAda = { authorization: `Bearer ${key}` }
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  const names = async (): Promise<string> => (await house.post(EVERY, list, asAda)).text
  await house.eventually(async () => (await names()).includes('one__echo'))
  await house.manage('PUT', `/mcp-servers/${oneId}/user-access?workspace_id=${workspaceId}`, {
    user_access: [{ user_id: userId, enabled: false }],
  })
  await house.eventually(async () => !(await names()).includes('one__echo'))
  const before = one.count()
  expect(messageIn((await house.post(EVERY, call('one__echo'), asAda)).text).error.code).toBe(-32602)
  expect(one.count()).toBe(before)
  expect((await house.post(EVERY, call('one__echo'))).status).toBe(200)
})

test('calls of tools use up the budget of their key', async () => {
  const { data } = await house.manage('GET', '/admin/workspaces')
  const [{ id: workspace_id = '' } = {}] = data as { id?: string }[]
  const { key } = await house.manage('POST', '/api-keys/workspace/service', {
    name: 'of few tokens',
    workspace_id,
    scopes: ['mcp.invoke'],
    usage_limits: { type: 'tokens', credit_limit: 100 },
  })
  const asService = { authorization: `Bearer ${key}` }
  let answer = await house.post(EVERY, call('one__echo'), asService)
  await house.eventually(async () => {
    answer = await house.post(EVERY, call('one__echo', { text: 'some words, many times over' }), asService)
    return answer.status === 412
  })
  expect(messageIn(answer.text)).toMatchObject({ id: 1, error: { data: { budget: expect.anything() } } })
})
