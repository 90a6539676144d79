import { describe, expect, test } from 'bun:test'
import { InvalidRequest } from '#kit'
import type { AdapterContext } from '#kit/provider'
import { sealCarried } from './carried.ts'
import { toChat } from './to-chat.ts'

const CONTEXT: AdapterContext = {
  provider: 'anthropic',
  model: 'm',
  stream: false,
  strict: false,
  includeUsage: true,
  callId: '11111111-2222-4333-8444-555555555555',
  created: 1,
  settings: {},
}

const asked = (params: object) => toChat({ model: 'm', input: 'Hello', ...params }, CONTEXT)
const messages = (input: unknown) => asked({ input }).request.messages as unknown

const HELLO = { role: 'user', content: 'Hello' }

describe('parameters', () => {
  test.each([
    [{ instructions: 'Be brief.' }, { messages: [{ role: 'system', content: 'Be brief.' }, HELLO] }],
    [{ max_output_tokens: 5 }, { max_completion_tokens: 5 }],
    [
      { text: { format: { type: 'json_object' }, verbosity: 'low' } },
      { response_format: { type: 'json_object' }, verbosity: 'low' },
    ],
    [
      { text: { format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true } } },
      {
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
      },
    ],
    [{ text: { format: { type: 'text' } } }, {}],
    [{ reasoning: { effort: 'low', summary: 'auto' } }, { reasoning_effort: 'low' }],
    [{ top_logprobs: 2 }, { logprobs: true, top_logprobs: 2 }],
    [{ include: ['message.output_text.logprobs'] }, { logprobs: true }],
    [{ include: ['reasoning.encrypted_content'] }, {}],
    [{ metadata: { a: 'b' }, store: true, stream_options: { include_obfuscation: false } }, {}],
    [
      { temperature: 1, top_p: 0.5, user: 'u', service_tier: 'flex' },
      { temperature: 1, top_p: 0.5, user: 'u', service_tier: 'flex' },
    ],
    [{ thinking: { type: 'disabled' }, temperature: null }, { thinking: { type: 'disabled' } }],
    [{ parallel_tool_calls: false }, {}],
    [{ truncation: 'disabled', background: false }, {}],
  ])('%j', (params, expected) => {
    expect(asked(params)).toEqual({ request: { model: 'm', messages: [HELLO], ...expected }, dropped: [] })
  })

  test.each([
    [{ truncation: 'auto' }, ['truncation']],
    [{ max_tool_calls: 2 }, ['max_tool_calls']],
    [{ context_management: [{ type: 'compaction' }] }, ['context_management']],
    [{ reasoning: { context: 'all_turns', mode: 'pro' } }, ['reasoning.context', 'reasoning.mode']],
    [{ tools: [{ type: 'web_search' }, { type: 'mcp' }] }, ['tools[].web_search', 'tools[].mcp']],
    [{ tool_choice: { type: 'web_search_preview' } }, ['tool_choice']],
    [{ input: [HELLO, { type: 'web_search_call', id: 'ws_1' }] }, ['input[].web_search_call']],
    [
      { input: [HELLO, { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' }] },
      ['input[].encrypted_content'],
    ],
  ])('%j is lost by name', (params, dropped) => {
    const { request, dropped: lost } = asked(params)
    expect(lost).toEqual(dropped)
    expect(request).toEqual({ model: 'm', messages: [HELLO] })
  })

  test.each([
    [{ background: true }, 'background'],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ prompt: { id: 'p' } }, 'prompt'],
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ model: undefined }, 'model'],
    [{ input: undefined }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: ['text'] }, 'input[0]'],
    [{ input: [{ role: 'robot', content: 'x' }] }, 'input[0].role'],
    [{ input: [{ role: 'user', content: 5 }] }, 'input[0].content'],
    [{ input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input[0].content[0]'],
    [{ input: [{ role: 'user', content: [{ type: 'input_file' }] }] }, 'input[0].content[0]'],
    [{ input: [{ type: 'function_call', name: 'f', arguments: '{}' }] }, 'input[0].call_id'],
    [{ input: [{ type: 'function_call', call_id: 'c', name: 'f' }] }, 'input[0].arguments'],
    [{ input: [{ type: 'function_call_output', output: 'x' }] }, 'input[0].call_id'],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]'],
    [{ input: [{ id: 'msg_1' }] }, 'input[0]'],
    [{ tools: [{ type: 'function' }] }, 'tools[0].name'],
  ])('%j is refused by name', (params, param) => {
    const refusal = (() => {
      try {
        return asked(params)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(refusal).toBeInstanceOf(InvalidRequest)
    expect((refusal as InvalidRequest).options.param).toBe(param)
  })
})

describe('tools', () => {
  const f = { type: 'function', name: 'f', parameters: { type: 'object' }, strict: false, description: 'd' }
  const functionOf = (name: string) => ({ type: 'function', function: { name } })

  test('functions, custom ones and those of a namespace', () => {
    const { request, dropped } = asked({
      tools: [
        f,
        { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
        { type: 'namespace', name: 'crm', tools: [f] },
      ],
    })
    const tools = request.tools as { function: { name: string; parameters: object; description: string } }[]
    expect(tools.map((tool) => tool.function.name)).toEqual(['f', 'patch', 'crm__f'])
    expect(tools[0]).toEqual({
      type: 'function',
      function: { name: 'f', parameters: { type: 'object' }, strict: false, description: 'd' },
    } as never)
    expect(tools[1]?.function.parameters).toMatchObject({ required: ['input'] })
    expect(tools[1]?.function.description).toContain('start: "x"')
    expect(dropped).toEqual(['tools[].format'])
  })

  test.each([
    ['required', 'required'],
    [{ type: 'function', name: 'f' }, functionOf('f')],
    [{ type: 'custom', name: 'f' }, functionOf('f')],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'f' }, { type: 'web_search' }] },
      { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [functionOf('f')] } },
    ],
  ])('the choice %j', (choice, expected) => {
    expect(asked({ tools: [f], tool_choice: choice }).request.tool_choice as unknown).toEqual(expected)
  })
})

