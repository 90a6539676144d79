import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { MockServer } from '../../../plugins/providers/mock/server.ts'
import { API_KEY, startTestGateway, type TestGateway } from '../../support/gateway.ts'
import { NATIVE_KEY, startNativeProvider } from './support/native-provider.ts'
import { pythonSuite } from './support/python.ts'

let upstream: MockServer
let gateway: TestGateway
beforeAll(async () => {
  upstream = await startNativeProvider()
  const apiKey = NATIVE_KEY
  gateway = await startTestGateway({
    config: {
      plugins: [
        'defaults',
        'mock',
        { openai: { baseURL: `${upstream.url}/v1`, apiKey } },
        { anthropic: { baseURL: `${upstream.url}/v1`, apiKey } },
        { google: { baseURL: `${upstream.url}/v1beta`, apiKey } },
      ],
    },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const environment = () => ({ WEIR_URL: gateway.url, WEIR_KEY: API_KEY, NATIVE_KEY })

pythonSuite('official_openai', environment)
pythonSuite('official_anthropic', environment)
pythonSuite('official_google', environment)
pythonSuite('official_cohere', environment)

test('nothing of the gateway has reached the provider', () => {
  expect(upstream.requests.length).toBeGreaterThan(20)
  for (const { path, rawHeaders } of upstream.requests) {
    expect([path, ...rawHeaders].join('\n')).not.toContain(API_KEY)
    expect(rawHeaders.filter((name) => /^x-gateway-/i.test(name))).toEqual([])
  }
})
