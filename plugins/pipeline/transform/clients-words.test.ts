import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { InvalidRequest } from '#kit'
import type { Bridge } from '#kit/provider'
import { API_KEY, startTestGateway, type TestGateway } from '../../../test/support/gateway.ts'
import { inClientsWords } from './clients-words.ts'

describe('a refusal of what a bridge made', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    // Refuse by themselves what they cannot be told, so that nobody is asked.
    const settings = { baseURL: 'http://127.0.0.1:9', apiKey: 'key-of-the-operator' }
    gateway = await startTestGateway({
      config: { plugins: ['defaults', { google: settings }, { anthropic: settings }] },
    })
  })
  afterAll(() => gateway.close())

  const refusalOf = async (provider: string, path: string, body: object): Promise<string> => {
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: {
        'x-gateway-api-key': API_KEY,
        'x-gateway-provider': provider,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    expect([response.status, text]).toEqual([400, text])
    expect(text).not.toMatch(/messages\[[1-9]/)
    return text
  }

  const said = (text: string) => ({ role: 'user', content: text })
  const image = (url: string) => ({ type: 'input_image', image_url: url })

  test.each([
    [
      'a part of one item among several',
      {
        input: [
          said('One'),
          { role: 'assistant', content: 'Two' },
          { role: 'user', content: [{ type: 'input_text', text: 'See' }, image('ftp://a/b')] },
          said('Go'),
        ],
      },
      'input[2].content[1]',
    ],
    [
      'a result of a tool',
      {
        input: [
          said('One'),
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'd', output: 'x' },
        ],
      },
      'input[2]',
    ],
    ['a parameter of another name', { input: 'Hi', max_output_tokens: 1.5 }, 'max_output_tokens'],
    ['a number', { input: 'Hi', temperature: 'hot' }, 'temperature'],
  ])('names %s of a response', async (_, body, param) => {
    const { error } = JSON.parse(await refusalOf('google', '/v1/responses', { model: 'gemini-3.8-flash', ...body }))
    expect(error.param).toBe(param)
  })

  test('names a part of Gemini in its message', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'One' }] },
      { role: 'model', parts: [{ text: 'Two' }] },
      { role: 'user', parts: [{ text: 'See' }, { inlineData: { mimeType: 'video/mp4', data: 'aGk=' } }] },
    ]
    const text = await refusalOf('anthropic', '/v1beta/models/claude-sonnet-4-5:generateContent', { contents })
    expect(text).toContain('`contents[2].parts[1]`')
  })
})

describe('the field at fault', () => {
  const bridge: Bridge = {
    from: 'some',
    to: 'chat',
    words: { turns: { list: 'turns', parts: 'said', became: 'messages' }, names: { stop: 'ends_at' } },
    request: (request) => ({ request, dropped: [] }),
    reply: (answer) => answer,
    stream: () => ({ push: () => '', end: () => '' }),
  }
  const refusal = (param: string) => new InvalidRequest(`\`${param}\` is bad.`, { param })
  const named = (param: string, params: object, ask: () => void = () => undefined) => {
    const { message, options } = inClientsWords(refusal(param), bridge, { ...params }, ask)
    return [options.param, message]
  }

  test('is the list where fewer turns are not refused, or it is no list', () => {
    expect(named('messages[3].content', { turns: [{}, {}] })).toEqual(['turns', '`turns` is bad.'])
    expect(named('messages[0]', { turns: 'Hello' })).toEqual(['turns', '`turns` is bad.'])
  })

  test('is the last of the shortest history that is refused in the same words', () => {
    const asked: unknown[] = []
    const turns = [{ said: [1] }, { said: [2, 3] }, { said: [4] }]
    const { options } = inClientsWords(refusal('messages[7].content[1]'), bridge, { turns }, (params) => {
      asked.push(params)
      const values = (params.turns as typeof turns).flatMap(({ said }) => said)
      if (values.includes(3)) throw refusal('messages[9].content[1]')
      throw new InvalidRequest('The end is bad.', { param: 'messages[0]' })
    })
    expect(options.param).toBe('turns[1].said[1]')
    expect(asked.length).toBeLessThan(8)
  })

  test('is the client’s name of it, or none that it did not write', () => {
    expect(named('stop', {})).toEqual(['ends_at', '`ends_at` is bad.'])
    expect(named('tools[0].function.name', { tools: [] })).toEqual(['tools', '`tools` is bad.'])
    expect(named('seed', {})).toEqual([undefined, '`seed` is bad.'])
  })
})