describe('items', () => {
  test('what one answer held is one message, with the reasoning of the provider that is asked', () => {
    const thought = { type: 'thinking', thinking: 'hm', signature: 's' }
    const mark = { google: { thought_signature: 'g' } }
    const answer = (by: string) => [
      HELLO,
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: sealCarried({ by, blocks: [thought], calls: { c1: mark } }),
      },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Let me look.' }] },
      { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: 'x' },
      { type: 'function_call_output', call_id: 'c1', output: 'one' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'two' }] },
    ]
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }
    const custom = { id: 'c2', type: 'function', function: { name: 'patch', arguments: '{"input":"x"}' } }
    const results = [
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'two' }] },
    ]
    const said = { role: 'assistant', content: 'Let me look.', reasoning_content: 'hm' }
    expect(messages(answer('anthropic'))).toEqual([
      HELLO,
      {
        ...said,
        content_blocks: [thought, { type: 'text', text: 'Let me look.' }],
        tool_calls: [{ ...call, extra_content: mark }, custom],
      },
      ...results,
    ])
    expect(messages(answer('google'))).toEqual([HELLO, { ...said, tool_calls: [call, custom] }, ...results])
    expect(asked({ input: answer('google') }).dropped).toEqual(['input[].encrypted_content'])
  })

  test('a signed end of a text takes its place in it', () => {
    const extra = { google: { thought_signature: 'g' } }
    const sealed = sealCarried({ by: 'anthropic', blocks: [{ type: 'text', text: 'end', extra_content: extra }] })
    expect(
      messages([
        HELLO,
        { type: 'message', role: 'assistant', content: 'The end' },
        { type: 'reasoning', summary: [], encrypted_content: sealed },
      ]),
    ).toEqual([
      HELLO,
      {
        role: 'assistant',
        content: 'The end',
        content_blocks: [
          { type: 'text', text: 'The ' },
          { type: 'text', text: 'end', extra_content: extra },
        ],
      },
    ])
  })

  test.each([
    [
      { type: 'input_text', text: 'a' },
      { type: 'text', text: 'a' },
    ],
    [
      { type: 'input_image', image_url: 'https://a.example/b.png', detail: 'low' },
      { type: 'image_url', image_url: { url: 'https://a.example/b.png', detail: 'low' } },
    ],
    [
      { type: 'input_image', file_id: 'file-1' },
      { type: 'file', file: { file_id: 'file-1' } },
    ],
    [
      { type: 'input_file', file_data: 'data:application/pdf;base64,AA', filename: 'a.pdf' },
      { type: 'file', file: { file_data: 'data:application/pdf;base64,AA', filename: 'a.pdf' } },
    ],
    [
      { type: 'input_file', file_url: 'https://a.example/b.pdf' },
      { type: 'file', file: { file_url: 'https://a.example/b.pdf' } },
    ],
    [
      { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
      { type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } },
    ],
  ])('the part %j', (part, expected) => {
    expect(messages([{ role: 'user', content: [part] }])).toEqual([{ role: 'user', content: [expected] }])
  })

  test('a refusal of before is one', () => {
    const refusal = { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }
    expect(messages([HELLO, refusal])).toEqual([HELLO, { role: 'assistant', content: null, refusal: 'No.' }])
  })
})

test('what a client changed in a sealed state is left out', () => {
  for (const sealed of ['weir.1.', 'weir.1.%%%', `weir.1.${Buffer.from('[]').toString('base64url')}`]) {
    const item = { type: 'reasoning', summary: [], encrypted_content: sealed }
    expect(asked({ input: [HELLO, item] })).toMatchObject({
      request: { messages: [HELLO] },
      dropped: ['input[].encrypted_content'],
    })
  }
})
