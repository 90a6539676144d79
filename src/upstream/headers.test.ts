import { expect, test } from 'bun:test'
import { forwardableHeaders } from './headers.ts'

test('what speaks about one connection, one body or the provider’s own site stays behind', () => {
  const source = new Headers({
    connection: 'keep-alive, X-Named , close',
    'keep-alive': 'timeout=5',
    'x-named': 'by connection',
    'transfer-encoding': 'chunked',
    'content-length': '5',
    'content-encoding': 'gzip',
    trailer: 'x',
    te: 'trailers',
    upgrade: 'h2c',
    'proxy-authenticate': 'Basic',
    server: 'nginx',
    date: 'today',
    via: '1.1 x',
    'alt-svc': 'h3=":443"',
    'strict-transport-security': 'max-age=1',
    'clear-site-data': '"*"',
    refresh: '0',
    'reporting-endpoints': 'a="x"',
    'service-worker-allowed': '/',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
    'x-gateway-request-id': 'forged',
    'content-type': 'application/json',
    'retry-after': '5',
    'x-ratelimit-remaining-requests': '7',
    'x-request-id': 'abc',
  })
  source.append('set-cookie', 'a=1')
  source.append('set-cookie', 'b=2')
  source.append('x-twice', '1')
  source.append('x-twice', '2')
  expect(Object.fromEntries(forwardableHeaders(source))).toEqual({
    'content-type': 'application/json',
    'retry-after': '5',
    'x-ratelimit-remaining-requests': '7',
    'x-request-id': 'abc',
    'x-twice': '1, 2',
  })
  // The source is somebody else's.
  expect(source.get('server')).toBe('nginx')
})
