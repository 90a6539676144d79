import { describe, expect, test } from 'bun:test'
import { adaptRequest } from '#calls/adapt'
import { InvalidRequest } from '#kit'
import type { AdapterContext, ChatRequest } from '#kit/provider'
import { conform, conformExchanges, contextOf, setUp } from '#kit/testing'
import bedrock from './index.ts'
import { documentName } from './media.ts'
import { claudeOf, modelInPath, modelOf } from './models.ts'

conform(bedrock, new URL('./fixtures/', import.meta.url), { config: { region: 'us-east-1' } })
conformExchanges(bedrock, new URL('./exchanges/', import.meta.url), { region: 'us-east-1' })

const { providers } = await setUp(bedrock, { region: 'us-east-1' })
const provider = providers[0]
if (provider?.endpoints.chat === undefined) throw new Error('no chat')
const { chat } = provider.endpoints

const MODEL = 'anthropic.claude-sonnet-4-5-20250929-v1:0'

const send = (request: Partial<Record<keyof ChatRequest, unknown>>) => {
  const whole = { model: MODEL, messages: [{ role: 'user', content: 'hi' }], ...request } as unknown as ChatRequest
  const context: AdapterContext = contextOf(provider, { note: '', endpoint: 'chat', request: { model: whole.model } })
  return adaptRequest(chat, whole, context)
}

describe('models', () => {
  test.each([
    [MODEL, 'anthropic', 'claude-sonnet-4-5-20250929-v1:0'],
    [`us-gov.${MODEL}`, 'anthropic', 'claude-sonnet-4-5-20250929-v1:0'],
    [`global.${MODEL}`, 'anthropic', 'claude-sonnet-4-5-20250929-v1:0'],
    [`arn:aws:bedrock:eu-west-1::foundation-model/${MODEL}`, 'anthropic', 'claude-sonnet-4-5-20250929-v1:0'],
    ['arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3', '', 'a1b2c3'],
    ['us.meta.llama4-scout-17b-instruct-v1:0', 'meta', 'llama4-scout-17b-instruct-v1:0'],
    ['', '', ''],
  ])('%s is of %j', (id, maker, name) => {
    expect(modelOf(id)).toEqual({ maker, name })
  })

  test('the region in an ARN is no version of Claude', () => {
    const arn = `arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.${MODEL}`
    expect(claudeOf(modelOf(arn))).toEqual(claudeOf(modelOf(MODEL)))
  })

  test.each(['', '.', '..', '\ud800'])('%j is refused', (model) => {
    expect(() => send({ model })).toThrow(InvalidRequest)
  })

  test.each([
    [`/model/${MODEL}/converse`, MODEL],
    [
      '/model/arn:aws:bedrock:x::inference-profile/y/invoke-with-response-stream',
      'arn:aws:bedrock:x::inference-profile/y',
    ],
    ['/guardrail/g/version/1/apply', undefined],
    ['/model//converse', undefined],
  ])('%s names its model', (path, model) => {
    expect(modelInPath(path)).toBe(model as string)
  })
})

describe('what cannot be sent is refused by its name', () => {
  const user = (part: unknown) => ({ messages: [{ role: 'user', content: [part] }] })
  test.each([
    [
      'messages[0].content[0].image_url',
      user({ type: 'image_url', image_url: { url: 'https://example.com/cat.png' } }),
    ],
    [
      'messages[0].content[0].image_url',
      user({ type: 'image_url', image_url: { url: 'data:image/tiff;base64,AA==' } }),
    ],
    ['messages[0].content[0].image_url', user({ type: 'image_url', image_url: 's3://bucket/cat' })],
    [
      'messages[0].content[0].file.file_data',
      user({ type: 'file', file: { file_data: 'data:application/zip;base64,AA==' } }),
    ],
    [
      'messages[0].content[0].input_audio.format',
      user({ type: 'input_audio', input_audio: { data: 'AA==', format: 'x' } }),
    ],
    ['messages[0].content[0].type', user({ type: 'hologram' })],
    ['messages[0].role', { messages: [{ role: 'wizard', content: 'x' }] }],
    ['messages', { messages: [{ role: 'user', content: '  ' }] }],
    ['tools[0].type', { tools: [{ type: 'web_search' }] }],
    ['tool_choice', { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'maybe' }],
    ['response_format.type', { response_format: { type: 'xml' } }],
    ['reasoning_effort', { model: 'openai.gpt-oss-20b-1:0', reasoning_effort: 'huge' }],
    ['temperature', { temperature: 'hot' }],
  ])('%s', (param, request) => {
    const thrown = (() => {
      try {
        send(request)
      } catch (error) {
        return error
      }
      return undefined
    })()
    expect(thrown).toBeInstanceOf(InvalidRequest)
    expect(thrown).toMatchObject({ options: { param } })
  })
})

test.each([
  ['Report_2026 (final).pdf', 'Report 2026 (final)'],
  ['../../etc/passwd', 'etc passwd'],
  ['a\u0000b.txt', 'a b'],
  ['.pdf', 'document'],
  [undefined, 'document'],
])('%j is a document named %j', (filename, name) => {
  expect(documentName(filename)).toBe(name)
})

test('thinking that another model sealed is not sent', () => {
  const blocks = [
    { type: 'thinking', thinking: 'a', signature: 's', extra_content: { bedrock: {} } },
    { type: 'thinking', thinking: 'b', signature: '' },
    { type: 'text', text: 'said' },
  ]
  const request = {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'said', content_blocks: blocks },
      { role: 'user', content: 'go on' },
    ],
  }
  const sent = JSON.stringify(send(request).body)
  expect(sent).not.toContain('reasoningContent')
  expect(JSON.stringify(send({ ...request, model: 'us.amazon.nova-2-lite-v1:0' }).body)).toContain('"text":"a"')
})

test('the base URL is that of the region, and of the operator where one is given', async () => {
  const { baseURL } = provider
  if (typeof baseURL === 'string') throw new Error('a function')
  expect(baseURL({ aws_region: 'cn-north-1' })).toBe('https://bedrock-runtime.cn-north-1.amazonaws.com.cn')
  expect(() => baseURL({ aws_region: 'evil.example/' })).toThrow(InvalidRequest)
  const own = await setUp(bedrock, { baseURL: 'https://vpce-1.example' })
  expect(own.providers[0]?.baseURL).toBe('https://vpce-1.example')
})
