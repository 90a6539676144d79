import { describe, expect, test } from 'bun:test'
import { InvalidRequest } from '#kit'
import { applyParams, type ChatRequest } from '#kit/provider'
import { deepFreeze } from '#kit/testing'
import { traitsOf } from './models.ts'
import { chatParams, defaultLimit } from './params.ts'

const USER = { role: 'user', content: 'Hi' }
const TOOL = { type: 'function', function: { name: 'f' } }
const CALL = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }

/** Requests come straight from clients, so the type promises nothing. */
const adapt = (fields: Record<string, unknown>, model = 'claude-opus-5-5') => {
  const request = deepFreeze({ model, messages: [USER], ...fields }) as unknown as ChatRequest
  const context = { model, stream: false, strict: true, includeUsage: false, callId: 'c', created: 0, settings: {} }
  return applyParams(chatParams(undefined), request, context, 'drop')
}

describe('default output limit', () => {
  test.each([
    ['claude-3-opus-20240229', 4096],
    ['claude-3-5-haiku-20241022', 8192],
    ['claude-3-7-sonnet-latest', 32_000],
    ['claude-sonnet-4-20250514', 32_000],
    ['claude-opus-4-1-20250805', 32_000],
    ['claude-haiku-4-5-20251001', 64_000],
    ['claude-opus-5-5', 64_000],
    ['claude-mythos-preview', 64_000],
    ['deepseek-chat', 8192],
  ])('%s: %d', (model, maxTokens) => {
    expect(defaultLimit({ model, messages: [] }, model, undefined)).toEqual({ max_tokens: maxTokens })
  })
})

describe('native thinking', () => {
  test.each([
    [
      'claude-opus-4-5',
      { type: 'enabled', budget_tokens: 2048 },
      { thinking: { type: 'enabled', budget_tokens: 2048 } },
    ],
    [
      'claude-opus-4-6',
      { type: 'enabled', budget_tokens: 2048 },
      { thinking: { type: 'enabled', budget_tokens: 2048 } },
    ],
    ['claude-opus-5', { type: 'disabled' }, { thinking: { type: 'disabled' } }],
    ['claude-opus-5-5', { type: 'disabled' }, { output_config: { effort: 'low' } }],
    ['claude-sonnet-5-5', { type: 'disabled' }, { thinking: { type: 'between_tools' } }],
    ['claude-opus-5-5', { type: 'adaptive' }, { thinking: { type: 'adaptive' } }],
  ])('%s, %j', (model, thinking, expected) => {
    const { body, dropped } = adapt({ thinking }, model)
    const { model: _, messages: __, ...fields } = body
    expect([fields, dropped]).toEqual([expected, []])
  })

  test.each([
    [1024, 'low'],
    [2000, 'medium'],
    [16_384, 'high'],
    [30_000, 'xhigh'],
  ])('with a budget of %d is an effort where the model takes no budget: %s', (budget, effort) => {
    const { body, dropped } = adapt({ thinking: { type: 'enabled', budget_tokens: budget } }, 'claude-opus-5-5')
    expect(body).toMatchObject({ thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } })
    expect(dropped).toEqual(['thinking.budget_tokens'])
  })

  test('with a budget leaves the effort to the call that names one', () => {
    const fields = { thinking: { type: 'enabled', budget_tokens: 1024, display: 'omitted' }, reasoning_effort: 'high' }
    expect(adapt(fields, 'claude-opus-5-5').body).toMatchObject({
      thinking: { type: 'adaptive', display: 'omitted' },
      output_config: { effort: 'high' },
    })
  })
})

describe('model traits', () => {
  test.each([
    ['claude-opus-4-5-20251101', 'budget', 'omit', true, true],
    ['claude-sonnet-4-6', 'adaptive', 'omit', true, true],
    ['claude-opus-4-7', 'adaptive', 'omit', false, true],
    ['claude-sonnet-5', 'adaptive', 'disabled', false, true],
    ['claude-opus-5', 'adaptive', 'disabled', false, true],
    ['claude-fable-5', 'adaptive', 'never', false, true],
    ['claude-fable-5-1', 'adaptive', 'never', false, false],
    ['claude-opus-5-5', 'adaptive', 'never', false, false],
    ['claude-sonnet-5-5', 'adaptive', 'between_tools', false, false],
    ['claude-haiku-5-5', 'adaptive', 'disabled', false, true],
    ['kimi-k2', 'budget', 'omit', true, true],
  ])('%s', (model, thinking, thinkingOff, sampling, forcedToolChoice) => {
    expect(traitsOf(model)).toMatchObject({ thinking, thinkingOff, sampling, forcedToolChoice })
  })
})

