import { describe, expect, test } from 'bun:test'
import type { Endpoint } from '#kit'
import { InvalidRequest } from '#kit'
import chatCompletions from './chat-completions.ts'
import completions from './completions.ts'
import embeddings from './embeddings.ts'

const checkOf = ({ body }: Endpoint) => {
  if (body.kind !== 'json') throw new Error('its body is not JSON')
  return body.check
}
const checkChat = checkOf(chatCompletions)
const checkCompletions = checkOf(completions)
const checkEmbeddings = checkOf(embeddings)

const fault = (body: Record<string, unknown>, check: (body: Record<string, unknown>) => void = checkChat) => {
  try {
    check(body)
  } catch (thrown) {
    if (thrown instanceof InvalidRequest) return { param: thrown.options.param, message: thrown.message }
    throw thrown
  }
  throw new Error('it was accepted')
}

describe('validation of a chat request', () => {
  const messages = [{ role: 'user', content: 'Hello' }]
  test('leaves what it accepts as it is, unknown fields and null included', () => {
    const body = { model: 'm', messages, temperature: null, my_own: { a: 1 }, stop: 'x', tool_choice: 'auto', seed: -1 }
    checkChat(Object.freeze(body))
    const parts = [{ type: 'text', text: 'a' }, { type: 'their_own' }]
    for (const content of ['a', null, [], parts]) checkChat({ model: 'm', messages: [{ role: 'tool', content }] })
    checkChat({ model: 'm', messages: [{ role: 'assistant' }] })
  })

  const faults: readonly (readonly [Record<string, unknown>, string, string])[] = [
    [{ messages }, 'model', 'is required'],
    [{ model: '', messages }, 'model', 'must be a string that is not empty'],
    [{ model: 5, messages }, 'model', 'must be a string that is not empty'],
    [{ model: 'm' }, 'messages', 'is required'],
    [{ model: 'm', messages: 'Hello' }, 'messages', 'must be an array with at least one message'],
    [{ model: 'm', messages: [] }, 'messages', 'must be an array with at least one message'],
    [{ model: 'm', messages: ['a'] }, 'messages[0]', 'must be an object'],
    [{ model: 'm', messages: [...messages, {}] }, 'messages[1].role', 'is required'],
    [{ model: 'm', messages: [{ role: 5 }] }, 'messages[0].role', 'must be a string'],
    [
      { model: 'm', messages: [{ role: 'bot' }] },
      'messages[0].role',
      'must be one of: system, developer, user, assistant, tool, function',
    ],
    [
      { model: 'm', messages: [{ role: 'user', content: 5 }] },
      'messages[0].content',
      'must be a string or an array of parts',
    ],
    [{ model: 'm', messages: [{ role: 'user', content: [5] }] }, 'messages[0].content[0]', 'must be an object'],
    [{ model: 'm', messages: [{ role: 'user', content: [{}] }] }, 'messages[0].content[0].type', 'is required'],
    [
      { model: 'm', messages: [{ role: 'user', content: [{ type: 1 }] }] },
      'messages[0].content[0].type',
      'must be a string',
    ],
    [{ model: 'm', messages, stream: 'true' }, 'stream', 'must be a boolean'],
    [{ model: 'm', messages, stream_options: true }, 'stream_options', 'must be an object'],
    [{ model: 'm', messages, temperature: '1' }, 'temperature', 'must be a number'],
    [{ model: 'm', messages, n: 1.5 }, 'n', 'must be a whole number'],
    [{ model: 'm', messages, max_tokens: -1 }, 'max_tokens', 'must be a whole number'],
    [{ model: 'm', messages, max_completion_tokens: '5' }, 'max_completion_tokens', 'must be a whole number'],
    [{ model: 'm', messages, seed: 0.5 }, 'seed', 'must be a whole number'],
    [{ model: 'm', messages, stop: [1] }, 'stop', 'must be a string or an array of strings'],
    [{ model: 'm', messages, user: 5 }, 'user', 'must be a string'],
    [{ model: 'm', messages, tools: {} }, 'tools', 'must be an array'],
    [{ model: 'm', messages, tool_choice: [] }, 'tool_choice', 'must be a string or an object'],
    [{ model: 'm', messages, response_format: 'json' }, 'response_format', 'must be an object'],
    [{ model: 'm', messages, logprobs: 5 }, 'logprobs', 'must be a boolean'],
    [{ model: 'm', messages, logit_bias: [] }, 'logit_bias', 'must be an object'],
  ]
  for (const [body, param, problem] of faults) {
    test(`${param} ${problem}: ${JSON.stringify(body).slice(0, 60)}`, () => {
      expect(fault(body)).toEqual({ param, message: `\`${param}\` ${problem}.` })
    })
  }

  test('of an embeddings request names model and input', () => {
    for (const input of ['a', ['a', 'b'], [1, 2], [[1], [2]]]) checkEmbeddings({ model: 'm', input })
    expect(fault({ input: 'a' }, checkEmbeddings).param).toBe('model')
    expect(fault({ model: 'm' }, checkEmbeddings)).toEqual({ param: 'input', message: '`input` is required.' })
    for (const input of [[], 5, {}, null]) expect(fault({ model: 'm', input }, checkEmbeddings).param).toBe('input')
  })

  test('embeddings do not stream', () => {
    for (const stream of [false, null]) checkEmbeddings({ model: 'm', input: 'a', stream })
    expect(fault({ model: 'm', input: 'a', stream: true }, checkEmbeddings)).toEqual({
      param: 'stream',
      message: '`stream` must be false or left out: embeddings come in one answer.',
    })
  })
})

