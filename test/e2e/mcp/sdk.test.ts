import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { type Everything, type House, openHouse, startEverything } from './support/house.ts'

setDefaultTimeout(120_000)

let everything: Everything
let house: House

beforeAll(async () => {
  everything = await startEverything()
  house = await openHouse(everything.hosts)
  await house.addServer('new', everything.http)
  await house.addServer('old', everything.sse, { transport: 'sse' })
})
afterAll(async () => {
  await house?.close()
  await everything?.close()
})

const textOf = (result: unknown): string => JSON.stringify(result)

/** A client that can all that servers may ask of it. */
const ableClient = (): Client => {
  const client = new Client({ name: 'a test', version: '1.0.0' }, { capabilities: { sampling: {}, elicitation: {} } })
  client.setRequestHandler(CreateMessageRequestSchema, async () => ({
    model: 'a test',
    role: 'assistant',
    content: { type: 'text', text: 'said by the client' },
  }))
  client.setRequestHandler(ElicitRequestSchema, async () => ({ action: 'decline' }))
  return client
}

describe.each(['new', 'old'])('the official client, by the %s transport of the server behind', (server) => {
  test('finds the server, and lists what it offers', async () => {
    const client = await house.connect(server)
    expect(client.getServerVersion()?.name).toBe('mcp-servers/everything')
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get-sum')
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toContain('simple-prompt')
    expect((await client.listResources()).resources.length).toBeGreaterThan(0)
    expect((await client.listResourceTemplates()).resourceTemplates.length).toBeGreaterThan(0)
  })

  test('calls tools, gets prompts, reads resources, and has arguments completed', async () => {
    const client = await house.connect(server)
    expect(textOf(await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 3 } }))).toContain('is 5')
    expect(textOf(await client.getPrompt({ name: 'simple-prompt' }))).toContain('messages')
    const [resource] = (await client.listResources()).resources
    expect((await client.readResource({ uri: resource?.uri ?? '' })).contents.length).toBe(1)
    const ref = { type: 'ref/prompt', name: 'completable-prompt' } as const
    const { completion } = await client.complete({ ref, argument: { name: 'department', value: 'E' } })
    expect(completion.values).toContain('Engineering')
    expect(await client.ping()).toEqual({})
  })

  test('hears of progress, and can give up what takes long', async () => {
    const client = await house.connect(server)
    const told: number[] = []
    const name = 'trigger-long-running-operation'
    await client.callTool({ name, arguments: { duration: 0.2, steps: 2 } }, undefined, {
      onprogress: ({ progress }) => told.push(progress),
    })
    expect(told).toEqual([1, 2])
    const abort = new AbortController()
    const given = client.callTool({ name, arguments: { duration: 60, steps: 2 } }, undefined, { signal: abort.signal })
    abort.abort('not wanted any more')
    expect(await given.catch(String)).toContain('not wanted any more')
    expect(textOf(await client.callTool({ name: 'get-sum', arguments: { a: 1, b: 1 } }))).toContain('is 2')
  })

  test('is asked by the server: for what a model says, and what its user says', async () => {
    const client = await house.connect(server, ableClient())
    await client.listTools()
    const sampled = await client.callTool({
      name: 'trigger-sampling-request',
      arguments: { prompt: 'x', maxTokens: 5 },
    })
    expect(textOf(sampled)).toContain('said by the client')
    const asked = await client.callTool({ name: 'trigger-elicitation-request', arguments: {} })
    expect(textOf(asked)).toContain('declined')
  })

  test('listens to what the server says without being asked', async () => {
    const client = ableClient()
    const heard = Promise.withResolvers<unknown>()
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => heard.resolve(params))
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => heard.resolve(params))
    await house.connect(server, client)
    await client.setLoggingLevel('debug')
    await client.callTool({ name: 'toggle-simulated-logging', arguments: {} })
    expect(await heard.promise).toHaveProperty('level')
  })

  test('may send single calls without any session', async () => {
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'get-sum', arguments: { a: 20, b: 3 } } }
    // Two at once with the same id: each gets its own answer.
    const [one, two] = await Promise.all([
      house.post(server, { ...call, id: 7 }),
      house.post(server, { ...call, id: 7, params: { name: 'get-sum', arguments: { a: 40, b: 2 } } }),
    ])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(one.text).toContain('is 23')
    expect(two.text).toContain('is 42')
  })
})

test('a session is its own caller’s: guessed, changed, or of another server it is none', async () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a test', version: '1' } },
  }
  const begun = await house.post('new', initialize)
  const session = begun.headers.get('mcp-session-id') ?? ''
  expect(session.length).toBeGreaterThan(60)
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  expect((await house.post('new', ping, { 'mcp-session-id': session })).status).toBe(200)
  const changed = `${session.slice(0, -2)}${session.endsWith('AA') ? 'BB' : 'AA'}`
  for (const [server, id] of [
    ['new', changed],
    ['new', crypto.randomUUID()],
    ['old', session],
  ] as const) {
    const refused = await house.post(server, ping, { 'mcp-session-id': id })
    expect([server, refused.status]).toEqual([server, 404])
  }
})

test('what is taken away is in no list, and calling it is a mistake of the call', async () => {
  await house.manage('PUT', '/mcp-servers/new/capabilities', {
    capabilities: [
      { name: 'echo', type: 'tool', enabled: false },
      { name: 'simple-prompt', type: 'prompt', enabled: false },
    ],
  })
  const client = await house.connect('new')
  await house.eventually(async () => !(await client.listTools()).tools.some(({ name }) => name === 'echo'))
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).not.toContain('simple-prompt')
  const refused = client.callTool({ name: 'echo', arguments: { message: 'a' } })
  expect(await refused.catch((thrown: unknown) => thrown)).toMatchObject({ code: -32602 })
  const prompt = client.getPrompt({ name: 'simple-prompt' })
  expect(await prompt.catch((thrown: unknown) => thrown)).toMatchObject({ code: -32602 })
  // At another server of the same tools it is there.
  expect((await (await house.connect('old')).listTools()).tools.map(({ name }) => name)).toContain('echo')
})
