import { describe, expect, test } from 'bun:test'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, embedMany, generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai'
import type { Door } from './support/door.ts'
import { all, failureOf } from './support/openai-client.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** The `ai` package by its OpenAI-compatible provider. */
export const aiSdkSuite = (door: () => Door): void => {
  describe('the ai package', () => {
    const provider = (apiKey = door().apiKey) =>
      createOpenAICompatible({
        name: 'weir',
        baseURL: `${door().url}/v1`,
        apiKey,
        headers: { 'x-gateway-provider': 'mock' },
        includeUsage: true,
        supportsStructuredOutputs: true,
      })

    test('generates text and counts it', async () => {
      const { text, usage, finishReason } = await generateText({
        model: provider()('mock'),
        instructions: 'Be brief.',
        prompt: 'Grüße 🙂',
      })
      expect(text).toBe('Mock answer to: Grüße 🙂')
      expect(finishReason).toBe('stop')
      expect(usage).toMatchObject({ inputTokens: 4, outputTokens: 5 })
    })

    test('streams text', async () => {
      const result = streamText({ model: provider()('mock'), prompt: 'one two' })
      const pieces = await all(result.textStream)
      expect(pieces.join('')).toBe('Mock answer to: one two')
      expect(pieces.length).toBeGreaterThan(3)
      expect(await result.usage).toMatchObject({ inputTokens: 2, outputTokens: 5 })
    })

    test('shows reasoning', async () => {
      const { reasoningText, text } = await generateText({ model: provider()('mock-reasoning'), prompt: 'why' })
      expect(reasoningText).toBe('Mock reasoning about: why')
      expect(text).toBe('Mock answer to: why')
    })

    test.each([
      ['in one piece', false],
      ['streamed', true],
    ])('calls tools and goes on with their results (%s)', async (_, streamed) => {
      const cities: string[] = []
      const weather = tool({
        description: 'The weather of a city.',
        inputSchema: jsonSchema<{ city: string }>({
          type: 'object',
          properties: { city: { type: 'string', enum: ['Rome'] } },
          required: ['city'],
          additionalProperties: false,
        }),
        execute: async ({ city }) => {
          cities.push(city)
          return 'sunny'
        },
      })
      const request = {
        model: provider()('mock-tools'),
        prompt: 'Weather?',
        tools: { weather },
        stopWhen: isStepCount(3),
      }
      const text = streamed ? await streamText(request).text : (await generateText(request)).text
      expect(cities).toEqual(['Rome'])
      expect(text).toBe('Mock answer from 1 tool result: sunny')
    })

    test('gets an object that fits a schema', async () => {
      const { output } = await generateText({
        model: provider()('mock-json'),
        prompt: 'A thing, please.',
        output: Output.object({
          schema: jsonSchema<{ size: number; tags: string[] }>({
            type: 'object',
            properties: {
              size: { type: 'integer', minimum: 7 },
              tags: { type: 'array', items: { type: 'string' }, minItems: 1 },
            },
            required: ['size', 'tags'],
            additionalProperties: false,
          }),
        }),
      })
      expect(output).toEqual({ size: 7, tags: ['mock'] })
    })

    test('sends images', async () => {
      const { text } = await generateText({
        model: provider()('mock-vision'),
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'file', mediaType: 'image/png', data: PIXEL },
            ],
          },
        ],
      })
      expect(text).toStartWith('Mock saw 1 image: ')
    })

    test('embeds', async () => {
      const { embeddings, usage } = await embedMany({
        model: provider().embeddingModel('mock-embedding'),
        values: ['one', 'two'],
      })
      expect(embeddings).toHaveLength(2)
      expect(embeddings[0]).not.toEqual(embeddings[1])
      expect(usage).toMatchObject({ tokens: 2 })
    })

    test.each([
      ['a wrong key', 'mock', 'wrong-key', 401, 'The gateway key is not known here.'],
      ['an unknown model', 'no-such-model', undefined, 404, 'mock: The mock has no model'],
      ['a limit', 'mock:fault=rate-limited', undefined, 429, 'mock: The mock was asked for status 429.'],
      ['an overload', 'mock:fault=overloaded', undefined, 529, 'mock: '],
    ])('tells %s by its status and message', async (_, model, apiKey, status, message) => {
      const failure = await failureOf(generateText({ model: provider(apiKey)(model), prompt: 'Hello', maxRetries: 0 }))
      if (!APICallError.isInstance(failure)) throw failure
      expect(failure.statusCode).toBe(status)
      expect(failure.message).toStartWith(message)
      expect(failure.isRetryable).toBe(status === 429 || status >= 500)
    })

    test('tells an error in the middle of a stream', async () => {
      const result = streamText({
        model: provider()('mock:fault=error-event,at=3,interval=20'),
        prompt: 'Hello',
        maxRetries: 0,
        onError: () => undefined,
      })
      const parts = await all(result.fullStream)
      const text = parts.flatMap((part) => (part.type === 'text-delta' ? [part.text] : [])).join('')
      expect(text).toBe('Mock answer ')
      const error = parts.find((part) => part.type === 'error')
      expect(JSON.stringify(error)).toContain('overloaded')
    })

    test('can stop waiting', async () => {
      const call = generateText({
        model: provider()('mock:latency=20000'),
        prompt: 'Hello',
        maxRetries: 0,
        abortSignal: AbortSignal.timeout(100),
      })
      expect(await failureOf(call)).toMatchObject({ name: 'TimeoutError' })
    })
  })
}
