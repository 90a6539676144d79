import { describe, expect, test } from 'bun:test'
import { EgressRefused, UpstreamInvalid, UpstreamUnreachable } from '../../../errors/gateway-error.ts'
import { readToken, sendLogin } from './login-answer.ts'

const NOW_MS = 1_700_000_000_000
const OF = { provider: 'acme', secrets: ['secret-canary'] }

const read = (status: number, body: unknown): unknown => {
  try {
    return readToken({ status, text: typeof body === 'string' ? body : JSON.stringify(body) }, OF, NOW_MS)
  } catch (error) {
    return error
  }
}

describe('a token', () => {
  test.each([
    [{ expires_in: 3600 }, NOW_MS + 3_600_000],
    [{ expires_in: '86399', expires_on: '1' }, NOW_MS + 86_399_000],
    [{ expires_on: '1700000600' }, 1_700_000_600_000],
    [{ expires_on: 1_700_000_600 }, 1_700_000_600_000],
    [{}, NOW_MS + 300_000],
    [{ expires_in: 'soon', expires_on: '2026-11-22T00:00:00Z' }, NOW_MS + 300_000],
    [{ expires_in: -1 }, NOW_MS + 300_000],
  ])('ends as %j says', (fields, expiresAtMs) => {
    expect(read(200, { access_token: 'eyJ.a.b', ...fields })).toEqual({ value: 'eyJ.a.b', expiresAtMs })
  })

  test.each(['<html>', '', '[]', '{"access_token":"a b"}', '{"access_token":"a\\r\\nx: y"}', '{"access_token":7}'])(
    'is not in %j',
    (text) => {
      expect(read(200, text)).toBeInstanceOf(UpstreamInvalid)
    },
  )
})

describe('a refusal', () => {
  test('is a 401 in the first words of the service', () => {
    const answer = {
      error: 'invalid_client',
      error_description: 'AADSTS7000215: Invalid client secret provided.\r\nTrace ID: 1',
    }
    expect(read(400, answer)).toMatchObject({
      status: 401,
      message:
        "The login at 'acme' was refused: invalid_client: AADSTS7000215: Invalid client secret provided (status 400).",
      options: { wireCode: 'provider_login_failed', provider: 'acme' },
    })
  })

  test.each([
    [{ error: 'e', error_description: 'your secret-canary is wrong' }, 'e (status 401)'],
    ['secret-canary', 'status 401'],
    [{ error: { code: 1 } }, 'status 401'],
  ])('%j holds no secret', (body, reason) => {
    expect(read(401, body)).toMatchObject({ message: `The login at 'acme' was refused: ${reason}.` })
  })

  test.each([
    [500, 502],
    [503, 502],
    [429, 503],
  ])('with status %d is a failure of the service: %d', (status, ours) => {
    expect(read(status, {})).toMatchObject({ status: ours, message: `The login at 'acme' failed: status ${status}.` })
  })
})

describe('no answer', () => {
  test.each([
    [new UpstreamUnreachable("No answer from 'login.example:443': ECONNREFUSED."), 502],
    [new EgressRefused('Refused.'), 400],
  ])('is said to be that of a login: %s', async (thrown, status) => {
    const logins = { send: () => Promise.reject(thrown), readFile: () => Promise.reject(thrown), environment: {} }
    const error = await sendLogin(logins, 'acme', { method: 'GET', url: 'https://login.example' }).catch(
      (caught: unknown) => caught,
    )
    expect(error).toMatchObject({
      status,
      code: thrown.code,
      message: `The login at 'acme' failed: ${thrown.message}`,
      options: { provider: 'acme' },
    })
  })
})
