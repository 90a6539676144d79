import { describe, expect, test } from 'bun:test'
import type { Door } from './support/door.ts'
import { all, failureOf, mockClient, openaiClient } from './support/openai-client.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The interface's own headers, paths and names, as a client of the reference meets them. */
export const interfaceSuite = (door: () => Door): void => {
  describe('headers of an answer', () => {
    test('say what answered and how', async () => {
      for (const stream of [false, true]) {
        const { response } = await mockClient(door(), { gateway: { 'trace-id': 'my trace' } })
          .chat.completions.create({ model: 'mock', messages, stream })
          .withResponse()
        expect(Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('x-gateway-')))).toEqual({
          'x-gateway-request-id': expect.stringMatching(UUID),
          'x-gateway-trace-id': 'my trace',
          'x-gateway-provider': 'mock',
          'x-gateway-last-used-option-index': 'config',
          'x-gateway-retry-attempt-count': '0',
          'x-gateway-cache-status': 'DISABLED',
        })
      }
    })

    test('have a trace id of ours, or that of a traceparent, when none is given', async () => {
      const create = (headers: Record<string, string>) =>
        mockClient(door(), { headers }).chat.completions.create({ model: 'mock', messages }).withResponse()
      const made = (await create({})).response.headers.get('x-gateway-trace-id')
      expect(made).toMatch(UUID)
      const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
      const { response } = await create({ traceparent })
      expect(response.headers.get('x-gateway-trace-id')).toBe('0af7651916cd43dd8448eb211c80319c')
    })
  })

  describe('what a call names', () => {
    test('`@provider/model` in the body chooses the provider, and the first slash splits', async () => {
      const { data, response } = await openaiClient(door())
        .chat.completions.create({ model: '@mock/mock-echo', messages })
        .withResponse()
      expect(response.headers.get('x-gateway-provider')).toBe('mock')
      expect(JSON.parse(data.choices[0]?.message.content ?? '').body).toEqual({ model: 'mock-echo', messages })
      const embedded = await openaiClient(door()).embeddings.create({ model: '@mock/mock-embedding', input: 'one' })
      expect(embedded.data).toHaveLength(1)
    })

    test('what it sends arrives as it was sent, unknown fields too', async () => {
      const extra = { model: 'mock-echo', messages, my_field: { deep: [1, null, 'ä'] }, seed: 7, metadata: { a: 'b' } }
      const reply = await mockClient(door()).chat.completions.create(extra)
      expect(JSON.parse(reply.choices[0]?.message.content ?? '').body).toEqual(extra)
    })

    test('its own time-out is a 408, and is not read where it is no number', async () => {
      const late = async (timeout: string): Promise<unknown> =>
        failureOf(
          mockClient(door(), { gateway: { 'request-timeout': timeout } }).chat.completions.create({
            model: 'mock:latency=20000',
            messages,
          }),
        )
      expect(await late('50')).toMatchObject({ status: 408, type: 'timeout_error' })
      expect(await late('soon')).toMatchObject({ status: 400, param: 'x-gateway-request-timeout' })
    })

    test('`GET /models` without a provider lists the models of this gateway, with one those of the provider', async () => {
      const own = await all(await openaiClient(door()).models.list())
      expect(own.length).toBeGreaterThan(0)
      expect(own.map(({ id }) => id)).toContain('@mock/mock-vision')
      expect(own.every(({ id }) => id.startsWith('@'))).toBe(true)
      expect(own.map(({ id }) => id)).toEqual(own.map(({ id }) => id).toSorted())
      const of = await all(await mockClient(door()).models.list())
      expect(of.map(({ id }) => id)).toContain('mock-vision')
      const both = await all(await mockClient(door(), { gateway: { 'fetch-integrated-models': 'True' } }).models.list())
      expect(both).toEqual(own)
    })
  })

  describe('paths', () => {
    test.each(['/v1', '/v2'])('%s answers all three kinds of call', async (path) => {
      const client = mockClient(door(), { path })
      const chat = await client.chat.completions.create({ model: 'mock', messages })
      expect(chat.choices[0]?.message.content).toBe('Mock answer to: Hello')
      expect((await client.embeddings.create({ model: 'mock-embedding', input: 'one' })).data).toHaveLength(1)
      expect((await all(await client.models.list())).length).toBeGreaterThan(1)
    })
  })
}