describe('reasoning_effort', () => {
  const shown = { type: 'adaptive', display: 'summarized' }
  test.each([
    ['claude-3-7-sonnet-20250219', 'minimal', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['claude-opus-4-5', 'low', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
    ['claude-opus-4-5', 'medium', { thinking: { type: 'enabled', budget_tokens: 8192 } }],
    ['claude-opus-4-5', 'high', { thinking: { type: 'enabled', budget_tokens: 16_384 } }],
    ['claude-opus-4-5', 'xhigh', { thinking: { type: 'enabled', budget_tokens: 32_768 } }],
    ['claude-opus-4-1', 'xhigh', { thinking: { type: 'enabled', budget_tokens: 24_000 } }],
    ['claude-opus-4-5', 'none', {}],
    ['claude-opus-4-6', 'none', {}],
    ['claude-opus-4-6', 'xhigh', { thinking: shown, output_config: { effort: 'high' } }],
    ['claude-opus-4-6', 'max', { thinking: shown, output_config: { effort: 'max' } }],
    ['claude-opus-5', 'none', { thinking: { type: 'disabled' } }],
    ['claude-sonnet-5-5', 'none', { thinking: { type: 'between_tools' } }],
    ['claude-opus-5-5', 'none', { output_config: { effort: 'low' } }],
    ['claude-opus-5-5', 'minimal', { thinking: shown, output_config: { effort: 'low' } }],
    ['claude-opus-5-5', 'xhigh', { thinking: shown, output_config: { effort: 'xhigh' } }],
  ])('%s, %s', (model, effort, expected) => {
    const { body, dropped } = adapt({ reasoning_effort: effort }, model)
    const { model: _, messages: __, ...fields } = body
    expect(fields).toEqual(expected)
    expect(dropped).toEqual([])
  })

  test.each([
    ['a model that does not think', 'claude-3-5-sonnet-20241022', {}],
    ['no room for the least budget', 'claude-sonnet-4-5', { max_tokens: 1024 }],
    ['a forced tool call', 'claude-sonnet-4-5', { tools: [TOOL], tool_choice: 'required' }],
    [
      'a tool loop without its thinking',
      'claude-sonnet-4-5',
      {
        messages: [USER, { role: 'assistant', tool_calls: [CALL] }, { role: 'tool', tool_call_id: 'c1', content: 'x' }],
      },
    ],
  ])('is named as lost with %s', (_, model, fields) => {
    const { body, dropped } = adapt({ ...fields, reasoning_effort: 'high' }, model)
    expect(dropped).toEqual(['reasoning_effort'])
    expect(body).not.toHaveProperty('thinking')
  })
})

describe('sampling', () => {
  const model = 'claude-sonnet-4-5'
  test.each([
    [model, { temperature: -1 }, { temperature: 0 }, []],
    [model, { top_p: 0.3 }, { top_p: 0.3 }, []],
    [model, { top_p: 0.3, thinking: { type: 'enabled', budget_tokens: 2000 } }, {}, ['top_p']],
    [model, { top_p: 0.97, thinking: { type: 'enabled', budget_tokens: 2000 } }, { top_p: 0.97 }, []],
    [model, { top_k: 3, reasoning_effort: 'low' }, {}, ['top_k']],
    ['claude-opus-4-7', { temperature: 1, top_p: 1 }, {}, []],
    ['claude-opus-4-7', { temperature: 0 }, {}, ['temperature']],
    ['glm-5', { temperature: 0.4 }, { temperature: 0.4 }, []],
  ])('%s (%#)', (name, fields, expected, lost) => {
    const { body, dropped } = adapt(fields, name)
    const { model: _, messages: __, thinking: ___, ...rest } = body
    expect(rest).toEqual(expected)
    expect(dropped).toEqual(lost)
  })
})

describe('tool choice', () => {
  test.each([
    [{ tool_choice: 'none', parallel_tool_calls: false }, { type: 'none' }],
    [{ parallel_tool_calls: false }, { type: 'auto', disable_parallel_tool_use: true }],
    [{ parallel_tool_calls: true }, undefined],
    [{ tool_choice: { type: 'tool', name: 'f' } }, { type: 'tool', name: 'f' }],
  ])('%#', (fields, expected) => {
    const { body, dropped } = adapt({ tools: [TOOL], ...fields }, 'claude-opus-5')
    expect(body.tool_choice).toEqual(expected)
    expect(dropped).toEqual([])
  })

  test('goes without tools, and is named when Anthropic has no such choice', () => {
    expect(adapt({ tools: [], tool_choice: 'auto' })).toMatchObject({ dropped: [] })
    expect(adapt({ tools: [], tool_choice: 'auto' }).body).not.toHaveProperty('tool_choice')
    const allowed = { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } }
    expect(adapt({ tools: [TOOL], tool_choice: allowed }).dropped).toEqual(['tool_choice'])
  })
})

test('a call that is among the carried blocks is not sent twice', () => {
  const block = { type: 'tool_use', id: 'c1', name: 'f', input: {} }
  const assistant = { role: 'assistant', content_blocks: [block], tool_calls: [CALL] }
  const { body } = adapt({ messages: [USER, assistant, { role: 'tool', tool_call_id: 'c1', content: 'x' }] })
  expect(body.messages).toMatchObject([{}, { content: [block] }, {}])
})

test('the words of a client never become prototypes', () => {
  const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"null"}}}')
  const { body } = adapt({ response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } })
  expect(JSON.stringify(body.output_config)).toContain('"properties":{"__proto__":{"type":"null"}}')
})

