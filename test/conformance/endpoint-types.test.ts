import { expect, test } from 'bun:test'
import { passThrough } from '#kit/slots'
import { builtInEndpoints } from '../../plugins/built-in.ts'
import { WholeBody } from '../../src/core/bodies/body.ts'
import { Call } from '../../src/core/call.ts'
import { Cancellation } from '../../src/core/cancellation.ts'
import { endpoint } from '../support/endpoints.ts'

const typeOf = async (id: string, body: object = {}, method = 'POST', path?: string): Promise<string> => {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const request = {
    method,
    path: '/',
    search: '',
    query: new URLSearchParams(),
    params: {},
    headers: new Headers({ 'content-type': 'application/json' }),
    body: new WholeBody(() => Promise.resolve(bytes)),
  }
  await request.body.load()
  const call = new Call({
    id: 'id',
    endpoint: endpoint(id),
    route: '/',
    request,
    cancellation: new Cancellation(),
    now: () => 0,
    onListenerError: () => undefined,
  })
  if (path !== undefined) call.set(passThrough, { path, query: '' })
  return call.endpoint.requestTypeOf(call)
}

test.each([
  ['chat', 'chatComplete', 'stream-chatComplete'],
  ['completions', 'complete', 'stream-complete'],
  ['embeddings', 'embed', 'embed'],
  ['messages', 'messages', 'stream-messages'],
  ['messages-count-tokens', 'messages-count-tokens', 'messages-count-tokens'],
  ['responses', 'createModelResponse', 'createModelResponse'],
  ['models', 'listModels', 'listModels'],
  ['moderations', 'moderate', 'moderate'],
  ['rerank', 'rerank', 'rerank'],
  ['ocr', 'ocr', 'ocr'],
  ['proxy', 'proxy', 'proxy'],
] as const)('%s is %s, and %s as a stream', async (id, plain, streamed) => {
  expect([await typeOf(id), await typeOf(id, { stream: false })]).toEqual([plain, plain])
  expect(await typeOf(id, { stream: true })).toBe(streamed)
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

test('messages that stream have their word', async () => {
  expect(await typeOf('proxy', { stream: true }, 'POST', '/messages')).toBe('stream-messages')
})

test('no two endpoints share a word, but for what passes through', () => {
  const words = builtInEndpoints.flatMap(({ id, requestTypes }) => (id === 'proxy' ? [] : requestTypes))
  expect(new Set(words).size).toBe(words.length)
})
