import { readPassThrough, readPath } from '#calls/pass-through/pass-through'
import { type Endpoint, isReadyStream, MethodNotAllowed, Pipe, type Stage } from '#kit'
import type { Bridge } from '#kit/provider'
import { passThrough } from '#kit/slots'
import proxy from '../proxy.ts'
import { geminiByChat } from './by-chat.ts'
import { batchByEmbeddings, embedByEmbeddings } from './by-embeddings.ts'
import { generateContent, METHODS } from './endpoints.ts'
import { BLANK, generateContentAsArray, JsonArray } from './json-array.ts'
import { readModelPath } from './path.ts'

/**
 * Where clients of the Gemini API ask: below its versions, also where their base URL ends with one of ours (`base_url` and
 * `api_version` of google-genai 3.4.0, `httpOptions` of @google/genai 3.1.0, read 2026-11-22).
 */
const ROOTS = ['/v1beta', '/v1', '/v1/v1beta'] as const

/** Finds what is asked of a model. What stands behind it and is no method of ours goes to the provider as it came. */
const stage: Stage = {
  name: 'gemini',
  async run(call, next) {
    const { request } = call
    // The list of all models.
    if (request.params['*'] === '') throw new MethodNotAllowed('POST is not allowed here: use GET.', { allow: ['GET'] })
    const { method } = readModelPath(request)
    const endpoint = METHODS.get(method)
    if (endpoint === undefined) {
      call.become(proxy)
      call.set(passThrough, await readPassThrough(call, readPath(`/models/${request.params['*'] ?? ''}`)))
      return next()
    }
    const isArray = method === 'streamGenerateContent' && request.query.get('alt') !== 'sse'
    if (isArray) call.become(generateContentAsArray)
    else if (endpoint !== generateContent) call.become(endpoint)
    const answer = await next()
    if (!isArray || !isReadyStream(answer.body)) return answer
    answer.body = new Pipe(answer.body, new JsonArray())
    answer.headers.set('content-type', 'application/json; charset=UTF-8')
    return { ...answer, keepAlive: BLANK }
  },
}

/** All methods come in by one way. */
const served: Endpoint = {
  ...generateContent,
  described: {
    operationId: 'generateContent',
    summary: 'Ask a model by a method of the Gemini API: `<model>:generateContent`.',
  },
  routes: [{ method: 'POST', path: '/models/*', roots: ROOTS }],
  stages: [stage],
}

export const geminiEndpoints: readonly Endpoint[] = [
  served,
  ...new Set([...METHODS.values()].filter((endpoint) => endpoint !== generateContent)),
]

export const geminiBridges: readonly Bridge[] = [geminiByChat, embedByEmbeddings, batchByEmbeddings]
