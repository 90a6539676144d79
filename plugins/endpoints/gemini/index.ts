import { readPassThrough, readPath } from '#calls/pass-through/pass-through'
import { definePlugin, type Endpoint, isReadyStream, MethodNotAllowed, Pipe, type Route, type Stage, t } from '#kit'
import type { Bridge } from '#kit/provider'
import { passThrough } from '#kit/slots'
import { geminiByChat } from './by-chat.ts'
import { batchByEmbeddings, embedByEmbeddings } from './by-embeddings.ts'
import { METHODS } from './endpoints.ts'
import { BLANK, generateContentAsArray, JsonArray } from './json-array.ts'
import { readModelPath } from './path.ts'

/**
 * Where clients of the Gemini API ask: below its versions, also where their base URL ends with one of ours (`base_url` and
 * `api_version` of google-genai 3.4.0, `httpOptions` of @google/genai 3.1.0, read 2026-11-22).
 */
const ROOTS = ['/v1beta', '/v1', '/v1/v1beta'] as const

/** Always served, as the bridges are, whichever way leads to them. */
export const geminiEndpoints: readonly Endpoint[] = [...new Set(METHODS.values())]
export const geminiBridges: readonly Bridge[] = [geminiByChat, embedByEmbeddings, batchByEmbeddings]

/** Calls in Google's own form. What stands behind a model and is none of them goes to the provider as it came. */
export default definePlugin({
  name: 'gemini',
  config: t.Object({}),
  needs: ['endpoints'],
  setup(_config, { endpoints }) {
    const stage: Stage = {
      name: 'gemini',
      async run(call, next) {
        const { request } = call
        // The list of all models.
        if (request.params['*'] === '')
          throw new MethodNotAllowed('POST is not allowed here: use GET.', { allow: ['GET'] })
        const { method } = readModelPath(request)
        const endpoint = METHODS.get(method)
        if (endpoint === undefined) {
          call.become(endpoints.get('proxy'))
          call.set(passThrough, await readPassThrough(call, readPath(`/models/${request.params['*'] ?? ''}`)))
          return next()
        }
        const isArray = method === 'streamGenerateContent' && request.query.get('alt') !== 'sse'
        if (isArray) call.become(generateContentAsArray)
        else if (call.endpoint !== endpoint) call.become(endpoint)
        const answer = await next()
        if (!isArray || !isReadyStream(answer.body)) return answer
        answer.body = new Pipe(answer.body, new JsonArray())
        answer.headers.set('content-type', 'application/json; charset=UTF-8')
        return { ...answer, keepAlive: BLANK }
      },
    }
    const routes = ROOTS.map(
      (root): Route => ({
        method: 'ALL',
        path: `${root}/models/*`,
        endpoint: 'gemini',
        stages: [stage],
      }),
    )
    return { routes }
  },
})
