import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { API_KEY, EVERY, type Everything, type House, openHouse, startEverything } from './support/house.ts'
import { startToolServer, type ToolServer } from './support/tool-server.ts'

setDefaultTimeout(120_000)

let everything: Everything
let house: House
let one: ToolServer
let oneId: string
let two: ToolServer
let dead: ToolServer
let many: ToolServer

beforeAll(async () => {
  everything = await startEverything()
  one = startToolServer()
  two = startToolServer(['echo', 'a name with blanks'])
  dead = startToolServer()
  many = startToolServer([...Array.from({ length: 60 }, (_, index) => `tool-${index}`), 'convertCurrency'])
  house = await openHouse([...everything.hosts, one.host, two.host, dead.host, many.host])
  await house.addServer('new', everything.http)
  await house.addServer('old', everything.sse, { transport: 'sse' })
  oneId = await house.addServer('one', one.url)
  await house.addServer('two', two.url)
  await house.addServer('dead', dead.url)
  await dead.close()
})
afterAll(async () => {
  await house?.close()
  await everything?.close()
  for (const server of [one, two, many]) await server?.close()
})

const text = (value: unknown): string => JSON.stringify(value)
const call = (name: string, args: object = {}, id = 1) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})
const messageIn = (body: string) => JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body)

test('the official client finds the tools of all servers, and calls those of the same name apart', async () => {
  const client = await house.connect(EVERY)
  const { tools, _meta } = await client.listTools()
  const names = tools.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['one__echo', 'two__echo', 'new__get-sum', 'old__get-sum']))
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  expect(_meta).toEqual({ 'weir/unavailable': [{ server: 'dead' }] })
  const before = [one.count(), two.count()]
  expect(text(await client.callTool({ name: 'two__echo', arguments: { text: 'to two' } }))).toContain('to two')
  expect([one.count(), two.count()]).toEqual([before[0] ?? 0, (before[1] ?? 0) + 1])
  expect(JSON.parse(two.last().body).params.name).toBe('echo')
  const blank = names.find((name) => name.startsWith('__two')) ?? ''
  await client.callTool({ name: blank, arguments: {} })
  expect(JSON.parse(two.last().body).params.name).toBe('a name with blanks')
  for (const server of ['new', 'old']) {
    expect(text(await client.callTool({ name: `${server}__get-sum`, arguments: { a: 2, b: 3 } }))).toContain('is 5')
  }
})

test('prompts, resources, templates and completions are those of their servers', async () => {
  const client = await house.connect(EVERY)
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('old__simple-prompt')
  expect(text(await client.getPrompt({ name: 'new__simple-prompt' }))).toContain('messages')
  const { resources } = await client.listResources()
  const uri = resources.find((each) => each.uri.startsWith('weir://old/'))?.uri ?? ''
  expect((await client.readResource({ uri })).contents[0]?.uri).toBe(uri)
  const { resourceTemplates } = await client.listResourceTemplates()
  expect(resourceTemplates.some(({ uriTemplate }) => uriTemplate.startsWith('weir://new/'))).toBe(true)
  const ref = { type: 'ref/prompt', name: 'new__completable-prompt' } as const
  const { completion } = await client.complete({ ref, argument: { name: 'department', value: 'E' } })
  expect(completion.values).toContain('Engineering')
  await client.setLoggingLevel('debug')
})

test.each(['new', 'old'])('the client hears progress, and is asked by the server %s', async (server) => {
  const client = new Client({ name: 'a test', version: '1.0.0' }, { capabilities: { sampling: {} } })
  client.setRequestHandler(CreateMessageRequestSchema, async () => ({
    model: 'a test',
    role: 'assistant',
    content: { type: 'text', text: 'said by the client' },
  }))
  await house.connect(EVERY, client)
  const told: number[] = []
  const name = `${server}__trigger-long-running-operation`
  await client.callTool({ name, arguments: { duration: 0.2, steps: 2 } }, undefined, {
    onprogress: ({ progress }) => told.push(progress),
  })
  expect(told).toEqual([1, 2])
  const asked = { name: `${server}__trigger-sampling-request`, arguments: { prompt: 'x', maxTokens: 5 } }
  expect(text(await client.callTool(asked))).toContain('said by the client')
})

