import { describe, expect, test } from 'bun:test'
import { CATALOGUE, type ErrorCode } from './catalogue.ts'
import { errorHeaders, toEnvelope, toGatewayError } from './envelope.ts'
import {
  ExpiredApiKey,
  GatewayError,
  InternalError,
  InvalidApiKey,
  InvalidConfig,
  InvalidHeader,
  InvalidRequest,
  MethodNotAllowed,
  NotFound,
  ScopeMissing,
  UpstreamError,
} from './gateway-error.ts'

const SECRET = 'postgres://user:hunter2@db/weir'

describe('toGatewayError', () => {
  test('an error of ours stays the same', () => {
    const error = new InvalidRequest('no model')
    expect(toGatewayError(error, 'r-1')).toBe(error)
  })

  const unknown: readonly (readonly [name: string, thrown: unknown])[] = [
    ['an Error', new Error(SECRET)],
    ['a TypeError with a cause', new TypeError(SECRET, { cause: new Error(SECRET) })],
    ['a string', SECRET],
    ['an object that looks like ours', { code: 'invalid_request', message: SECRET, options: {}, status: 200 }],
    ['undefined', undefined],
    ['null', null],
    [
      'an object that throws when read',
      Object.defineProperty({}, 'message', {
        get: () => {
          throw new Error(SECRET)
        },
      }),
    ],
  ]
  for (const [name, thrown] of unknown) {
    test(`${name} becomes internal_error and leaks nothing`, () => {
      const error = toGatewayError(thrown, 'r-1')
      expect(error).toBeInstanceOf(InternalError)
      expect(error.status).toBe(500)
      expect(error.message).toBe('Something went wrong inside the gateway. Request id: r-1.')
      expect(error.cause).toBe(thrown)
      expect(JSON.stringify(toEnvelope(error))).not.toContain('hunter2')
      expect(JSON.stringify(errorHeaders(error.options))).not.toContain('hunter2')
    })
  }

  test('without a request id the text is complete', () => {
    expect(toGatewayError(new Error(SECRET)).message).toBe('Something went wrong inside the gateway.')
  })
})

describe('toEnvelope', () => {
  test('a call error is the plain envelope of the reference', () => {
    expect(toEnvelope(new InvalidRequest('no model', { param: 'model' }))).toStrictEqual({
      error: { message: 'no model', type: 'invalid_request_error', param: 'model', code: 'invalid_request' },
    })
  })

  test('a login error adds the keys of the interface and keeps its numbers', () => {
    expect(toEnvelope(new InvalidApiKey('no key'))).toStrictEqual({
      status: 'failure',
      message: 'no key',
      error: { message: 'no key', type: 'authentication_error', param: null, code: '03' },
    })
    expect(toEnvelope(new ExpiredApiKey('old')).error.code).toBe('01')
    expect(toEnvelope(new ScopeMissing('no scope')).error.code).toBe('033')
  })

  test('a validation error lists its violations', () => {
    const violations = [{ path: 'targets[0]', message: 'unknown key' }]
    expect(toEnvelope(new InvalidConfig('bad config', { violations }))).toStrictEqual({
      status: 'failure',
      message: 'bad config',
      error: { message: 'bad config', type: 'invalid_request_error', param: null, code: 'invalid_config' },
      errors: violations,
    })
    expect(toEnvelope(new InvalidHeader('bad', { param: 'x-gateway-metadata' })).error.param).toBe('x-gateway-metadata')
  })

  test('an unknown route says ok: false', () => {
    expect(toEnvelope(new NotFound('no such path'))).toStrictEqual({
      message: 'Not Found',
      ok: false,
      error: { message: 'no such path', type: 'invalid_request_error', param: null, code: 'not_found' },
    })
  })

  test('an error of a provider keeps its own type and code, also when they are null', () => {
    const own = new UpstreamError('busy', { provider: 'acme', type: 'overloaded', wireCode: 'o-1', status: 529 })
    expect(toEnvelope(own)).toStrictEqual({
      error: { message: 'busy', type: 'overloaded', param: null, code: 'o-1' },
      provider: 'acme',
    })
    expect(toEnvelope(new UpstreamError('busy', { type: null, wireCode: null })).error).toEqual({
      message: 'busy',
      type: null,
      param: null,
      code: null,
    })
  })

  for (const [code, { family, type, wireCode }] of Object.entries(CATALOGUE)) {
    test(`${code} has the keys of its family and never its cause`, () => {
      const envelope = toEnvelope(new GatewayError(code as ErrorCode, 'text', { cause: new Error(SECRET) }))
      const keys = {
        call: [],
        login: ['status', 'message'],
        validation: ['status', 'message'],
        route: ['message', 'ok'],
        management: ['success', 'data'],
      }
      expect(Object.keys(envelope).sort()).toEqual(['error', ...keys[family]].sort())
      expect(envelope.error).toEqual({ message: 'text', type, param: null, code: wireCode })
      expect(JSON.stringify(envelope)).not.toContain('hunter2')
    })
  }
})

describe('errorHeaders', () => {
  test('a wait is rounded up to whole seconds, and given in ms too', () => {
    expect(errorHeaders({ retryAfterMs: 1200.5 })).toEqual({ 'retry-after': '2', 'retry-after-ms': '1201' })
    expect(errorHeaders({ retryAfterMs: 0 })).toEqual({ 'retry-after': '0', 'retry-after-ms': '0' })
    expect(errorHeaders({ retryAfterMs: 1 })).toEqual({ 'retry-after': '1', 'retry-after-ms': '1' })
  })

  test('the methods of a path become Allow', () => {
    const { options } = new MethodNotAllowed('no', { allow: ['GET', 'POST'] })
    expect(errorHeaders(options)).toEqual({ allow: 'GET, POST' })
  })

  test('most errors have none', () => {
    expect(errorHeaders(new InvalidRequest('x', { param: 'y', cause: 1 }).options)).toEqual({})
  })
})

test('more words of a provider stand beside our own fields, never in their place', () => {
  const error = new UpstreamError('acme: No.', { extra: { failed_generation: '<f>', message: 'x', code: 'y' } })
  expect(toEnvelope(error).error).toMatchObject({ message: 'acme: No.', failed_generation: '<f>' })
  expect(toEnvelope(error).error.code).not.toBe('y')
})
