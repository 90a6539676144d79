import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import OpenAI from 'openai'
import { API_KEY, type House, openHouse, type Person } from './support/house.ts'
import { type ScriptedModel, startScriptedModel } from './support/scripted-model.ts'
import { startToolServer, type ToolServer } from './support/tool-server.ts'

setDefaultTimeout(120_000)

let tools: ToolServer
let model: ScriptedModel
let house: House
let ann: Person
let client: OpenAI

beforeAll(async () => {
  tools = startToolServer(['echo', 'say', 'fails'])
  model = startScriptedModel()
  const baseURL = model.baseURL
  house = await openHouse([tools.host, new URL(baseURL).host], async () => ({
    plugins: ['defaults', 'mock', { deepseek: { baseURL, apiKey: 'sk-of-the-operator' } }],
  }))
  await house.addServer('desk', tools.url)
  ann = await house.addPerson({ userName: 'ann@example.com' }, ['mcp.invoke', 'completions.write'])
  client = new OpenAI({ apiKey: API_KEY, baseURL: `${house.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await house?.close()
  await model?.close()
  await tools?.close()
})
beforeEach(() => model.say())

const MODEL = '@deepseek/scripted'
const DESK = { type: 'mcp', server_label: 'desk', require_approval: 'never' } as const
const ask = { role: 'user', content: 'Say it.' } as const

/** A chat with tools that the SDK's types have for responses alone. */
const chat = (fields: object) => ({ model: MODEL, messages: [ask], tools: [DESK], ...fields }) as never

interface Chat {
  readonly choices: readonly {
    readonly message: { readonly content: string | null; readonly tool_calls?: readonly { readonly id: string }[] }
    readonly finish_reason: string
  }[]
  readonly usage: { readonly total_tokens: number }
}

describe('a chat', () => {
  const complete = async (fields: object = {}): Promise<Chat> =>
    (await client.chat.completions.create(chat(fields))) as unknown as Chat

  test('runs what its model asks for, until it asks for nothing more', async () => {
    model.say(
      {
        calls: [
          ['desk__echo', { text: 'one' }],
          ['desk__echo', { text: 'two' }],
        ],
      },
      { calls: [['desk__echo', { text: 'three' }]], words: 'Once more.' },
      'It is said.',
    )
    const answer = await complete()
    expect(answer.choices[0]).toMatchObject({ message: { content: 'It is said.' }, finish_reason: 'stop' })
    expect(answer.usage.total_tokens).toBe(45)
    expect(model.asked.length).toBe(3)
    const [first, , last] = model.asked
    expect(first?.tools).toMatchObject([
      { type: 'function', function: { name: 'desk__echo' } },
      { function: { name: 'desk__say' } },
      { function: { name: 'desk__fails' } },
    ])
    expect(last?.messages).toMatchObject([
      ask,
      { role: 'assistant', tool_calls: [{ id: 'call_1_0' }, { id: 'call_1_1' }] },
      { role: 'tool', tool_call_id: 'call_1_0', content: 'one' },
      { role: 'tool', tool_call_id: 'call_1_1', content: 'two' },
      { role: 'assistant', content: 'Once more.' },
      { role: 'tool', content: 'three' },
    ])
  })

  test('streams the words of all turns as one answer', async () => {
    model.say({ calls: [['desk__echo', { text: 'one' }]], words: 'Let me see. ' }, 'It is said.')
    const stream = (await client.chat.completions.create(
      chat({ stream: true, stream_options: { include_usage: true } }),
    )) as unknown as AsyncIterable<OpenAI.Chat.ChatCompletionChunk>
    const chunks: OpenAI.Chat.ChatCompletionChunk[] = []
    for await (const chunk of stream) chunks.push(chunk)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Let me see. It is said.')
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    expect(chunks.flatMap(({ choices }) => choices[0]?.finish_reason ?? [])).toEqual(['stop'])
    expect(chunks.some(({ choices }) => choices[0]?.delta.tool_calls !== undefined)).toBe(false)
    expect(chunks.at(-1)?.usage?.total_tokens).toBe(30)
  })

  test('gives the client its own calls, and those that it has to approve, which run when they come back', async () => {
    const own = { type: 'function', function: { name: 'own', parameters: { type: 'object' } } }
    model.say({
      calls: [
        ['own', {}],
        ['desk__echo', { text: 'no' }],
      ],
    })
    const mixed = await complete({ tools: [DESK, own] })
    expect(mixed.choices[0]).toMatchObject({ finish_reason: 'tool_calls' })
    expect(mixed.choices[0]?.message.tool_calls?.length).toBe(2)

    const always = { ...DESK, require_approval: { always: { tool_names: ['echo'] } } }
    model.say({ calls: [['desk__echo', { text: 'approved' }]] }, 'It is said.')
    const waiting = await complete({ tools: [always] })
    const called = waiting.choices[0]?.message
    expect(called?.tool_calls?.length).toBe(1)
    expect(tools.last().body).not.toContain('approved')
    const answer = await complete({ tools: [always], messages: [ask, called] })
    expect(answer.choices[0]?.message.content).toBe('It is said.')
    expect(model.asked.at(-1)?.messages).toMatchObject([
      ask,
      { role: 'assistant' },
      { role: 'tool', content: 'approved' },
    ])

    // Who declines, answers itself.
    model.say('As you like.')
    const declined = { role: 'tool', tool_call_id: called?.tool_calls?.[0]?.id, content: 'No.' }
    await complete({ tools: [always], messages: [ask, called, declined] })
    expect(model.asked.at(-1)?.messages).toMatchObject([ask, { role: 'assistant' }, { content: 'No.' }])
  })

  test('goes on where a tool fails, and ends where there are too many turns', async () => {
    model.say({ calls: [['desk__fails', {}]] }, 'It did not work.')
    expect((await complete()).choices[0]?.message.content).toBe('It did not work.')
    expect(JSON.stringify(model.asked.at(-1)?.messages)).toContain('Error: ')
    expect(JSON.stringify(model.asked)).not.toContain('a secret of the server')

    model.say(...Array.from({ length: 20 }, () => ({ calls: [['desk__echo', { text: 'again' }]] }) as const))
    await complete()
    expect(model.asked.length).toBe(10)
    expect(model.asked.map(({ tool_choice: choice }) => choice)).toEqual([...Array.from({ length: 9 }), 'none'])
  })

  test('offers what is allowed alone, and nothing that is hidden', async () => {
    model.say('Nothing to do.')
    await complete({ tools: [{ ...DESK, allowed_tools: ['say'] }] })
    expect(model.asked[0]?.tools).toMatchObject([{ function: { name: 'desk__say' } }])
    await house.manage('PUT', '/mcp-servers/desk/capabilities', {
      capabilities: [{ name: 'say', type: 'tool', enabled: false }],
    })
    await house.eventually(async () => {
      model.say('Nothing to do.')
      await complete()
      return !JSON.stringify(model.asked[0]?.tools).includes('desk__say')
    })
    model.say({ calls: [['desk__say', { words: 'hidden' }]] })
    // It is no tool of this call: the client is told what its model made up.
    expect((await complete()).choices[0]?.finish_reason).toBe('tool_calls')
    await house.manage('PUT', '/mcp-servers/desk/capabilities', {
      capabilities: [{ name: 'say', type: 'tool', enabled: true }],
    })
  })

  test.each([
    [{ tools: [{ ...DESK, server_label: 'none' }] }, 400, "no MCP server 'none'"],
    [{ tools: [DESK, DESK] }, 400, 'tools[1].server_label'],
    [{ tools: [{ ...DESK, headers: { authorization: 'mine' } }] }, 400, 'tools[0].headers'],
    [{ tools: [{ ...DESK, allowed_tools: 'echo' }] }, 400, 'tools[0].allowed_tools'],
    [{ tools: [{ ...DESK, require_approval: 'sometimes' }] }, 400, 'tools[0].require_approval'],
    [{ n: 2 }, 400, '`n`'],
  ])('%j is refused', async (fields, status, words) => {
    const thrown = await complete(fields).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(OpenAI.APIError)
    const { status: got, message } = thrown as InstanceType<typeof OpenAI.APIError>
    expect([got, message]).toEqual([status, expect.stringContaining(words)])
    expect(model.asked.length).toBe(0)
  })

  test('a model that fails later ends the answer with its words, whole and streamed', async () => {
    model.say({ calls: [['desk__echo', { text: 'one' }]] }, { status: 400 })
    const thrown = await complete().catch((error: unknown) => error)
    expect(String(thrown)).toContain('the model is busy')
    for (const second of [{ status: 400 }, 'dies'] as const) {
      model.say({ calls: [['desk__echo', { text: 'one' }]], words: 'Wait. ' }, second)
      const stream = (await client.chat.completions.create(chat({ stream: true }))) as unknown as AsyncIterable<unknown>
      const read = async () => {
        for await (const _ of stream);
      }
      await expect(read()).rejects.toThrow()
    }
  })

  test('is one user’s: their access, their limits, their records, one trace', async () => {
    const asAnn = new OpenAI({ apiKey: ann.key, baseURL: `${house.url}/v1`, maxRetries: 0 })
    model.say({ calls: [['desk__echo', { text: 'mine' }]] }, 'It is said.')
    const { response } = await asAnn.chat.completions
      .create(chat({}), { headers: { 'x-gateway-trace-id': 'trace-of-tools' } })
      .withResponse()
    expect(response.headers.get('x-gateway-trace-id')).toBe('trace-of-tools')
    let rows: readonly Readonly<Record<string, unknown>>[] = []
    await house.eventually(async () => {
      const { data } = await house.manage('GET', '/logs?trace_id=trace-of-tools&limit=50')
      rows = data as typeof rows
      return rows.length >= 4
    })
    const spent = rows.map(({ total_units: units }) => Number(units ?? 0)).filter((units) => units > 0)
    expect(spent.toSorted()).toEqual([15, 15])

    await house.manage('PUT', '/mcp-servers/desk/user-access', {
      user_access: [{ user_id: ann.userId, enabled: false }],
    })
    await house.eventually(async () => {
      model.say('Nothing to do.')
      const thrown = await asAnn.chat.completions.create(chat({})).catch((error: unknown) => error)
      return String(thrown).includes('may not use the MCP server')
    })
    await house.manage('PUT', '/mcp-servers/desk/user-access', {
      user_access: [{ user_id: ann.userId, enabled: true }],
    })
  })
})

describe('a response', () => {
  type Params = OpenAI.Responses.ResponseCreateParamsNonStreaming
  const create = (fields: Partial<Params> = {}) =>
    client.responses.create({ model: MODEL, input: 'Say it.', tools: [DESK], ...fields } as Params)

  test('shows what was listed, and what was called', async () => {
    model.say(
      {
        calls: [
          ['desk__echo', { text: 'one' }],
          ['desk__fails', {}],
        ],
      },
      'It is said.',
    )
    const response = await create()
    expect(response.output).toMatchObject([
      { type: 'mcp_list_tools', server_label: 'desk', tools: [{ name: 'echo' }, { name: 'say' }, { name: 'fails' }] },
      { type: 'mcp_call', name: 'echo', arguments: '{"text":"one"}', output: 'one', error: null },
      { type: 'mcp_call', name: 'fails', output: null, error: expect.any(String) },
      { type: 'message' },
    ])
    expect(response.output_text).toBe('It is said.')
    expect(response.tools).toMatchObject([DESK])
    expect(response.usage?.total_tokens).toBe(30)

    // The client goes on with what it was shown.
    model.say('Yes.')
    const input = [...response.output, { role: 'user', content: 'Is it?' }] as OpenAI.Responses.ResponseInput
    const next = await create({ input })
    expect(next.output).toMatchObject([{ type: 'message' }])
    expect(model.asked[0]?.messages).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { name: 'desk__echo' } }] },
      { role: 'tool', content: 'one' },
      { role: 'assistant' },
      { role: 'tool' },
      { role: 'assistant' },
      { role: 'user' },
    ])
  })

  test('waits for approval unless that is not wanted; what is approved runs, what is not does not', async () => {
    const cautious = { type: 'mcp', server_label: 'desk' } as never
    model.say({ calls: [['desk__echo', { text: 'asked' }]] })
    const waiting = await create({ tools: [cautious] })
    const request = waiting.output.find(({ type }) => type === 'mcp_approval_request')
    expect(request).toMatchObject({ name: 'echo', server_label: 'desk', arguments: '{"text":"asked"}' })
    expect(tools.last().body).not.toContain('asked')

    for (const approve of [false, true]) {
      model.say('It is said.')
      const answer = { type: 'mcp_approval_response', approval_request_id: request?.id, approve } as never
      const response = await create({ tools: [cautious], input: [...waiting.output, answer] as never })
      expect(response.output_text).toBe('It is said.')
      const told = JSON.stringify(model.asked[0]?.messages)
      expect(told.includes('asked"}') || told.includes('asked\\"}')).toBe(true)
      expect([approve, told.includes('declined')]).toEqual([approve, !approve])
      expect([approve, tools.last().body.includes('asked')]).toEqual([approve, approve])
    }
    const made = { type: 'mcp_approval_response', approval_request_id: 'mcpr_made_up', approve: true } as never
    expect(String(await create({ input: [made] }).catch((thrown: unknown) => thrown))).toContain('approval_request_id')
  })

  test('is streamed as one, numbered through', async () => {
    model.say({ calls: [['desk__echo', { text: 'one' }]], words: 'Let me see.' }, 'It is said.')
    const stream = client.responses.stream({ model: MODEL, input: 'Say it.', tools: [DESK] } as never)
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of stream) events.push(event)
    const types = events.map(({ type }) => type)
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index))
    expect(types.filter((type) => type === 'response.created' || type === 'response.completed')).toEqual([
      'response.created',
      'response.completed',
    ])
    for (const type of [
      ...['response.mcp_list_tools.in_progress', 'response.mcp_list_tools.completed', 'response.mcp_call.in_progress'],
      ...['response.mcp_call_arguments.delta', 'response.mcp_call_arguments.done', 'response.mcp_call.completed'],
    ] as const) {
      expect(types).toContain(type)
    }
    const final = await stream.finalResponse()
    expect(final.output.map(({ type }) => type)).toEqual(['mcp_list_tools', 'message', 'mcp_call', 'message'])
    const added = events.flatMap((event) => (event.type === 'response.output_item.added' ? [event.output_index] : []))
    expect(added).toEqual([0, 1, 2, 3])
    expect(final.usage?.total_tokens).toBe(30)
  })

  test('runs no more tools than it may', async () => {
    model.say({ calls: [['desk__echo', { text: 'one' }]] }, { calls: [['desk__echo', { text: 'two' }]] }, 'Never.')
    const response = await create({ max_tool_calls: 1 })
    expect(response.output.filter(({ type }) => type === 'mcp_call').length).toBe(1)
    expect(model.asked.length).toBe(2)
  })
})
