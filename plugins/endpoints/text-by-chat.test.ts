import { describe, expect, test } from 'bun:test'
import { InvalidRequest, UpstreamInvalid } from '#kit'
import type { AdapterContext, TextCompletionRequest } from '#kit/provider'
import { toChat, toText, toTextChunk } from './text-by-chat.ts'

const context: AdapterContext = {
  model: 'asked-for',
  stream: false,
  strict: true,
  includeUsage: false,
  callId: 'call-1',
  created: 7,
  settings: {},
}

const completion = (more: Record<string, unknown> = {}): TextCompletionRequest => ({
  model: 'm',
  prompt: 'Once upon',
  ...more,
})

const faultOf = (run: () => unknown) => {
  try {
    run()
  } catch (thrown) {
    if (thrown instanceof InvalidRequest) return { param: thrown.options.param, message: thrown.message }
    throw thrown
  }
  throw new Error('it was accepted')
}

describe('a text completion that is asked as a chat', () => {
  test('says the prompt as the user, and everything a chat knows as it is', () => {
    const params = {
      max_tokens: 5,
      temperature: 0.5,
      top_p: 0.5,
      n: 2,
      stop: ['a', 'b'],
      presence_penalty: 1,
      frequency_penalty: null,
      logit_bias: { 1: 2 },
      seed: 9,
      user: 'u',
      stream: true,
      stream_options: { include_usage: true },
      top_k: 3,
    }
    const messages = [{ role: 'user', content: 'Once upon' }]
    for (const prompt of ['Once upon', ['Once upon']]) {
      expect(toChat(completion({ ...params, prompt }))).toEqual({
        request: { model: 'm', ...params, messages },
        dropped: [],
      } as never)
    }
  })

  test('loses what a chat has no place for, in the order of the request', () => {
    const lost = {
      logprobs: 0,
      suffix: 'x',
      echo: true,
      best_of: 3,
      n: 2,
      messages: [],
      tools: [],
      tool_choice: 'auto',
      functions: [],
      function_call: 'auto',
    }
    const { request, dropped } = toChat(completion(lost))
    const { n: _, ...names } = lost
    expect(dropped).toEqual(Object.keys(names))
    expect(Object.keys(request).sort()).toEqual(['messages', 'model', 'n'])
    expect(request.messages).toEqual([{ role: 'user', content: 'Once upon' }])
  })

  test.each([
    [{ echo: false, suffix: '', best_of: 1, logprobs: null }],
    [{ echo: null, suffix: null, best_of: null }],
    [{ best_of: 2, n: 2 }],
    [{ best_of: 0 }],
  ])('says nothing of what asks for nothing: %j', (more) => {
    const { request, dropped } = toChat(completion(more))
    expect(dropped).toEqual([])
    for (const name of ['echo', 'suffix', 'best_of', 'logprobs']) expect(request).not.toHaveProperty(name)
  })

  test.each([
    [['a', 'b'], 'one text at a time'],
    [[1, 2], 'tokens'],
    [[[1]], 'tokens'],
  ])('cannot be one of %j', (prompt, why) => {
    const { param, message } = faultOf(() => toChat(completion({ prompt })))
    expect([param, message]).toEqual(['prompt', expect.stringContaining(why)] as never)
  })
})

describe('the answer of a chat as a text', () => {
  const answer = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 5,
    model: 'm-2026',
    system_fingerprint: 'fp',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: ' a time' },
        logprobs: { content: [] },
        finish_reason: 'stop',
      },
      { index: 1, message: { role: 'assistant', content: null, tool_calls: [] }, finish_reason: 'tool_calls' },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
  }

  test('keeps id, time, model, usage and what is unknown', () => {
    expect(toText(answer, context)).toEqual({
      id: 'chatcmpl-1',
      object: 'text_completion',
      created: 5,
      model: 'm-2026',
      system_fingerprint: 'fp',
      choices: [
        { text: ' a time', index: 0, logprobs: null, finish_reason: 'stop' },
        { text: '', index: 1, logprobs: null, finish_reason: 'stop' },
      ],
      usage: answer.usage,
    })
  })

  test('has what is missing from the call', () => {
    expect(toText({ choices: [{ message: {} }, {}, 5] }, context)).toEqual({
      id: 'call-1',
      object: 'text_completion',
      created: 7,
      model: 'asked-for',
      choices: [0, 1].map((index) => ({ text: '', index, logprobs: null, finish_reason: null })),
    })
  })

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['tool_calls', 'stop'],
    ['function_call', 'stop'],
    ['their_own', 'their_own'],
  ])('ends for the reason %s as %s', (reason, as) => {
    expect(toText({ choices: [{ message: {}, finish_reason: reason }] }, context).choices[0]?.finish_reason).toBe(as)
  })

  test('is all that was said: parts of a list, and a refusal', () => {
    const said = (message: unknown) => toText({ choices: [{ message }] }, context).choices[0]?.text
    const parts = [{ type: 'thinking', thinking: [] }, { type: 'text', text: 'a' }, null, { type: 'text', text: 'b' }]
    expect(said({ content: parts })).toBe('ab')
    expect(said({ content: null, refusal: 'I will not.' })).toBe('I will not.')
    expect(said({ content: 'a', reasoning_content: 'so' })).toBe('a')
  })

  test('is none without choices', () => {
    expect(() => toText({ object: 'chat.completion' }, context)).toThrow(UpstreamInvalid)
  })

  const chunk = (delta: unknown, finish: string | null = null, more = {}) => ({
    ...{ id: 'c', object: 'chat.completion.chunk', created: 5, model: 'm' },
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  })

  test('in chunks says nothing where a chat says what is no text', () => {
    for (const delta of [{ role: 'assistant', content: '' }, { reasoning_content: 'so' }, { tool_calls: [] }, null]) {
      expect(toTextChunk(chunk(delta), context)).toBeUndefined()
    }
    expect(toTextChunk(chunk({ content: 'a' }), context)).toEqual({
      ...{ id: 'c', object: 'text_completion', created: 5, model: 'm' },
      choices: [{ text: 'a', index: 0, logprobs: null, finish_reason: null }],
    })
    expect(toTextChunk(chunk({}, 'tool_calls'), context)?.choices[0]).toMatchObject({ text: '', finish_reason: 'stop' })
  })

  test('in chunks names usage to those who asked, whichever chunk has it', () => {
    const asked = { ...context, includeUsage: true }
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
    const last = chunk({}, 'stop', { usage })
    expect(toTextChunk(last, context)).not.toHaveProperty('usage')
    expect(toTextChunk(last, asked)).toMatchObject({ usage })
    expect(toTextChunk({ choices: [], usage }, context)).toBeUndefined()
    expect(toTextChunk({ choices: [], usage }, asked)).toMatchObject({ choices: [], usage })
    expect(toTextChunk(chunk({ content: 'a' }, null, { usage: null }), asked)).not.toHaveProperty('usage')
  })
})
