import { expect, test } from 'bun:test'
import { DirectRoutes } from './direct-routes.ts'
import type { RunningRoute } from './running-route.ts'

const routeOf = (method: string, path: string) => ({ method, path }) as RunningRoute
const chat = routeOf('POST', '/v1/chat/completions')
const routes = new DirectRoutes([
  chat,
  routeOf('GET', '/v1/models'),
  routeOf('GET', '/v1/files/:id'),
  routeOf('ALL', '/v1/proxy'),
  routeOf('POST', '/v1/gateway/*'),
])

test('a path that is always the same is found, with whatever is asked behind it', () => {
  for (const rest of ['', '?', '?stream=true', '?path=/v1/models']) {
    expect(routes.find({ method: 'POST', url: `http://localhost:8787${chat.path}${rest}` })).toBe(chat)
  }
})

test.each([
  ['another method', 'GET', 'http://localhost/v1/chat/completions'],
  ['a path with names', 'GET', 'http://localhost/v1/files/:id'],
  ['one with an open end', 'POST', 'http://localhost/v1/gateway/*'],
  ['one that takes any method', 'ALL', 'http://localhost/v1/proxy'],
  ['a slash at the end', 'POST', 'http://localhost/v1/chat/completions/'],
  ['another spelling', 'POST', 'http://localhost/v1/chat%2Fcompletions'],
  ['a path behind another', 'POST', 'http://localhost/x/v1/chat/completions'],
  ['a host alone', 'POST', 'http://localhost'],
  ['no host', 'POST', 'http:///v1/chat'],
])('%s is left to the framework', (_what, method, url) => {
  expect(routes.find({ method, url })).toBeUndefined()
})
