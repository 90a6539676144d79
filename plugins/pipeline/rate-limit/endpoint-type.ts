import type { Call, Endpoint } from '#kit'
import { passThrough } from '#kit/slots'

/** Names of the interface for the kinds of call (behaviour reference, section 12.1). */
const TYPES: Readonly<Record<Exclude<Endpoint, 'proxy'>, string>> = {
  chat: 'chatComplete',
  completions: 'complete',
  embeddings: 'embed',
  models: 'listModels',
  render: 'render',
}

/** Calls that pass through, by method and place; `:id` is any one object. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['POST /messages', 'messages'],
  ['POST /rerank', 'rerank'],
  ['POST /moderations', 'moderate'],
  ['POST /images/generations', 'imageGenerate'],
  ['POST /audio/speech', 'createSpeech'],
  ['POST /audio/transcriptions', 'createTranscription'],
  ['POST /audio/translations', 'createTranslation'],
  ['GET /realtime', 'realtime'],
  ['POST /files', 'uploadFile'],
  ['GET /files', 'listFiles'],
  ['GET /files/:id', 'retrieveFile'],
  ['DELETE /files/:id', 'deleteFile'],
  ['GET /files/:id/content', 'retrieveFileContent'],
  ['POST /batches', 'createBatch'],
  ['GET /batches', 'listBatches'],
  ['GET /batches/:id', 'retrieveBatch'],
  ['POST /batches/:id/cancel', 'cancelBatch'],
  ['GET /batches/:id/output', 'getBatchOutput'],
  ['POST /fine_tuning/jobs', 'createFinetune'],
  ['GET /fine_tuning/jobs', 'listFinetunes'],
  ['GET /fine_tuning/jobs/:id', 'retrieveFinetune'],
  ['POST /fine_tuning/jobs/:id/cancel', 'cancelFinetune'],
  ['POST /responses', 'createModelResponse'],
  ['GET /responses/:id', 'getModelResponse'],
  ['DELETE /responses/:id', 'deleteModelResponse'],
  ['GET /responses/:id/input_items', 'listResponseInputItems'],
])

/** The words that a call that passes through can have, besides `proxy`. */
export const PASSED_THROUGH_TYPES: readonly string[] = [...PLACES.values(), 'stream-messages']

const PARTS: ReadonlySet<string> = new Set(
  [...PLACES.keys()].flatMap((place) => place.slice(place.indexOf('/') + 1).split('/')),
)

/** What a call is, as conditions of limits name it. Calls that stream have words of their own, where the interface has some. */
export const endpointTypeOf = (call: Call): string => {
  const { endpoint } = call
  const type = endpoint === 'proxy' ? passedThrough(call) : TYPES[endpoint]
  const hasOwnWord = type === 'chatComplete' || type === 'complete' || type === 'messages'
  return hasOwnWord && call.params.stream === true ? `stream-${type}` : type
}

const passedThrough = (call: Call): string => {
  const path = call.find(passThrough)?.path?.replace(/^\/v\d\w*(?=\/)/, '')
  if (path === undefined) return 'proxy'
  const parts = path
    .replace(/\/$/, '')
    .split('/')
    .slice(1)
    .map((part) => (PARTS.has(part) ? part : ':id'))
  return PLACES.get(`${call.request.method} /${parts.join('/')}`) ?? 'proxy'
}
