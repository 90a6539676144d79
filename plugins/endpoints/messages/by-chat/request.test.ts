import { describe, expect, test } from 'bun:test'
import { InvalidRequest } from '#kit'
import { type AdapterContext, sealThinking } from '#kit/provider'
import { toChat } from './request.ts'

const CONTEXT: AdapterContext = {
  provider: 'acme',
  model: 'acme-1',
  stream: false,
  strict: false,
  includeUsage: true,
  callId: 'call-1',
  created: 1,
  settings: {},
}

const HELLO = { role: 'user', content: 'Hello' }

const asked = (fields: Readonly<Record<string, unknown>>, model = 'acme-1') => {
  const { request, dropped } = toChat({ model, max_tokens: 10, messages: [HELLO], ...fields }, { ...CONTEXT, model })
  const { model: _model, max_completion_tokens: _limit, ...rest } = request
  return { request: rest, dropped }
}

const messagesOf = (...messages: readonly unknown[]) => asked({ messages })

const MARK = { cache_control: { type: 'ephemeral' } }

test('the least there is', () => {
  expect(toChat({ model: 'm', max_tokens: 10, messages: [HELLO] }, CONTEXT)).toEqual({
    request: { model: 'm', max_completion_tokens: 10, messages: [HELLO] },
    dropped: [],
  })
})

describe('messages', () => {
  test.each([
    ['a system prompt', { system: 'Be brief.' }, [{ role: 'system', content: 'Be brief.' }, HELLO]],
    ['an empty one', { system: '' }, [HELLO]],
    [
      'one of blocks, with a cache mark',
      {
        system: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b', ...MARK },
        ],
      },
      [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b', ...MARK },
          ],
        },
        HELLO,
      ],
    ],
    [
      'an instruction in between',
      { messages: [HELLO, { role: 'system', content: [{ type: 'text', text: 'Now in French.' }] }, HELLO] },
      [HELLO, { role: 'system', content: 'Now in French.' }, HELLO],
    ],
  ])('%s', (_what, fields, messages) => {
    expect(asked(fields)).toEqual({ request: { messages }, dropped: [] })
  })

  test.each([
    ['text', { type: 'text', text: 'Hi' }, 'Hi'],
    [
      'an image',
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
      [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }],
    ],
    [
      'an image by its address',
      { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' }, ...MARK },
      [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' }, ...MARK }],
    ],
    [
      'a PDF',
      { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' } },
      [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' } }],
    ],
    [
      'a PDF by its address, with a context',
      { type: 'document', context: 'Of May.', source: { type: 'url', url: 'https://a.example/b.pdf' } },
      [
        { type: 'text', text: 'Of May.' },
        { type: 'file', file: { filename: 'document.pdf', file_data: 'https://a.example/b.pdf' } },
      ],
    ],
    [
      'a document of text',
      { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'Words' } },
      [
        { type: 'text', text: 'T' },
        { type: 'text', text: 'Words' },
      ],
    ],
    [
      'a document of blocks',
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'Words' }] } },
      'Words',
    ],
    [
      'a search result',
      { type: 'search_result', title: 'T', source: 'https://a.example', content: [{ type: 'text', text: 'Words' }] },
      'T https://a.example\nWords',
    ],
  ])('of a user: %s', (_what, block, content) => {
    expect(messagesOf({ role: 'user', content: [block] })).toEqual({
      request: { messages: [{ role: 'user', content }] },
      dropped: [],
    })
  })

  test('results stand right behind their calls, and what the user says after them', () => {
    const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 }, caller: { type: 'direct' } }
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'No.', is_error: true }
    const image = { type: 'image', source: { type: 'url', url: 'https://a.example/b.png' } }
    const other = { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'text', text: 'x' }, image] }
    const empty = { type: 'tool_result', tool_use_id: 'toolu_3' }
    const { request, dropped } = messagesOf(
      HELLO,
      { role: 'assistant', content: [{ type: 'text', text: 'Looking.' }, call] },
      { role: 'user', content: [{ type: 'text', text: 'Well?' }, result, other, empty] },
    )
    expect(dropped).toEqual([])
    expect(request.messages).toEqual([
      HELLO,
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'No.', is_error: true },
      {
        role: 'tool',
        tool_call_id: 'toolu_2',
        content: [
          { type: 'text', text: 'x' },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        ],
      },
      { role: 'tool', tool_call_id: 'toolu_3', content: '' },
      { role: 'user', content: 'Well?' },
    ])
  })

  test('thinking goes back to its maker, in its place', () => {
    const extra = { acme: { signature: 's' } }
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: sealThinking({ by: 'acme', rest: { extra_content: extra } }) },
      { type: 'text', text: 'Looking.' },
      { type: 'redacted_thinking', data: sealThinking({ by: 'acme', call: extra }) },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
    ]
    const { request, dropped } = messagesOf(HELLO, { role: 'assistant', content })
    expect(dropped).toEqual([])
    expect(request.messages).toEqual([
      HELLO,
      {
        role: 'assistant',
        content: 'Looking.',
        reasoning_content: 'Hm.',
        tool_calls: [
          { id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '{}' }, extra_content: extra },
        ],
        content_blocks: [
          { type: 'thinking', thinking: 'Hm.', extra_content: extra },
          { type: 'text', text: 'Looking.' },
        ],
      },
    ])
  })

  test.each([
    ['another provider', { type: 'thinking', thinking: 'Hm.', signature: sealThinking({ by: 'other' }) }, 'thinking'],
    ['Anthropic', { type: 'thinking', thinking: 'Hm.', signature: 'RXEw==' }, 'thinking'],
    ['Anthropic, hidden', { type: 'redacted_thinking', data: 'RXEw==' }, 'redacted_thinking'],
    ['somebody who cut it', { type: 'thinking', thinking: '', signature: 'weir.1.eyJ' }, 'thinking'],
    ['a server tool', { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }, 'server_tool_use'],
  ])('what %s made is left out and named', (_who, block, name) => {
    const text = { type: 'text', text: 'Hi' }
    expect(messagesOf(HELLO, { role: 'assistant', content: [block, text] })).toEqual({
      request: { messages: [HELLO, { role: 'assistant', content: 'Hi' }] },
      dropped: [`messages[].content[].${name}`],
    })
    expect(messagesOf(HELLO, { role: 'assistant', content: [block] }).request.messages).toEqual([HELLO])
  })

  test.each([
    [{ role: 'robot', content: '' }, 'messages[0].role'],
    [
      { role: 'user', content: [{ type: 'image', source: { type: 'file', file_id: 'f' } }] },
      'messages[0].content[0].source.file_id',
    ],
    [{ role: 'user', content: [{ type: 'document', source: { type: 'x' } }] }, 'messages[0].content[0].source.type'],
    [{ role: 'user', content: [{ type: 'text' }] }, 'messages[0].content[0].text'],
    [{ role: 'user', content: [{ type: 'tool_result', content: 'x' }] }, 'messages[0].content[0].tool_use_id'],
    [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: 'x' }] },
      'messages[0].content[0].input',
    ],
    [{ role: 'system', content: [{ type: 'image' }] }, 'messages[0].content[0].type'],
  ])('%j is refused by its place', (message, param) => {
    expect(paramOf(() => messagesOf(message))).toBe(param)
  })
})

