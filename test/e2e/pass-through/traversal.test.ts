import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { API_KEY } from '../../support/gateway.ts'
import { last, type Scene, startScene } from './support/upstream.ts'

let scene: Scene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

/** Sends a request line that no client would leave as it is, and gives the whole answer. */
const send = (path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(scene.gateway.server.port ?? 0, '127.0.0.1', () => {
      const head = [
        `GET ${path} HTTP/1.1`,
        'host: weir.test',
        'connection: close',
        `x-gateway-api-key: ${API_KEY}`,
        'x-gateway-provider: openai',
        'authorization: Bearer sk-provider-key',
      ]
      socket.write(`${head.join('\r\n')}\r\n\r\n`)
    })
    socket.on('data', (data: Buffer) => {
      received += data.toString()
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })

const ROOTS = ['/v1/gateway', '/v1/proxy', '/v1', '/openai/v1', '/v1beta']

describe.each(ROOTS)('a path below %s that climbs', (root) => {
  test.each([
    '/%252e%252e/b',
    '/a/%252e%252e%252fb',
    '/a%2f..%2fb',
    '/a%2F%2e%2e%2Fb',
    '/a%5c..%5cb',
    '/a%5C%2e%2e%5Cb',
    '/..;/b',
    '/a/..;x=1/b',
    '/a//b',
    '/%c0%ae%c0%ae/b',
    '/%EF%BC%8E%EF%BC%8E/b',
    '/a/%2e%2e%00/b',
  ])('in a way that servers read differently (%s) is refused', async (rest) => {
    const before = scene.arrived.length
    const answer = await send(`${root}${rest}`)
    expect(answer).toStartWith('HTTP/1.1 400 ')
    expect(answer).toContain('egress_refused')
    expect(scene.arrived).toHaveLength(before)
  })

  test.each(['/a/../b', '/a/%2e%2e/b', '/a/.%2E/b', '/a\\..\\b', '/./b', '/%2e/b'])(
    'in plain words (%s) is the path that it resolves to, and nothing else',
    async (rest) => {
      expect(await send(`${root}${rest}`)).toStartWith('HTTP/1.1 200 ')
      expect(last(scene).target).toBe('/v1/b')
    },
  )
})

test.each(['/v1/gateway/../../v2/chat/x', '/v1/proxy/%2e%2e/%2e%2e/readyz/x', '/v1/gateway/..\\..\\..\\x'])(
  '%s leads out of what passes through, and so to no provider',
  async (path) => {
    const before = scene.arrived.length
    expect(await send(path)).toStartWith('HTTP/1.1 404 ')
    expect(scene.arrived).toHaveLength(before)
  },
)
