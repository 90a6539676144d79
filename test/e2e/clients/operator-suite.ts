import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import type { OperatorConfigInput } from '../../../src/config/schema.ts'
import type { Door } from './support/door.ts'
import { all, failureOf, mockClient, openaiClient, PROVIDER_KEY } from './support/openai-client.ts'
import { startWireUpstream, type WireUpstream } from './support/wire-upstream.ts'

/** The provider key in the operator's file. */
export const OPERATOR_KEY = 'provider-key-of-the-operator-0123456789'

const messages = [{ role: 'user' as const, content: 'Hello' }]
const path = '/llm/v1'

/**
 * A gateway as an operator sets it up: its own prefix, its own header names, its own providers and keys.
 * @param open starts one with this config; `apiKey` is how the config names the provider key.
 */
export const operatorSuite = (open: (config: OperatorConfigInput) => Promise<Door>, apiKey: string): void => {
  describe('a gateway with a config file', () => {
    let upstream: WireUpstream
    let door: Door
    beforeAll(async () => {
      upstream = await startWireUpstream()
      door = await open({
        server: { basePath: '/llm' },
        plugins: [
          'defaults',
          'mock',
          { auth: { headerPrefixes: ['x-acme-'] } },
          { anthropic: { baseURL: upstream.baseURL('anthropic', 'plain-text'), apiKey, models: ['claude-opus-5-5'] } },
          { google: { baseURL: upstream.baseURL('google', 'stream-text'), apiKey } },
          { 'azure-openai': { baseURL: upstream.baseURL('azure-openai', 'plain-text'), apiKey } },
          { groq: { baseURL: upstream.baseURL('groq', 'plain-text'), apiKey } },
        ],
      })
    }, 60_000)
    afterAll(async () => {
      await door.close()
      await upstream.close()
    })

    test('answers below its prefix, and only there', async () => {
      for (const path of ['/llm/v1', '/llm/v2']) {
        const reply = await mockClient(door, { path }).chat.completions.create({ model: 'mock', messages })
        expect(reply.choices[0]?.message.content).toBe('Mock answer to: Hello')
      }
      const outside = await failureOf(mockClient(door).chat.completions.create({ model: 'mock', messages }))
      expect(outside).toBeInstanceOf(OpenAI.NotFoundError)
      expect((await door.fetch(`${door.url}/healthz`)).status).toBe(200)
    })

    test('understands header names of its own, and answers with them', async () => {
      const client = openaiClient(door, {
        path,
        bearer: PROVIDER_KEY,
        headers: {
          'x-acme-api-key': door.apiKey,
          'x-acme-provider': 'openai',
          'x-acme-custom-host': upstream.baseURL('openai', 'plain-text'),
          'x-acme-trace-id': 'trace-7',
          'x-acme-metadata': '{"team":"blue"}',
        },
      })
      const { response } = await client.chat.completions.create({ model: 'gpt-5.2', messages }).withResponse()
      expect(response.headers.get('x-acme-trace-id')).toBe('trace-7')
      expect(response.headers.get('x-gateway-trace-id')).toBe('trace-7')
      expect(response.headers.get('x-acme-provider')).toBe('openai')
      const { headers } = upstream.last()
      expect(headers.get('authorization')).toBe(`Bearer ${PROVIDER_KEY}`)
      expect([...headers.keys()].filter((name) => name.startsWith('x-acme-'))).toEqual([])

      const wrong = openaiClient(door, { path, headers: { 'x-acme-provider': 'nobody', 'x-acme-trace-id': 'trace-8' } })
      const error = await failureOf(wrong.chat.completions.create({ model: 'gpt-5.2', messages }))
      expect(error).toBeInstanceOf(OpenAI.BadRequestError)
      expect(Object(error).headers.get('x-acme-trace-id')).toBe('trace-8')

      const plain = await mockClient(door, { path }).chat.completions.create({ model: 'mock', messages }).withResponse()
      expect([...plain.response.headers.keys()].filter((name) => name.startsWith('x-acme-'))).toEqual([])
    })

    test.each([
      ['anthropic', 'claude-opus-5-5', { 'x-api-key': OPERATOR_KEY }],
      ['azure-openai', 'gpt-5.2', { 'api-key': OPERATOR_KEY }],
      ['groq', 'openai/gpt-oss-120b', { authorization: `Bearer ${OPERATOR_KEY}` }],
    ])('%s is called with the key of the operator', async (provider, model, seen) => {
      for (const gateway of [{ provider }, { provider, 'api-key': door.apiKey }]) {
        await openaiClient(door, { path, gateway }).chat.completions.create({ model, messages })
        const { headers, text } = upstream.last()
        const keys = ['authorization', 'x-api-key', 'api-key'].filter((name) => headers.has(name))
        expect(Object.fromEntries(keys.map((name) => [name, headers.get(name)]))).toEqual(seen)
        expect([...headers.values(), text].join()).not.toContain(door.apiKey)
      }
    })

    test('google streams from the place and with the key of the operator', async () => {
      const chunks = await all(
        await openaiClient(door, { path }).chat.completions.create({
          model: '@google/gemini-2.5-flash',
          messages,
          stream: true,
        }),
      )
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello there!')
      expect(upstream.last().headers.get('x-goog-api-key')).toBe(OPERATOR_KEY)
      expect(upstream.last().headers.has('authorization')).toBe(false)
    })

    test('a key of the call wins over that of the operator', async () => {
      const client = openaiClient(door, {
        path,
        bearer: PROVIDER_KEY,
        gateway: { provider: 'anthropic', 'api-key': door.apiKey },
      })
      await client.chat.completions.create({ model: 'claude-opus-5-5', messages })
      expect(upstream.last().headers.get('x-api-key')).toBe(PROVIDER_KEY)
    })

    test('the key of the operator never goes to a host of the caller', async () => {
      const before = upstream.received
      const gateway = { provider: 'anthropic', 'custom-host': upstream.baseURL('anthropic', 'plain-text') }
      const client = openaiClient(door, { path, gateway })
      const error = await failureOf(client.chat.completions.create({ model: 'claude-opus-5-5', messages }))
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
      expect(error).toMatchObject({ code: 'provider_key_required' })
      expect(upstream.received).toBe(before)

      const azure = { provider: 'azure-openai', 'custom-host': upstream.baseURL('azure-openai', 'plain-text') }
      const other = openaiClient(door, { path, gateway: azure }).chat.completions.create({ model: 'gpt-5.2', messages })
      expect(await failureOf(other)).toMatchObject({ code: 'provider_key_required' })
      expect(upstream.received).toBe(before)
    })

    test('lists the models that the operator declared', async () => {
      const models = await all(await openaiClient(door, { path }).models.list())
      expect(models.map(({ id }) => id)).toContain('@anthropic/claude-opus-5-5')
    })
  })
}