test('who listens hears whose each message is, and no server answers what another was asked', async () => {
  const method = 'notifications/resources/updated'
  one.tell([
    JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'forged' }] } }),
    JSON.stringify({ jsonrpc: '2.0', method, params: { uri: 'a://b' } }),
    JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'ping' }),
  ])
  const response = await fetch(`${house.url}/mcp`, {
    headers: { authorization: `Bearer ${API_KEY}`, accept: 'text/event-stream' },
  })
  const reader = response.body?.getReader()
  let heard = ''
  while (!heard.includes('"ping"')) {
    const piece = await reader?.read()
    if (piece?.value === undefined) break
    heard += new TextDecoder().decode(piece.value)
  }
  await reader?.cancel()
  one.tell([])
  expect(heard).toContain('weir://one/a://b')
  expect(heard).toContain('"one:3"')
  expect(heard).not.toContain('forged')
})

test('an unknown name, a batch, and a session that is none are refused', async () => {
  for (const name of ['nobody__echo', 'echo', '__one_echo_0000000000000000000000']) {
    expect(messageIn((await house.post(EVERY, call(name))).text).error.code).toBe(-32602)
  }
  const batch = await house.post(EVERY, [call('one__echo', {}, 1), call('two__echo', {}, 2)])
  expect([batch.status, JSON.parse(batch.text).error.code]).toEqual([400, -32600])
  const list = { jsonrpc: '2.0', id: 5, method: 'tools/list' }
  expect((await house.post(EVERY, list, { 'mcp-session-id': 'guessed' })).status).toBe(404)
  expect(messageIn((await house.post(EVERY, { ...list, method: 'tasks/list' })).text).error.code).toBe(-32601)
})

test('a call is limited by the policy of its tool, and hidden tools are not there', async () => {
  await house.manage('PUT', '/mcp-servers/one/capabilities', {
    capabilities: [{ name: 'say', type: 'tool', enabled: false }],
  })
  await house.eventually(async () => {
    const answer = await house.post(EVERY, call('one__say', { words: 'x' }))
    return messageIn(answer.text).error?.code === -32602
  })
  await house.manage('POST', '/policies/rate-limits', {
    name: 'ten',
    type: 'requests',
    unit: 'rpm',
    value: 10,
    target: 'mcp_tools',
    conditions: [{ key: 'mcp_server', value: 'two' }],
    group_by: [{ key: 'mcp_server' }],
  })
  let limited = await house.post(EVERY, call('one__echo'))
  await house.eventually(async () => {
    limited = await house.post(EVERY, call('two__echo'))
    return limited.status === 429
  })
  expect(messageIn(limited.text).error.data.retry_after_ms).toBeGreaterThan(0)
  expect((await house.post(EVERY, call('one__echo'))).status).toBe(200)
})

test('a guardrail of a server looks at calls of the one address, and every call is in the records', async () => {
  const { id } = await house.manage('POST', '/guardrails', {
    name: 'forbids',
    target: 'mcp_tools',
    checks: [{ id: 'default.contains', parameters: { words: ['forbidden'], operator: 'none' } }],
    actions: { deny: true },
  })
  await house.manage('PUT', `/guardrails/${id}/mcp-servers`, {
    mcp_servers: { [oneId]: { run_on: ['input', 'output'] } },
  })
  await house.eventually(async () => {
    const answer = await house.post(EVERY, call('one__echo', { text: 'forbidden' }))
    return messageIn(answer.text).error?.code === -32446
  })
  expect((await house.post(EVERY, call('one__echo', { text: 'fine' }))).text).toContain('fine')
  expect(messageIn((await house.post(EVERY, call('one__recorded'))).text).result).toBeDefined()
  await house.eventually(async () => {
    const { data } = await house.manage('GET', '/logs?endpoint=mcp-messages&provider=one&model=recorded')
    return Array.isArray(data) && data.length === 1
  })
})

test('more tools than the list may have are searched, and called by what was found', async () => {
  await house.addServer('many', many.url)
  const client = await house.connect(EVERY)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['search_tools', 'call_tool'])
  const found = await client.callTool({ name: 'search_tools', arguments: { query: 'currency', limit: 3 } })
  expect(found.structuredContent).toEqual({
    tools: [{ name: 'many__convertCurrency', description: 'Says it again.', inputSchema: { type: 'object' } }],
  })
  const called = { name: 'many__convertCurrency', arguments: { text: 'euros' } }
  expect(text(await client.callTool({ name: 'call_tool', arguments: called }))).toContain('euros')
  expect(text(await client.callTool(called))).toContain('euros')
})
