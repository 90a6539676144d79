import { afterAll, beforeAll, expect, test } from 'bun:test'
import { API_KEY, startTestGateway, type TestGateway } from '../../../support/gateway.ts'
import { readStream } from './support/client.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

test('the mock goes on from what another mock has said', async () => {
  const cut = { provider: 'mock', override_params: { model: 'mock:fault=cut-mid-stream,at=4' } }
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'x-gateway-api-key': API_KEY,
      'x-gateway-config': JSON.stringify({
        strategy: { mode: 'fallback', stream_recovery: 'continue' },
        targets: [cut, { provider: 'mock' }],
      }),
    },
    body: JSON.stringify({ model: 'mock', stream: true, messages: [{ role: 'user', content: 'one two three' }] }),
  })
  const seen = readStream(await response.text())
  expect([seen.content, seen.finishReasons, seen.done, seen.ids.size]).toEqual([
    'Mock answer to: one two three',
    ['stop'],
    1,
    1,
  ])
})
