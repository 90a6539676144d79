import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI from 'openai'
import { API_KEY, type House, openHouse } from './support/house.ts'
import { type ScriptedModel, startScriptedModel } from './support/scripted-model.ts'
import { startToolServer, type ToolServer } from './support/tool-server.ts'

setDefaultTimeout(120_000)

let tools: ToolServer
let model: ScriptedModel
let house: House
let client: OpenAI

beforeAll(async () => {
  tools = startToolServer(['echo', 'hangs'])
  model = startScriptedModel()
  const baseURL = model.baseURL
  house = await openHouse([tools.host, new URL(baseURL).host], async () => ({
    plugins: ['defaults', 'mock', { deepseek: { baseURL, apiKey: 'sk-of-the-operator' } }],
  }))
  const desk = await house.addServer('desk', tools.url)
  const guard = async (name: string, checks: object[], actions: object, runOn: string): Promise<void> => {
    const { id } = await house.manage('POST', '/guardrails', { name, target: 'mcp_tools', checks, actions })
    await house.manage('PUT', `/guardrails/${id}/mcp-servers/${desk}`, { run_on: [runOn] })
  }
  const words = { words: ['forbidden'], operator: 'none' }
  await guard('no such words', [{ id: 'default.contains', parameters: words }], { deny: true }, 'input')
  const rule = { rule: '\\d{4}', redactText: '[number]' }
  await guard('no numbers', [{ id: 'default.regexReplace', parameters: rule }], { deny: false }, 'output')
  client = new OpenAI({ apiKey: API_KEY, baseURL: `${house.url}/v1`, maxRetries: 0 })
  await house.eventually(async () => (await said({ text: 'forbidden' })).includes('-32446'))
  await house.eventually(async () => (await said({ text: '1234' })).includes('[number]'))
})
afterAll(async () => {
  await house?.close()
  await model?.close()
  await tools?.close()
})
beforeEach(() => model.say())

const said = async (args: object): Promise<string> => {
  const params = { name: 'echo', arguments: args }
  return (await house.post('desk', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).text
}

const chat = (fields: object = {}) =>
  ({
    model: '@deepseek/scripted',
    messages: [{ role: 'user', content: 'Say it.' }],
    tools: [{ type: 'mcp', server_label: 'desk', require_approval: 'never' }],
    ...fields,
  }) as never

/** What the model was told of its tools when it was asked last. */
const told = (): string => {
  const { messages = [] } = model.asked.at(-1) as { messages?: readonly { role: string; content: string }[] }
  return messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : [])).join('\n')
}

test.each([false, true])(
  'what a guardrail refuses the tool never gets, and what it changes is what the model gets: streamed %p',
  async (stream) => {
    model.say(
      { calls: [['desk__echo', { text: 'forbidden' }]] },
      { calls: [['desk__echo', { text: 'the year 1234' }]] },
      'Done.',
    )
    const before = tools.count()
    const answer = await client.chat.completions.create(chat({ stream }))
    let text = ''
    if (stream)
      for await (const { choices } of answer as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>)
        text += choices[0]?.delta.content ?? ''
    else text = (answer as OpenAI.ChatCompletion).choices[0]?.message.content ?? ''
    expect(text).toBe('Done.')
    expect(model.asked).toHaveLength(3)
    expect(told()).toMatch(/guardrail/)
    expect(told()).toContain('the year [number]')
    expect(told()).not.toContain('1234')
    const sent = tools.since(before).map(({ body }) => body)
    expect(sent.filter((body) => body.includes('tools/call'))).toEqual([expect.stringContaining('the year 1234')])
  },
)

test('a budget that the turns use up ends them, with its words and its status', async () => {
  const { data } = await house.manage('GET', '/admin/workspaces')
  const [{ id: workspace_id = '' } = {}] = data as { id?: string }[]
  const { key } = await house.manage('POST', '/api-keys/workspace/service', {
    ...{ name: 'of few tokens', workspace_id, scopes: ['mcp.invoke', 'completions.write'] },
    usage_limits: { type: 'tokens', credit_limit: 100 },
  })
  const asService = new OpenAI({ apiKey: String(key), baseURL: `${house.url}/v1`, maxRetries: 0 })
  const often = Array.from({ length: 9 }, () => ({ calls: [['desk__echo', { text: 'again' }]] as const }))
  model.say(...often)
  const thrown: unknown = await asService.chat.completions.create(chat()).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(OpenAI.APIError)
  expect(Object(thrown).status).toBe(412)
  expect(model.asked.length).toBeGreaterThan(0)
  expect(model.asked.length).toBeLessThan(9)
})

test('who leaves while a tool runs ends the tool and the turns', async () => {
  model.say({ calls: [['desk__hangs', {}]] }, 'Nobody hears this.')
  const leaving = new AbortController()
  const asked = client.chat.completions.create(chat({ stream: true }), { signal: leaving.signal })
  const reading = (async () => {
    for await (const _ of (await asked) as unknown as AsyncIterable<unknown>);
  })().catch(() => undefined)
  await house.eventually(async () => tools.count() > 0 && tools.last().body.includes('hangs'))
  const { signal } = tools.last()
  expect(signal.aborted).toBe(false)
  leaving.abort()
  await house.eventually(async () => signal.aborted)
  tools.release()
  await reading
  await Bun.sleep(200)
  expect(model.asked).toHaveLength(1)
})