describe('refuses what has no counterpart, naming the field', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}`)
  const schemaOf = (schema: unknown) => ({ type: 'json_schema', json_schema: { name: 'n', schema } })
  const image = (url: unknown) => ({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: url }] }] })
  const calls = (call: unknown) => ({ messages: [USER, { role: 'assistant', tool_calls: [call] }] })
  test.each([
    ['messages[0].role', { messages: [{ role: 'narrator', content: 'x' }] }],
    ['messages[0].role', { messages: [{ role: 'function', name: 'f', content: 'x' }] }],
    ['messages', { messages: [{ role: 'assistant', content: null }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: 7 }] }],
    ['messages[0].content[0]', { messages: [{ role: 'user', content: ['x'] }] }],
    ['messages[0].content[0].text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['messages[0].content[0].type', { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] }],
    ['messages[0].content[0].type', { messages: [{ role: 'system', content: [{ type: 'image_url' }] }] }],
    ['messages[0].content[0].image_url', image('ftp://example.com/a.png')],
    ['messages[0].content[0].image_url', image('data:image/png,abc')],
    ['messages[0].content[0].image_url', image({ url: 'data:image/bmp;base64,AAAA' })],
    ['messages[0].content[0].image_url', image(null)],
    ['messages[1].tool_call_id', { messages: [USER, { role: 'tool', content: 'x' }] }],
    ['messages[1].tool_call_id', { messages: [USER, { role: 'tool', tool_call_id: '', content: 'x' }] }],
    ['messages[1].tool_calls', { messages: [USER, { role: 'assistant', tool_calls: {} }] }],
    ['messages[1].tool_calls[0].function', calls({ id: 'a' })],
    ['messages[1].tool_calls[0].function.arguments', calls({ ...CALL, function: { name: 'f', arguments: 1 } })],
    ['messages[1].content_blocks[0].type', { messages: [USER, { role: 'assistant', content_blocks: [{}] }] }],
    ['tools', { tools: {} }],
    ['tools[0].function', { tools: [{ type: 'function' }] }],
    ['tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
    ['tools[0].type', { tools: [{ type: 'custom', custom: { name: 'x' } }] }],
    ['tool_choice', { tools: [TOOL], tool_choice: 'sometimes' }],
    ['response_format.type', { response_format: { type: 'xml' } }],
    ['response_format.json_schema.schema', { response_format: schemaOf('x') }],
    ['response_format.json_schema.schema', { response_format: schemaOf(nested(1000)) }],
    ['reasoning_effort', { reasoning_effort: 'toString' }],
    ['thinking', { thinking: true }],
    ['temperature', { temperature: 'hot' }],
    ['max_tokens', { max_tokens: '7' }],
    ['stop[1]', { stop: ['a', 1] }],
    ['user', { user: {} }],
  ])('%s (%#)', (param, fields) => {
    let thrown: unknown
    try {
      adapt(fields)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(InvalidRequest)
    expect(thrown).toMatchObject({ options: { param } })
  })
})
