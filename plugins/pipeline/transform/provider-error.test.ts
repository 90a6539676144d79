import { describe, expect, test } from 'bun:test'
import { GatewayError, openaiCompatible, ShuttingDown, StreamTruncated, UpstreamError } from '#kit'
import type { Target } from '#kit/slots'
import { namedError, parseBody, providerError } from './provider-error.ts'

const target = (keys: { readonly caller?: string; readonly operator?: string } = {}): Target => ({
  path: 'config',
  provider: openaiCompatible({
    id: 'acme',
    baseURL: 'https://api.acme.example/v1',
    ...(keys.operator === undefined ? {} : { apiKey: keys.operator }),
  }),
  settings: {},
  forwardHeaders: [],
  strict: true,
  ...(keys.caller === undefined ? {} : { apiKey: keys.caller }),
})

const failure = (message: string) => ({
  error: { message, type: 'rate_limit_error', param: 'model', code: 'slow_down' },
})

describe('an error of a provider', () => {
  test('keeps its status, words and place, with the provider in front', () => {
    const error = providerError(target(), 429, failure('Slow down.'), new Headers())
    expect([error.status, error.message, error.options]).toMatchObject([
      429,
      'acme: Slow down.',
      { provider: 'acme', type: 'rate_limit_error', wireCode: 'slow_down', param: 'model' },
    ])
    expect(error).toBeInstanceOf(UpstreamError)
  })

  test('keeps what else the provider tells, without its key', () => {
    const to = target({ caller: 'sk-caller-1' })
    const telling: Target = {
      ...to,
      provider: {
        ...to.provider,
        failure: () => ({ message: 'No.', extra: { made: 'by sk-caller-1' } }),
      },
    }
    const { message, options } = providerError(telling, 400, {}, new Headers())
    expect([message, options.extra]).toEqual(['acme: No.', { made: 'by [redacted]' }])
  })

  test('keeps the ids and limits that SDKs show, without keys, and no header about a body or a site', () => {
    const headers = {
      'x-request-id': 'req_1',
      'request-id': 'req_2',
      'x-ratelimit-remaining-tokens': '0',
      'anthropic-ratelimit-requests-reset': '2026-11-22T00:00:00Z',
      'openai-organization': 'org of sk-caller-1',
      'x-should-retry': 'false',
      'retry-after': '3',
      'content-type': 'text/html',
      'content-length': '3',
      etag: '"a"',
      'x-gateway-provider': 'evil',
      'openai-version': 'x'.repeat(513),
    }
    const { options } = providerError(target({ caller: 'sk-caller-1' }), 429, failure('No.'), new Headers(headers))
    const told: Record<string, string> = {}
    options.headers?.forEach((value, name) => {
      told[name] = value
    })
    expect(told).toEqual({
      'x-request-id': 'req_1',
      'request-id': 'req_2',
      'x-ratelimit-remaining-tokens': '0',
      'anthropic-ratelimit-requests-reset': '2026-11-22T00:00:00Z',
      'openai-organization': 'org of [redacted]',
      'x-should-retry': 'false',
    })
    expect(options.retryAfterMs).toBe(3000)
    expect('headers' in providerError(target(), 429, failure('No.'), new Headers()).options).toBe(false)
  })

  test('in an answer that was no error by its status is a 502', () => {
    expect(
      [200, 204, 302].map((status) => providerError(target(), status, failure('No.'), new Headers()).status),
    ).toEqual([502, 502, 502])
    expect(providerError(target(), 529, failure('No.'), new Headers()).status).toBe(529)
  })

  test('never repeats the key of the call or of the operator', () => {
    const keys = { caller: 'sk-caller-1', operator: 'sk-operator-2' }
    const said = 'Incorrect API key provided: sk-caller-1 (not sk-operator-2), sk-caller-1.'
    const error = providerError(target(keys), 401, failure(said), new Headers())
    expect(error.message).toBe('acme: Incorrect API key provided: [redacted] (not [redacted]), [redacted].')
    const repeated = { error: { message: 'No.', type: 'for sk-caller-1', param: 'sk-caller-1', code: 'sk-operator-2' } }
    const { options } = providerError(target(keys), 401, repeated, new Headers())
    expect([options.type, options.param, options.wireCode]).toEqual(['for [redacted]', '[redacted]', '[redacted]'])
  })

  test('never repeats a header that is stored with the provider, but says the words that stand in one', () => {
    const headers = { 'x-token': 'token-0123456789', authorization: 'Bearer sk-stored-1', 'x-debug': 'true' }
    const said = 'It is true: not token-0123456789, not sk-stored-1, not Bearer sk-stored-1.'
    const error = providerError({ ...target(), headers }, 401, failure(said), new Headers())
    expect(error.message).toBe('acme: It is true: not [redacted], not [redacted], not [redacted].')
  })

  test('finds words for a page or for nothing', () => {
    expect(providerError(target(), 502, parseBody(new TextEncoder().encode('<html>')), new Headers()).message).toBe(
      'acme: <html>',
    )
    expect(providerError(target(), 500, parseBody(new Uint8Array(0)), new Headers()).message).toBe(
      'acme: The provider answered with status 500 and no message.',
    )
  })

  const NOW_MS = Date.UTC(2026, 10, 21, 10)
  const hints: readonly (readonly [Record<string, string>, number | undefined])[] = [
    [{}, undefined],
    [{ 'retry-after': '2' }, 2_000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1_500],
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'x-ms-retry-after-ms': '300', 'retry-after': '9' }, 300],
    [{ 'retry-after-ms': '250', 'x-ms-retry-after-ms': '300' }, 250],
    [{ 'retry-after-ms': 'soon', 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '31536000' }, 86_400_000],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, undefined],
    [{ 'retry-after': '1e9' }, undefined],
    [{ 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT' }, 7_000],
    [{ 'retry-after': 'Sun, 21 Nov 2027 10:00:00 GMT' }, 86_400_000],
    [{ 'retry-after': '2026-11-21T10:00:07Z' }, undefined],
    [{ 'retry-after-ms': 'soon', 'retry-after': 'Sat, 21 Nov 2026 10:00:07 GMT' }, 7_000],
  ]
  for (const [headers, retryAfterMs] of hints) {
    test(`${JSON.stringify(headers)} says to retry ${retryAfterMs === undefined ? 'nothing' : `after ${retryAfterMs} ms`}`, () => {
      const error = providerError(target(), 429, failure('Slow down.'), new Headers(headers), NOW_MS)
      expect(error.options.retryAfterMs).toBe(retryAfterMs as number)
    })
  }
})

describe('an error that an adapter threw', () => {
  test('gets the provider’s name once, and loses its key', () => {
    const named = namedError(new UpstreamError('bad key sk-caller-1'), target({ caller: 'sk-caller-1' }))
    expect(named).toBeInstanceOf(GatewayError)
    expect(named).toMatchObject({
      code: 'upstream_error',
      message: 'acme: bad key [redacted]',
      options: { provider: 'acme' },
    })
    expect(namedError(named, target())).toMatchObject({ message: 'acme: bad key [redacted]' })
    expect(namedError(new StreamTruncated('cut'), target())).toMatchObject({
      code: 'stream_truncated',
      message: 'acme: cut',
    })
  })

  test('that is ours, or no error of the catalogue, stays as it is', () => {
    const ours = new ShuttingDown('The gateway stops.')
    const strange = new TypeError('x is undefined')
    expect(namedError(ours, target())).toBe(ours)
    expect(namedError(strange, target())).toBe(strange)
  })
})
