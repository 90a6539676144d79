import { describe, expect, test } from 'bun:test'
import { readControlPlane } from './control-plane.ts'

const both = { WEIR_CONTROL_PLANE_USERNAME: 'dp_name', WEIR_CONTROL_PLANE_PASSWORD: 'a:password' }
const credentials = Buffer.from('dp_name:a:password').toString('base64')
const read = (env: Record<string, string>) => readControlPlane(env, (host) => host === 'trusted.internal')

describe('the control plane of the environment', () => {
  test('is none unless it is named', () => {
    expect(read({})).toBeUndefined()
  })

  test.each([
    ['https://control.example', 'https://control.example'],
    ['https://control.example/weir/', 'https://control.example/weir'],
    ['http://127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['http://[::1]:8787/', 'http://[::1]:8787'],
    ['http://trusted.internal:8787', 'http://trusted.internal:8787'],
  ])('may be %s', (url, read_) => {
    expect(read({ WEIR_CONTROL_PLANE: url, ...both })).toEqual({ url: read_, credentials })
    const one = { WEIR_CONTROL_PLANE: url, WEIR_CONTROL_PLANE_CREDENTIALS: credentials }
    expect(read(one)).toEqual({ url: read_, credentials })
  })

  test.each([
    [{ WEIR_CONTROL_PLANE: 'http://control.example' }, 'in clear'],
    [{ WEIR_CONTROL_PLANE: 'http://127.0.0.1.example' }, 'in clear'],
    [{ WEIR_CONTROL_PLANE: 'ftp://control.example' }, 'must be an https URL'],
    [{ WEIR_CONTROL_PLANE: 'https://user:secret-0123@control.example' }, 'without credentials'],
    [{ WEIR_CONTROL_PLANE: 'https://control.example?x=1' }, 'without credentials and parameters'],
    [{ WEIR_CONTROL_PLANE: 'control.example' }, 'must be an https URL'],
    [
      { WEIR_CONTROL_PLANE: 'https://control.example', WEIR_CONTROL_PLANE_CREDENTIALS: credentials },
      'leave one of them',
    ],
    [{ WEIR_CONTROL_PLANE: 'https://control.example', DATABASE_URL: 'postgres://x' }, 'leave DATABASE_URL unset'],
    [{ WEIR_CONTROL_PLANE: 'https://control.example', CLICKHOUSE_URL: 'http://x' }, 'leave CLICKHOUSE_URL unset'],
    [{ WEIR_CONTROL_PLANE: 'https://control.example', WEIR_ADMIN_KEY: 'x' }, 'set them there'],
    [{}, 'is not'],
  ])('is refused: %j', (env, message) => {
    expect(() => read({ ...both, ...env })).toThrow(message)
    expect(() => read({ ...both, ...env })).not.toThrow('a:password')
    expect(() => read({ ...both, ...env })).not.toThrow('secret-0123')
  })

  test('needs credentials that can be some', () => {
    const WEIR_CONTROL_PLANE = 'https://control.example'
    expect(() => read({ WEIR_CONTROL_PLANE })).toThrow('needs the credentials')
    expect(() => read({ WEIR_CONTROL_PLANE, WEIR_CONTROL_PLANE_USERNAME: 'x' })).toThrow('needs the credentials')
    expect(() => read({ WEIR_CONTROL_PLANE, WEIR_CONTROL_PLANE_CREDENTIALS: 'nonsense' })).toThrow('client_auth')
  })
})
