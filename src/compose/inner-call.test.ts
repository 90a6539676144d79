import { afterAll, beforeAll, expect, test } from 'bun:test'
import { batchLine } from '#calls/slots'
import { API_KEY, startTestGateway, type TestGateway } from '../../test/support/gateway.ts'
import type { InnerAnswer } from '../http/inner-call.ts'
import type { FoundKey } from '../kit/plugin.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const caller: FoundKey = {
  principal: {
    ...{ keyId: 'key-of-a-batch', keyName: 'batch', kind: 'workspace-service' },
    ...{ organisationId: 'organisation-1', workspaceId: 'workspace-1', scopes: new Set(['completions.write']) },
  },
  defaults: { metadata: { _batch: 'batch_weir_1', _batch_line: 'a' } },
}

const ask = (
  body: unknown,
  { path = '/v1/chat/completions', signal = new AbortController().signal, by = caller } = {},
): Promise<InnerAnswer> =>
  gateway.gateway.ask({
    ...{ path, signal, maxAnswerBytes: 1024 * 1024 },
    headers: { 'x-gateway-provider': 'mock' },
    body: new TextEncoder().encode(JSON.stringify(body)),
    mark: (call) => call.set(batchLine, { caller: by }),
  })

const CHAT = { model: 'mock', messages: [{ role: 'user', content: 'Hello' }] }

test('runs through the whole chain on behalf of its caller, and is in the log', async () => {
  const { status, headers, body } = await ask(CHAT)
  expect([status, JSON.parse(new TextDecoder().decode(body))]).toMatchObject([200, { object: 'chat.completion' }])
  const id = headers.get('x-gateway-request-id')
  expect(await gateway.record((record) => record.id === id)).toMatchObject({
    ...{ status: 200, api_key_id: 'key-of-a-batch' },
    metadata: { _batch: 'batch_weir_1', _batch_line: 'a' },
  })
})

test('a stream is seen through to its end', async () => {
  const { status, body } = await ask({ ...CHAT, stream: true })
  expect([status, new TextDecoder().decode(body)]).toEqual([200, expect.stringContaining('data: [DONE]')])
})

test('an error is in the answer, as a client would get it', async () => {
  const { status, body } = await ask({ ...CHAT, messages: 'none' })
  expect([status, JSON.parse(new TextDecoder().decode(body))]).toMatchObject([400, { error: { param: 'messages' } }])
  const expired = { ...caller, expiresAtMs: 1 }
  expect((await ask(CHAT, { by: expired })).status).toBe(401)
})

test('nobody else may say that a call is of a batch', async () => {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      ...{ 'x-gateway-api-key': API_KEY, 'x-gateway-provider': 'mock' },
      'x-gateway-metadata': JSON.stringify({ _batch: 'mine', team: 'red' }),
    },
    body: JSON.stringify(CHAT),
  })
  const id = response.headers.get('x-gateway-request-id')
  expect((await gateway.record((record) => record.id === id)).metadata).toEqual({ team: 'red' })
})

test('a path that nothing is served at is refused, and so is all once the gateway stops', async () => {
  expect(ask(CHAT, { path: '/v1/nothing' })).rejects.toThrow('Nothing is served')
  const aborted = AbortSignal.abort()
  expect((await ask(CHAT, { signal: aborted })).status).toBe(499)
  await gateway.gateway.drain(100)
  expect(ask(CHAT)).rejects.toThrow('stopping')
})
