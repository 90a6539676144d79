import { afterEach, expect, test } from 'bun:test'
import { OperatorConfig } from '../config/schema.ts'
import { check } from '../core/json/check.ts'
import { type CallServer, type Handler, ListenError, listen } from './listen.ts'

const serverConfig = (overrides: Partial<OperatorConfig['server']>): OperatorConfig['server'] => {
  const checked = check(OperatorConfig, {})
  if (!checked.ok) throw new Error('the defaults are not valid')
  return { ...checked.value.server, port: 0, ...overrides }
}

const open: CallServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.stop(true)))
})
const start = (overrides: Partial<OperatorConfig['server']>, handler: () => Handler): CallServer => {
  const server = listen(serverConfig(overrides), handler)
  open.push(server)
  return server
}

const refusal = (overrides: Partial<OperatorConfig['server']>): string => {
  try {
    start(overrides, () => () => new Response(''))
  } catch (thrown) {
    if (thrown instanceof ListenError) return thrown.message
    throw thrown
  }
  throw new Error('it listens')
}

test('each request goes to the handler of that moment', async () => {
  let handler: Handler = () => new Response('first')
  const server = start({}, () => handler)
  const text = async (): Promise<string> => (await fetch(`http://127.0.0.1:${server.port}/`)).text()
  expect(await text()).toBe('first')
  handler = () => new Response('second')
  expect(await text()).toBe('second')
})

test('a taken port is refused, not shared', () => {
  const { port = 0 } = start({}, () => () => new Response(''))
  expect(refusal({ port })).toBe(
    `cannot listen on 127.0.0.1:${port}: the port is taken by another process; choose another with PORT`,
  )
})

test('an address of another machine is refused in one line', () => {
  expect(refusal({ host: '192.0.2.1' })).toMatch(/^cannot listen on 192\.0\.2\.1:0: [^\n]+$/)
})

test('a connection that is silent after a call is closed, though the call itself may be silent for longer', async () => {
  const limits = { betweenCallsSeconds: 1, streamSeconds: 1 }
  const slow = async (): Promise<Response> => {
    await Bun.sleep(6_000)
    return new Response('late')
  }
  const server = listen(serverConfig({}), () => slow, { idle: limits })
  let received = ''
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: server.port ?? 0,
    socket: {
      data(_socket, bytes) {
        received += bytes.toString()
      },
      close: () => resolve(),
    },
  })
  socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  await closed
  expect(received).toEndWith('late')
  await server.stop(true)
}, 30_000)
