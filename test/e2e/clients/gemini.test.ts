import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ApiError, FunctionCallingConfigMode, GoogleGenAI, Type } from '@google/genai'
import { type MockServer, startMockServer } from '../../../plugins/providers/mock/server.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { NATIVE_KEY, startNativeProvider } from './support/native-provider.ts'

let native: MockServer
let openai: MockServer
let gateway: TestGateway
beforeAll(async () => {
  native = await startNativeProvider()
  openai = await startMockServer()
  gateway = await startTestGateway({
    config: {
      plugins: [
        'defaults',
        'mock',
        { openai: { baseURL: `${openai.url}/v1`, apiKey: 'sk-of-the-operator-0123456789' } },
        { anthropic: { baseURL: `${native.url}/v1`, apiKey: NATIVE_KEY } },
        { google: { baseURL: `${native.url}/v1beta`, apiKey: NATIVE_KEY } },
      ],
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await Promise.all([native.close(), openai.close()])
})

const client = (provider?: string, headers: Record<string, string> = {}): GoogleGenAI =>
  new GoogleGenAI({
    apiKey: API_KEY,
    httpOptions: {
      baseUrl: gateway.url,
      headers: { ...(provider === undefined ? {} : { 'x-gateway-provider': provider }), ...headers },
    },
  })

const weather = {
  functionDeclarations: [
    {
      name: 'get_weather',
      description: 'Weather of a city',
      parameters: { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ['city'] },
    },
  ],
}

describe.each(['mock', 'openai'])('the client of Google over %s', (provider) => {
  test('generates, and counts what it used', async () => {
    const answer = await client(provider).models.generateContent({
      model: 'mock',
      contents: 'Hello there',
      config: { systemInstruction: 'Be brief.', temperature: 0.5, maxOutputTokens: 50, stopSequences: ['END'] },
    })
    expect(answer.text).toBe('Mock answer to: Hello there')
    expect(answer.candidates?.[0]?.finishReason as string).toBe('STOP')
    expect(answer.usageMetadata).toMatchObject({ promptTokenCount: 4, candidatesTokenCount: 5, totalTokenCount: 9 })
    expect(answer.modelVersion).toBe('mock')
    expect(answer.responseId).toStartWith('chatcmpl-mock-')
  })

  test('names the provider in the model', async () => {
    const answer = await client().models.generateContent({ model: `models/@${provider}/mock`, contents: 'Hello' })
    expect(answer.text).toBe('Mock answer to: Hello')
  })

  test('streams, with the usage at the end', async () => {
    const pieces: string[] = []
    let last: unknown
    for await (const chunk of await client(provider).models.generateContentStream({ model: 'mock', contents: 'Hi' })) {
      pieces.push(chunk.text ?? '')
      last = chunk
    }
    expect(pieces.join('')).toBe('Mock answer to: Hi')
    expect(pieces.length).toBeGreaterThan(2)
    expect(last).toMatchObject({
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 4 },
    })
  })

  test('shows thoughts to those who ask for them', async () => {
    const ask = async (includeThoughts: boolean) => {
      const { candidates, usageMetadata } = await client(provider).models.generateContent({
        model: 'mock-reasoning',
        contents: 'Why?',
        config: { thinkingConfig: { includeThoughts, thinkingBudget: 2000 } },
      })
      expect(usageMetadata?.thoughtsTokenCount).toBeGreaterThan(0)
      return candidates?.[0]?.content?.parts
    }
    expect(await ask(true)).toEqual([
      { text: 'Mock reasoning about: Why?', thought: true },
      { text: 'Mock answer to: Why?' },
    ])
    expect(await ask(false)).toEqual([{ text: 'Mock answer to: Why?' }])
  })

  test.each([false, true])('calls tools over several turns in a chat, streamed: %s', async (streamed) => {
    const chat = client(provider).chats.create({ model: 'mock-tools', config: { tools: [weather] } })
    const send = async (message: Parameters<typeof chat.sendMessage>[0]['message']) => {
      if (!streamed) return chat.sendMessage({ message })
      const chunks = await Array.fromAsync(await chat.sendMessageStream({ message }))
      const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? [])
      return {
        functionCalls: parts.flatMap(({ functionCall: call }) => call ?? []),
        text: parts.map(({ text }) => text ?? '').join(''),
      }
    }
    const first = await send({ text: 'Weather in Rome?' })
    const [call] = first.functionCalls ?? []
    expect(call?.name).toBe('get_weather')
    expect(typeof call?.args?.city).toBe('string')
    const second = await send({
      functionResponse: { id: call?.id ?? '', name: 'get_weather', response: { sky: 'clear' } },
    })
    expect(second.text).toBe('Mock answer from 1 tool result: {"sky":"clear"}')
    expect(chat.getHistory(true).length).toBeGreaterThanOrEqual(4)
  })

  test('answers in the structure that is asked for', async () => {
    const { text } = await client(provider).models.generateContent({
      model: 'mock-json',
      contents: 'A city',
      config: {
        responseMimeType: 'application/json',
        responseSchema: {
          type: Type.OBJECT,
          properties: { name: { type: Type.STRING }, size: { type: Type.INTEGER } },
          required: ['name', 'size'],
        },
      },
    })
    expect(Object.keys(JSON.parse(text ?? ''))).toEqual(['name', 'size'])
  })

  test('sees pictures', async () => {
    const { text } = await client(provider).models.generateContent({
      model: 'mock-vision',
      contents: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
    })
    expect(text).toContain('Mock saw 1 image')
  })

  test('embeds one text and several', async () => {
    const { embeddings } = await client(provider).models.embedContent({
      model: 'mock-embedding',
      contents: ['one', 'two'],
      config: { outputDimensionality: 8 },
    })
    expect(embeddings?.map(({ values }) => values?.length)).toEqual([8, 8])
  })

  test('counts tokens, and says that it is an estimate', async () => {
    const { totalTokens, sdkHttpResponse } = await client(provider).models.countTokens({
      model: 'mock',
      contents: 'How long is this?',
    })
    expect(totalTokens).toBeGreaterThan(3)
    expect(sdkHttpResponse?.headers?.['x-gateway-estimated']).toBe('true')
  })

  test('names what is lost', async () => {
    const { sdkHttpResponse } = await client(provider).models.generateContent({
      model: 'mock',
      contents: 'Hello',
      config: {
        tools: [{ googleSearch: {} }],
        labels: { team: 'a' },
        mediaResolution: 'MEDIA_RESOLUTION_LOW' as never,
      },
    })
    expect(sdkHttpResponse?.headers?.['x-gateway-dropped-params']).toBe(
      'labels, tools[].googleSearch, generationConfig.mediaResolution',
    )
  })

  test('throws its own errors, before a stream and inside one', async () => {
    const ask = (model: string) => client(provider).models.generateContentStream({ model, contents: 'Hello' })
    const early = await ask('mock:fault=rate-limited').catch((thrown: unknown) => thrown)
    expect(early).toBeInstanceOf(ApiError)
    expect(early).toMatchObject({ status: 429, message: expect.stringContaining('RESOURCE_EXHAUSTED') })
    const late = await Array.fromAsync(await ask('mock:fault=error-event,at=3')).catch((thrown: unknown) => thrown)
    expect(late).toBeInstanceOf(ApiError)
    const wrong = await client(provider)
      .models.generateContent({ model: 'mock', contents: [{ role: 'judge', parts: [{ text: 'a' }] }] })
      .catch((thrown: unknown) => thrown)
    expect(wrong).toMatchObject({ status: 400, message: expect.stringContaining('contents[0].role') })
  })
})

describe('the client of Google over anthropic', () => {
  test('forces a call and streams text', async () => {
    const ai = client('anthropic')
    const answer = await ai.models.generateContent({
      model: 'claude-sonnet-4-5',
      contents: 'Hello',
      config: {
        tools: [weather],
        toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
        seed: 1,
      },
    })
    expect(answer.text?.length).toBeGreaterThan(0)
    expect(answer.sdkHttpResponse?.headers?.['x-gateway-dropped-params']).toContain('seed')
    const asked = JSON.parse(new TextDecoder().decode(native.requests.at(-1)?.body))
    expect(asked).toMatchObject({ tool_choice: { type: 'any' }, tools: [{ name: 'get_weather' }] })
    const pieces = await Array.fromAsync(
      await ai.models.generateContentStream({ model: 'claude-sonnet-4-5', contents: 'Hello' }),
    )
    expect(pieces.map(({ text }) => text ?? '').join('')).toBe('Hello! How can I help?')
  })
})

describe('the client of Google over google', () => {
  test('has its bytes passed, under the name that Google knows', async () => {
    const answer = await client().models.generateContent({
      model: '@google/gemini-2.5-flash',
      contents: 'Hello',
      config: { safetySettings: [], cachedContent: 'cachedContents/1' },
    })
    expect(answer.text).toBe('Hello there!')
    const { path, body, headers } = native.requests.at(-1) ?? {}
    expect(path).toBe('/v1beta/models/gemini-2.5-flash:generateContent')
    expect(headers?.get('x-goog-api-key')).toBe(NATIVE_KEY)
    const sent = JSON.parse(new TextDecoder().decode(body))
    expect(sent).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
      safetySettings: [],
      cachedContent: 'cachedContents/1',
      generationConfig: {},
    })
  })

  test('streams, embeds and counts', async () => {
    const ai = client('google')
    const chunks = await Array.fromAsync(
      await ai.models.generateContentStream({ model: 'gemini-2.5-flash', contents: 'Hello' }),
    )
    expect(chunks.map(({ text }) => text ?? '').join('')).toBe('Hello there!')
    expect((await ai.models.countTokens({ model: 'gemini-2.5-flash', contents: 'Hello' })).totalTokens).toBe(7)
    const embedded = await client().models.embedContent({ model: '@google/gemini-embedding-001', contents: 'Hello' })
    expect(embedded.embeddings?.[0]?.values).toEqual([0.5, 0.25])
    expect(JSON.parse(new TextDecoder().decode(native.requests.at(-1)?.body))).toMatchObject({
      requests: [{ model: 'models/gemini-embedding-001' }],
    })
    const record = await gateway.record(({ endpoint, stream }) => endpoint === 'gemini' && stream === true)
    expect(record).toMatchObject({ provider: expect.any(String) })
  })

  test('shows what the provider refuses', async () => {
    const failure = await client('google', { authorization: 'Bearer sk-wrong-key-of-the-caller' })
      .models.generateContent({ model: 'gemini-2.5-flash', contents: 'Hello' })
      .catch((thrown: unknown) => thrown)
    expect(failure).toMatchObject({ status: 401, message: expect.stringContaining('UNAUTHENTICATED') })
  })
})

test('without `alt=sse` a stream is one JSON array, in which an error is the last element', async () => {
  const ask = (model: string) =>
    fetch(`${gateway.url}/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?key=${API_KEY}`, {
      method: 'POST',
      headers: { 'x-gateway-provider': 'mock' },
      body: JSON.stringify({ contents: [{ parts: [{ text: 'Hello' }] }] }),
    })
  const response = await ask('mock')
  expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
  const events = (await response.json()) as { candidates: { content: { parts: { text: string }[] } }[] }[]
  expect(events.map((event) => event.candidates[0]?.content.parts[0]?.text ?? '').join('')).toBe(
    'Mock answer to: Hello',
  )
  const broken = (await (await ask('mock:fault=cut-mid-stream,at=3')).json()) as { error?: { code: number } }[]
  expect(broken.length).toBeGreaterThan(1)
  expect(broken.at(-1)?.error?.code).toBeGreaterThanOrEqual(500)
})
