import { describe, expect, test } from 'bun:test'
import OpenAI, { type APIError } from 'openai'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import type { Door } from './support/door.ts'
import { all, failureOf, mockClient, openaiClient, PROVIDER_KEY, providerClient } from './support/openai-client.ts'

const messages = [{ role: 'user' as const, content: 'Hello' }]

/** @throws Error when the thrown thing is no error of the client. */
const apiError = (thrown: unknown): APIError => {
  if (thrown instanceof OpenAI.APIError) return thrown
  throw thrown
}

/** Every error class of the official client, each for a real reason. */
export const errorSuite = (door: () => Door): void => {
  describe('error classes of the openai client', () => {
    const failing = async (client: OpenAI, request: object): Promise<APIError> =>
      // Wrong requests are what is tested here.
      apiError(await failureOf(client.chat.completions.create(request as ChatCompletionCreateParamsNonStreaming)))

    test('AuthenticationError for a key that is not known', async () => {
      const error = await failing(mockClient(door(), { bearer: 'not-a-key' }), { model: 'mock', messages })
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
      expect(error).toMatchObject({ status: 401, code: '03', type: 'authentication_error' })
      expect(error.message).not.toContain('not-a-key')
      expect(error.requestID).toBe(error.headers?.get('x-gateway-request-id'))
    })

    test('AuthenticationError for a call without the key of its provider', async () => {
      const client = openaiClient(door(), { gateway: { provider: 'openai' } })
      const error = await failing(client, { model: 'gpt-5.2', messages })
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
      expect(error).toMatchObject({ status: 401, code: 'provider_key_required' })
    })

    test('PermissionDeniedError for a key of the organisation', async () => {
      const error = await failing(mockClient(door(), { bearer: door().adminKey }), { model: 'mock', messages })
      expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError)
      expect(error).toMatchObject({ status: 403, code: '033', type: 'permission_error' })
    })

    test('NotFoundError for an unknown path, and for an unknown model', async () => {
      const client = mockClient(door())
      // It goes to the provider, which does not know it either.
      const path = apiError(await failureOf(client.post('/no-such-thing', { body: {} })))
      expect(path).toBeInstanceOf(OpenAI.NotFoundError)
      expect(path.status).toBe(404)
      const model = await failing(client, { model: 'no-such-model', messages })
      expect(model).toBeInstanceOf(OpenAI.NotFoundError)
      expect(model).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' })
    })

    test.each([
      ['no messages', { model: 'mock' }, 'messages'],
      ['no model', { messages }, 'model'],
      ['a wrong type', { model: 'mock', messages, temperature: 'hot' }, 'temperature'],
      ['a message without a role', { model: 'mock', messages: [{ content: 'Hello' }] }, 'messages[0].role'],
    ])('BadRequestError for %s, naming the field', async (_, request, param) => {
      const error = await failing(mockClient(door()), request)
      expect(error).toBeInstanceOf(OpenAI.BadRequestError)
      expect(error).toMatchObject({ status: 400, code: 'invalid_request', type: 'invalid_request_error', param })
    })

    test('BadRequestError for no provider, an unknown one, and a config that is none', async () => {
      const request = { model: 'mock', messages }
      expect(await failing(openaiClient(door()), request)).toMatchObject({ status: 400, code: 'provider_required' })
      const unknown = openaiClient(door(), { gateway: { provider: 'nobody' } })
      expect(await failing(unknown, request)).toMatchObject({ status: 400, code: 'unknown_provider' })
      const stored = openaiClient(door(), { gateway: { provider: '@mine' } })
      expect(await failing(stored, request)).toMatchObject({ status: 400, code: 'unknown_provider', param: '@mine' })
      const config = openaiClient(door(), { gateway: { config: '{"provider":' } })
      const error = await failing(config, request)
      expect(error).toBeInstanceOf(OpenAI.BadRequestError)
      expect(error.code).toBe('invalid_config')
    })

    test('RateLimitError with the hint of the provider', async () => {
      const error = await failing(mockClient(door()), { model: 'mock:fault=rate-limited', messages })
      expect(error).toBeInstanceOf(OpenAI.RateLimitError)
      expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' })
      expect(error.headers?.get('retry-after')).toBe('1')
      expect(error.headers?.get('retry-after-ms')).toBe('1000')
      expect(error.headers?.get('x-ratelimit-remaining-requests')).toBe('0')
      expect(error.message).toContain('mock: ')
    })

    test.each([
      ['overloaded', 529, 'overloaded'],
      ['html-error', 502, null],
      ['not-json', 502, 'upstream_invalid'],
      ['cut-connection', 502, expect.stringMatching(/^(stream_truncated|upstream_unreachable|upstream_invalid)$/)],
      ['reset-before-head', 502, 'upstream_unreachable'],
    ])('InternalServerError for %s', async (fault, status, code) => {
      const error = await failing(mockClient(door()), { model: `mock:fault=${fault}`, messages })
      expect(error).toBeInstanceOf(OpenAI.InternalServerError)
      expect(error.status).toBe(status)
      expect(error.code ?? null).toEqual(code)
    })

    test('InternalServerError for a provider that is not there', async () => {
      const nobody = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
      const { port } = nobody
      nobody.stop(true)
      const client = providerClient(door(), 'openai', `http://127.0.0.1:${port}/v1`)
      const error = await failing(client, { model: 'gpt-5.2', messages })
      expect(error).toBeInstanceOf(OpenAI.InternalServerError)
      expect(error).toMatchObject({ status: 502, code: 'upstream_unreachable' })
      expect(error.message).not.toContain(PROVIDER_KEY)
    })

    test('a custom host inside the network is refused', async () => {
      const client = providerClient(door(), 'openai', 'http://169.254.169.254/v1')
      const error = await failing(client, { model: 'gpt-5.2', messages })
      expect(error).toBeInstanceOf(OpenAI.BadRequestError)
      expect(error.code).toBe('egress_refused')
    })
  })

  describe('errors of a stream', () => {
    const stream = (fault: string) =>
      mockClient(door()).chat.completions.create({ model: `mock:fault=${fault}`, messages, stream: true })

    test('that comes first has a status of its own', async () => {
      const error = await failureOf(stream('first-event-error'))
      expect(error).toBeInstanceOf(OpenAI.InternalServerError)
      expect(apiError(error).message).toContain('mock: ')
    })

    test.each([
      ['error-event', /mock: .*overloaded/i, 'overloaded'],
      ['cut-mid-stream', /ended before/, 'stream_truncated'],
      ['cut-connection', /./, expect.stringMatching(/^(stream_truncated|upstream_unreachable)$/)],
    ])('in the middle (%s) reaches the client', async (fault, message, code) => {
      const chunks: string[] = []
      // With a pause between them the first events are on their way before the error comes.
      const running = await stream(`${fault},at=3,interval=20`)
      const error = await failureOf(
        (async () => {
          for await (const chunk of running) chunks.push(chunk.choices[0]?.delta.content ?? '')
        })(),
      )
      expect(apiError(error).message).toMatch(message)
      expect(apiError(error).code).toEqual(code)
      // What a broken connection still held is lost with it.
      expect(chunks.join('')).toStartWith('Mock ')
      expect('Mock answer ').toStartWith(chunks.join(''))
    })

    test('that ends without its last marker is whole all the same', async () => {
      const chunks = await all(await stream('cut-before-done'))
      expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Mock answer to: Hello')
    })
  })
}
