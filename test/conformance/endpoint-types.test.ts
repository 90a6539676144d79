import { expect, test } from 'bun:test'
import { passThrough } from '#kit/slots'
import { endpointTypeOf, PASSED_THROUGH_TYPES } from '../../plugins/pipeline/rate-limit/endpoint-type.ts'
import { RequestBody } from '../../src/core/body.ts'
import { Call } from '../../src/core/call.ts'
import { Cancellation } from '../../src/core/cancellation.ts'
import type { Endpoint } from '../../src/core/endpoint.ts'
import { ENDPOINT_TYPES, endpointTypesMeant } from '../../src/limits/match/endpoint-types.ts'

const typeOf = async (endpoint: Endpoint, body: object = {}, method = 'POST', path?: string): Promise<string> => {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const request = {
    method,
    path: '/',
    search: '',
    query: new URLSearchParams(),
    headers: new Headers({ 'content-type': 'application/json' }),
    body: new RequestBody(() => Promise.resolve(bytes)),
  }
  await request.body.load()
  const call = new Call({
    id: 'id',
    endpoint,
    route: '/',
    request,
    cancellation: new Cancellation(),
    now: () => 0,
    onListenerError: () => undefined,
  })
  if (path !== undefined) call.set(passThrough, { path, query: '' })
  return endpointTypeOf(call)
}

test.each([
  ['chat', 'chatComplete', 'stream-chatComplete'],
  ['completions', 'complete', 'stream-complete'],
  ['embeddings', 'embed', 'embed'],
  ['models', 'listModels', 'listModels'],
  ['render', 'render', 'render'],
  ['proxy', 'proxy', 'proxy'],
] as const)('%s is %s, and %s as a stream', async (endpoint, plain, streamed) => {
  expect([await typeOf(endpoint), await typeOf(endpoint, { stream: false })]).toEqual([plain, plain])
  expect(await typeOf(endpoint, { stream: true })).toBe(streamed)
})

test.each([
  ['POST', '/messages', 'messages'],
  ['POST', '/v1/messages', 'messages'],
  ['POST', '/messages/count_tokens', 'proxy'],
  ['POST', '/images/generations', 'imageGenerate'],
  ['POST', '/images/edits', 'proxy'],
  ['GET', '/files', 'listFiles'],
  ['GET', '/files/', 'listFiles'],
  ['GET', '/files/file-1', 'retrieveFile'],
  ['GET', '/files/file-1/content', 'retrieveFileContent'],
  ['DELETE', '/files/file-1', 'deleteFile'],
  ['PUT', '/files/file-1', 'proxy'],
  ['POST', '/fine_tuning/jobs/j-1/cancel', 'cancelFinetune'],
  ['GET', '/responses/r-1/input_items', 'listResponseInputItems'],
  ['POST', '/chat/completions', 'proxy'],
  ['POST', '', 'proxy'],
])('%s %s that passes through is %s', async (method, path, type) => {
  expect(await typeOf('proxy', {}, method, path)).toBe(type)
})

test('messages that stream have their word, and each word of these is one that conditions know and `proxy` holds', async () => {
  expect(await typeOf('proxy', { stream: true }, 'POST', '/messages')).toBe('stream-messages')
  expect(endpointTypesMeant('proxy').toSorted()).toEqual(['proxy', ...PASSED_THROUGH_TYPES].toSorted())
  for (const type of PASSED_THROUGH_TYPES) expect(ENDPOINT_TYPES).toContain(type)
})