describe('validation of a text completion', () => {
  test('leaves what it accepts as it is, unknown fields and null included', () => {
    for (const prompt of ['', 'a', ['a', ''], [1, 2], [[1], [2, 3]]]) checkCompletions({ model: 'm', prompt })
    const body = { model: 'm', prompt: 'a', suffix: null, best_of: 3, echo: true, logprobs: 0, stop: ['a'], top_k: 4 }
    checkCompletions(Object.freeze(body))
  })

  test.each([
    [{ prompt: undefined }, 'prompt', 'is required'],
    [{ prompt: null }, 'prompt', 'is required'],
    [{ model: 5 }, 'model', 'must be a string that is not empty'],
    [{ max_tokens: -1 }, 'max_tokens', 'must be a whole number'],
    [{ n: 1.5 }, 'n', 'must be a whole number'],
    [{ best_of: '2' }, 'best_of', 'must be a whole number'],
    [{ echo: 'yes' }, 'echo', 'must be a boolean'],
    [{ logprobs: true }, 'logprobs', 'must be a whole number'],
    [{ suffix: 5 }, 'suffix', 'must be a string'],
    [{ stop: ['1', '2', '3', '4', '5'] }, 'stop', 'must be a string or an array of up to 4 strings'],
    [{ stop: [1] }, 'stop', 'must be a string or an array of up to 4 strings'],
    [{ stream: 1 }, 'stream', 'must be a boolean'],
    [{ stream_options: [] }, 'stream_options', 'must be an object'],
    [{ temperature: '1' }, 'temperature', 'must be a number'],
    [{ top_p: {} }, 'top_p', 'must be a number'],
    [{ presence_penalty: 'a' }, 'presence_penalty', 'must be a number'],
    [{ frequency_penalty: 'a' }, 'frequency_penalty', 'must be a number'],
    [{ logit_bias: [] }, 'logit_bias', 'must be an object'],
    [{ seed: 0.5 }, 'seed', 'must be a whole number'],
    [{ user: 5 }, 'user', 'must be a string'],
  ])('names what is wrong with %j', (more, param, problem) => {
    expect(fault({ model: 'm', prompt: 'a', ...more }, checkCompletions)).toEqual({
      param,
      message: `\`${param}\` ${problem}.`,
    })
  })

  test.each([[5], [{}], [[]], [['a', 1]], [[1, 'a']], [[[1], 'a']], [[[]]], [[-1]]])(
    'refuses the prompt %j',
    (prompt) => {
      expect(fault({ model: 'm', prompt }, checkCompletions).param).toBe('prompt')
    },
  )
})
