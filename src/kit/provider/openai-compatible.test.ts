import { describe, expect, test } from 'bun:test'
import { adaptRequest } from '../../calls/adapt.ts'
import { CONFORM_OUTGOING } from '../testing/subject.ts'
import type { ChatFields } from './chat-fields.ts'
import type { ChatRequest } from './openai.ts'
import { type OpenAICompatibleOptions, openaiCompatible } from './openai-compatible.ts'
import type { AdapterContext } from './provider.ts'

const context: AdapterContext = {
  model: 'm',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 1,
  settings: {},
}

const host = (options: Partial<OpenAICompatibleOptions> = {}) =>
  openaiCompatible({ id: 'acme', baseURL: 'https://api.acme.example/v1', ...options })

const sendChat = (
  options: Partial<OpenAICompatibleOptions>,
  request: object,
  overrides: Partial<AdapterContext> = {},
) => {
  const { chat } = host(options).endpoints
  if (chat === undefined) throw new Error('no chat endpoint')
  return adaptRequest(chat, request as ChatRequest, { ...context, ...overrides })
}

const user = { role: 'user', content: 'hi' }

const STRICT: ChatFields = {
  unknown: 'refused',
  params: ['seed', 'stop', 'tools'],
  messages: { system: [], user: [], assistant: ['tool_calls'], tool: ['tool_call_id'] },
}
const LENIENT: ChatFields = { ...STRICT, unknown: 'ignored' }