const paramOf = (make: () => unknown): string | undefined => {
  try {
    make()
  } catch (thrown) {
    if (thrown instanceof InvalidRequest) return thrown.options.param
    throw thrown
  }
  return undefined
}

const TOOL = { name: 'f', description: 'd', input_schema: { type: 'object', properties: {} } }
const FUNCTION = { type: 'function', function: { name: 'f', description: 'd', parameters: TOOL.input_schema } }

describe('tools', () => {
  test.each([
    [
      'of the client',
      [TOOL, { ...TOOL, type: 'custom', strict: true, ...MARK }],
      [FUNCTION, { type: 'function', function: { ...FUNCTION.function, strict: true }, ...MARK }],
      [],
    ],
    [
      'with more than a function has',
      [{ ...TOOL, input_examples: [{}], defer_loading: true }],
      [FUNCTION],
      ['tools[].input_examples', 'tools[].defer_loading'],
    ],
    [
      'of Anthropic',
      [{ type: 'web_search_20250305', name: 'web_search' }, TOOL],
      [FUNCTION],
      ['tools[].web_search_20250305'],
    ],
  ])('%s', (_what, tools, made, dropped) => {
    const result = asked({ tools })
    expect([result.request.tools, result.dropped]).toEqual([made, dropped])
  })

  test.each([
    [{ type: 'auto' }, { tool_choice: 'auto' }, []],
    [{ type: 'any', disable_parallel_tool_use: true }, { tool_choice: 'required', parallel_tool_calls: false }, []],
    [{ type: 'none' }, { tool_choice: 'none' }, []],
    [{ type: 'tool', name: 'f' }, { tool_choice: { type: 'function', function: { name: 'f' } } }, []],
    [{ type: 'tool', name: 'web_search' }, {}, ['tool_choice']],
  ])('the choice %j', (choice, made, lost) => {
    const { request, dropped } = asked({ tools: [TOOL], tool_choice: choice })
    const { messages: _messages, tools: _tools, ...rest } = request
    expect([rest, dropped]).toEqual([made, lost])
  })

  test('none is chosen where none is left', () => {
    const { request, dropped } = asked({
      tools: [{ type: 'bash_20250124', name: 'bash' }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    })
    expect([request, dropped]).toEqual([{ messages: [HELLO] }, ['tools[].bash_20250124']])
  })

  test.each([
    [{ tools: [{ input_schema: {} }] }, 'tools[0].name'],
    [{ tools: [{ name: 'f' }] }, 'tools[0].input_schema'],
    [{ tools: [TOOL], tool_choice: { type: 'maybe' } }, 'tool_choice.type'],
    [{ tools: [TOOL], tool_choice: { type: 'tool' } }, 'tool_choice.name'],
  ])('%j is refused by its place', (fields, param) => {
    expect(paramOf(() => asked(fields))).toBe(param)
  })
})

describe('parameters', () => {
  const thinker = 'gpt-5.2'
  test.each<[string, Record<string, unknown>, Record<string, unknown>, string[], string]>([
    ['sampling', { temperature: 0.5, top_p: 0.9, top_k: 5 }, { temperature: 0.5, top_p: 0.9, top_k: 5 }, [], 'acme-1'],
    ['nothing', { temperature: null, stop_sequences: [] }, {}, [], 'acme-1'],
    ['stop sequences', { stop_sequences: ['a'] }, { stop: ['a'] }, [], 'acme-1'],
    ['thinking', { thinking: { type: 'adaptive' } }, { thinking: { type: 'enabled' } }, [], 'acme-1'],
    ['no thinking', { thinking: { type: 'disabled' } }, { thinking: { type: 'disabled' } }, [], 'acme-1'],
    ['thinking between tools', { thinking: { type: 'between_tools' } }, {}, ['thinking'], 'acme-1'],
    [
      'a budget',
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      [],
      'acme-1',
    ],
    [
      'a budget for a model that is known to think',
      { thinking: { type: 'enabled', budget_tokens: 2000 } },
      { thinking: { type: 'enabled', budget_tokens: 2000 }, reasoning_effort: 'medium' },
      [],
      thinker,
    ],
    ['an effort', { output_config: { effort: 'low' } }, { reasoning_effort: 'low' }, [], thinker],
    [
      'the highest effort',
      { output_config: { effort: 'max' } },
      { reasoning_effort: 'high' },
      ['output_config.effort'],
      thinker,
    ],
    ['an effort for another model', { output_config: { effort: 'low' } }, {}, ['output_config.effort'], 'acme-1'],
    [
      'a schema of the answer',
      { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } },
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', schema: { type: 'object' }, strict: true },
        },
      },
      [],
      'acme-1',
    ],
    ['a user', { metadata: { user_id: 'u', more: 1 } }, { user: 'u' }, ['metadata.more'], 'acme-1'],
    ['the standard tier', { service_tier: 'standard_only' }, { service_tier: 'default' }, [], 'acme-1'],
    [
      "features of Anthropic's service",
      { mcp_servers: [], container: 'c', betas: ['b'] },
      {},
      ['mcp_servers', 'container', 'betas'],
      'acme-1',
    ],
    ['those of a chat', { seed: 1, mock: { latencyMs: 1 } }, { seed: 1, mock: { latencyMs: 1 } }, [], 'acme-1'],
  ])('%s', (_what, fields, made, lost, model) => {
    const { request, dropped } = asked(fields, model)
    const { messages: _messages, ...rest } = request
    expect([rest, dropped]).toEqual([made, lost])
  })

  test('a long id of a user is told by its hash, the same each time', () => {
    const id = 'x'.repeat(65)
    const { user } = asked({ metadata: { user_id: id } }).request
    expect(user).toMatch(/^[0-9a-f]{64}$/)
    expect(asked({ metadata: { user_id: id } }).request.user).toBe(user)
  })

  test.each([
    [{ thinking: { type: 'enabled' } }, 'thinking.budget_tokens'],
    [{ thinking: { type: 'x' } }, 'thinking.type'],
    [{ output_config: { format: { type: 'x' } } }, 'output_config.format.type'],
    [{ output_format: { type: 'json_schema' } }, 'output_format.schema'],
    [{ output_config: { effort: 1 } }, 'output_config.effort'],
    [{ metadata: { user_id: 1 } }, 'metadata.user_id'],
  ])('%j is refused by its place', (fields, param) => {
    expect(paramOf(() => asked(fields))).toBe(param)
  })
})