describe('openaiCompatible', () => {
  test('offers all endpoints at the usual paths, with a bearer key', async () => {
    const provider = host()
    expect(provider.endpoints.chat?.path).toBe('/chat/completions')
    expect(provider.endpoints.chat?.streamUsage).toBe(true)
    expect(provider.endpoints.completions?.path).toBe('/completions')
    expect(provider.endpoints.completions?.streamUsage).toBe(true)
    expect(provider.endpoints.embeddings?.path).toBe('/embeddings')
    expect(provider.endpoints.models?.path).toBe('/models')
    expect(provider.needsKey).toBe(true)
    const headers = new Headers()
    await provider.authorize(headers, { apiKey: 'k', settings: {} }, CONFORM_OUTGOING)
    expect(headers.get('authorization')).toBe('Bearer k')
  })

  test('has no key of an option that is not given', () => {
    const names = ['id', 'baseURL', 'needsKey', 'endpoints', 'authorize', 'failure']
    expect(Object.keys(host()).sort()).toEqual(names.sort())
  })

  test('passes every option on', () => {
    const options = {
      apiKey: 'k',
      keyHeader: 'api-key',
      needsKey: false,
      headers: ['x-title'],
      settings: { a: 'acme-a' },
      defaultSettings: { a: '1' },
      models: ['m'],
    }
    expect(host(options)).toMatchObject(options)
    expect(Object.keys(host({ endpoints: ['chat'] }).endpoints)).toEqual(['chat'])
    expect(host({ streamUsage: false }).endpoints.chat?.streamUsage).toBe(false)
    const texts = { completionsParams: { user: null }, paths: { completions: '/texts' }, streamUsage: false }
    expect(host(texts).endpoints.completions).toMatchObject({
      params: { user: null },
      path: '/texts',
      streamUsage: false,
    })
  })

  test('a request that no rule touches keeps its bytes', () => {
    const request = { model: 'm', messages: [{ role: 'developer', content: 'x' }, user], max_completion_tokens: 1 }
    expect(sendChat({}, request)).toEqual({ path: '/chat/completions', body: request, dropped: [], changed: false })
  })

  test('developer becomes system where the host does not know it, and nothing else is touched', () => {
    const developer = { role: 'developer', name: 'ops', content: 'x' }
    const messages = [developer, user]
    const sent = sendChat({ developerRole: false }, { model: 'm', messages })
    expect(sent.body).toEqual({ model: 'm', messages: [{ role: 'system', name: 'ops', content: 'x' }, user] })
    expect(sent.dropped).toEqual([])
    expect(developer.role).toBe('developer')
    expect(sendChat({ developerRole: false }, { model: 'm', messages: [user] }).changed).toBe(false)
  })

  test.each<[object, object]>([
    [{ max_completion_tokens: 5 }, { max_tokens: 5 }],
    [{ max_tokens: 9 }, { max_tokens: 9 }],
    [{ max_tokens: 9, max_completion_tokens: 5 }, { max_tokens: 5 }],
    [{ max_completion_tokens: 5, max_tokens: 9 }, { max_tokens: 5 }],
    [{ max_completion_tokens: null, max_tokens: 9 }, { max_tokens: 9 }],
  ])('a host with max_tokens alone: %j is sent as %j', (given, sent) => {
    const messages = [user]
    const adapted = sendChat({ maxCompletionTokens: false }, { model: 'm', messages, ...given })
    expect(adapted.body).toEqual({ model: 'm', messages, ...sent })
    expect(adapted.dropped).toEqual([])
  })

  test('max_tokens alone keeps the bytes of a host that wants it', () => {
    expect(sendChat({ maxCompletionTokens: false }, { model: 'm', messages: [user], max_tokens: 9 }).changed).toBe(
      false,
    )
  })

  test('refused fields of messages are left out, and named when they said something', () => {
    const options = { takes: STRICT }
    const quiet = { role: 'assistant', content: 'a', refusal: null, annotations: [] }
    const sent = sendChat(options, {
      model: 'm',
      messages: [{ ...user, name: 'ada' }, { ...user, name: 'bob' }, quiet],
    })
    expect(sent.body?.messages).toEqual([user, user, { role: 'assistant', content: 'a' }])
    expect(sent.dropped).toEqual(['messages[].name'])
    expect(sent.changed).toBe(true)
  })

  test('content_blocks is never sent', () => {
    const content_blocks = [
      { type: 'thinking', thinking: 't' },
      null,
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
    const messages = [
      { role: 'assistant', content: 'said', content_blocks },
      { role: 'assistant', content_blocks },
      { role: 'assistant', content: null, tool_calls: [call], content_blocks: 'no list' },
      { role: 'assistant', content_blocks: 7 },
    ]
    const sent = sendChat({}, { model: 'm', messages })
    expect(sent.dropped).toEqual(['messages[].content_blocks'])
    expect(sent.body?.messages).toEqual([
      { role: 'assistant', content: 'said' },
      { role: 'assistant', content: 'ab' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'assistant', content: '' },
    ])
  })

  test('goes on from a prefix where the host can, and the request does not end with one of its own', () => {
    const { chat } = host({ assistantPrefix: true }).endpoints
    const request = { model: 'm', messages: [user] } as ChatRequest
    expect(chat?.assistantPrefix?.(request, 'One ', context)).toEqual({
      request: { ...request, messages: [...request.messages, { role: 'assistant', content: 'One ', prefix: true }] },
      echo: 'One ',
    })
    const ended = { ...request, messages: [...request.messages, { role: 'assistant', content: 'So' }] } as ChatRequest
    expect(chat?.assistantPrefix?.(ended, 'One', context)).toBeUndefined()
    expect(host().endpoints.chat?.assistantPrefix).toBeUndefined()
  })

  test('goes on from a prefix in the form of the host, where the request fits', () => {
    const form = { message: { partial: true }, request: { go_on: true }, fits: ({ n }: ChatRequest) => n !== 2 }
    const { chat } = host({ assistantPrefix: form }).endpoints
    const request = { model: 'm', messages: [user] } as ChatRequest
    expect(chat?.assistantPrefix?.(request, 'One', context)?.request).toEqual({
      ...request,
      go_on: true,
      messages: [...request.messages, { role: 'assistant', content: 'One', partial: true }],
    })
    expect(chat?.assistantPrefix?.({ ...request, n: 2 }, 'One', context)).toBeUndefined()
  })

  test('a host whose tool_choice names no tool gets that tool alone', () => {
    const tool = (name: string) => ({ type: 'function', function: { name } })
    const request = { model: 'm', messages: [user], tools: [tool('a'), tool('b')], tool_choice: tool('b') }
    const sent = sendChat({ namedTool: false }, request)
    expect(sent).toMatchObject({ body: { tools: [tool('b')], tool_choice: 'required' }, dropped: [], changed: true })
    expect(sendChat({}, request).changed).toBe(false)
    expect(sendChat({ namedTool: false }, { ...request, tool_choice: 'auto' }).changed).toBe(false)
    expect(() => sendChat({ namedTool: false }, { ...request, tool_choice: tool('c') })).toThrow(
      'names none of the tools',
    )
  })

  test.each([['text'], [[null, 'x', 7]]])(
    'messages that are no messages pass for the host to refuse: %p',
    (messages) => {
      const sent = sendChat({ developerRole: false, takes: STRICT }, { model: 'm', messages })
      expect(sent.changed).toBe(false)
    },
  )

  test('rules of the host for chat and embeddings', () => {
    expect(sendChat({ params: { seed: 'random_seed' } }, { model: 'm', messages: [user], seed: 1 }).body).toEqual({
      model: 'm',
      messages: [user],
      random_seed: 1,
    })
    const { embeddings } = host({ embeddingsParams: { user: null } }).endpoints
    if (embeddings === undefined) throw new Error('no embeddings endpoint')
    expect(adaptRequest(embeddings, { model: 'm', input: 'a', user: 'u' }, context)).toEqual({
      path: '/embeddings',
      body: { model: 'm', input: 'a' },
      dropped: ['user'],
      changed: true,
    })
  })

  test('a host that refuses what it does not know gets what it lists, and the rest is named', () => {
    const request = { model: 'm', messages: [user], seed: 1, stop: null, top_k: 4, brand_new: true, verbosity: null }
    const sent = sendChat({ takes: STRICT }, request)
    expect(sent.body).toEqual({ model: 'm', messages: [user], seed: 1 })
    expect(sent.dropped).toEqual(['top_k', 'brand_new'])
    const listed = { model: 'm', messages: [user], seed: 1, stop: 'x' }
    expect(sendChat({ takes: STRICT }, listed)).toMatchObject({ body: listed, dropped: [], changed: false })
  })

  test('a host that ignores what it does not know loses only what is known to be of others', () => {
    const sent = sendChat({ takes: LENIENT }, { model: 'm', messages: [user], top_k: 4, brand_new: true, store: true })
    expect(sent.body).toEqual({ model: 'm', messages: [user], brand_new: true })
    expect(sent.dropped).toEqual(['top_k', 'store'])
  })

  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  const answered = {
    role: 'assistant',
    content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
    reasoning_content: 'r',
    executed_tools: [],
    brand_new: 1,
    tool_calls: [{ ...call, index: 0, extra_content: { google: { thought_signature: 's' } } }],
  }
  const plain = { role: 'assistant', content: [{ type: 'text', text: 'a' }], tool_calls: [call] }
  const lost = [
    'messages[].content[].cache_control',
    'messages[].reasoning_content',
    'messages[].tool_calls[].extra_content',
  ]

  test('fields of others are taken out of messages, their parts, tool calls and tools', () => {
    const tools = [{ type: 'function', function: { name: 'f' }, cache_control: { type: 'ephemeral' } }]
    const sent = sendChat({ takes: LENIENT }, { model: 'm', messages: [user, answered], tools })
    expect(sent.body).toEqual({
      model: 'm',
      messages: [user, { ...plain, brand_new: 1 }],
      tools: [{ type: 'function', function: { name: 'f' } }],
    })
    expect(sent.dropped).toEqual([...lost, 'tools[].cache_control'])
    const refusing = sendChat({ takes: STRICT }, { model: 'm', messages: [answered] })
    expect(refusing.body?.messages).toEqual([plain])
    expect(refusing.dropped).toEqual([...lost.slice(0, 2), 'messages[].brand_new', ...lost.slice(2)])
  })

  test('a host without allowed_tools gets the tools that are allowed', () => {
    const tool = (name: string) => ({ type: 'function', function: { name } })
    const allowed_tools = { mode: 'required', tools: [tool('b')] }
    const request = {
      model: 'm',
      messages: [user],
      tools: [tool('a'), tool('b')],
      tool_choice: { type: 'allowed_tools', allowed_tools },
    }
    const sent = sendChat({ allowedTools: false }, request)
    expect(sent).toMatchObject({ body: { tools: [tool('b')], tool_choice: 'required' }, dropped: [], changed: true })
    expect(sendChat({}, request)).toMatchObject({ body: request, changed: false })
    expect(sendChat({ allowedTools: false }, { ...request, tool_choice: 'auto' }).changed).toBe(false)
  })

  test('a host may take more inside of messages', () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'a', cache_control: {} }] }]
    const takes = { ...LENIENT, inner: ['cache_control'] }
    expect(sendChat({ takes }, { model: 'm', messages }).changed).toBe(false)
  })

  test('where any server may answer, a host that the call names gets everything but our own', () => {
    const options = { takes: LENIENT, openElsewhere: true }
    const request = {
      model: 'm',
      messages: [answered],
      top_k: 4,
      thinking: { type: 'enabled' },
      tools: [{ cache_control: 1 }],
    }
    expect(sendChat(options, request, { customHost: true })).toMatchObject({ changed: false, dropped: [] })
    expect(sendChat(options, request).dropped).toEqual([...lost, 'top_k', 'thinking', 'tools[].cache_control'])
    const blocks = sendChat(options, { model: 'm', messages: [{ ...user, content_blocks: [1] }] }, { customHost: true })
    expect(blocks.dropped).toEqual(['messages[].content_blocks'])
  })

  test.each([
    ['reasoning', { reasoning_content: 'r' }, { reasoning: 'r' }],
    ['reasoning', { reasoning: 'r', reasoning_content: 'other' }, { reasoning: 'r' }],
    ['reasoning', { reasoning_content: null }, {}],
    ['reasoning_content', { reasoning: 'r' }, { reasoning_content: 'r' }],
  ])('reasoning of an earlier answer goes as %s: %j', (reasoning, given, sent) => {
    const adapted = sendChat({ reasoning }, { model: 'm', messages: [{ role: 'assistant', content: 'a', ...given }] })
    expect(adapted.body?.messages).toEqual([{ role: 'assistant', content: 'a', ...sent }])
    expect(adapted.dropped).toEqual([])
  })
})
