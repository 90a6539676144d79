import { splitModel } from '#calls/config/model-name'
import { type Call, defineEndpoint } from '#kit'
import { passThrough } from '#kit/slots'
import { findListed, showListed } from './models/own-list.ts'
import { openaiSessions } from './realtime/events.ts'

/** Calls with a word of their own, by method and place; `:id` is any one object. */
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

const PARTS: ReadonlySet<string> = new Set(
  [...PLACES.keys()].flatMap((place) => place.slice(place.indexOf('/') + 1).split('/')),
)

const typeOf = (call: Call): string => {
  const path = call.find(passThrough)?.path?.replace(/^\/v\d\w*(?=\/)/, '')
  if (path === undefined) return 'proxy'
  const parts = path
    .replace(/\/$/, '')
    .split('/')
    .slice(1)
    .map((part) => (PARTS.has(part) ? part : ':id'))
  const type = PLACES.get(`${call.request.method} /${parts.join('/')}`) ?? 'proxy'
  return type === 'messages' && call.params.stream === true ? 'stream-messages' : type
}

/** Places whose answers are about the state of something (behaviour reference, section 6). */
const STATEFUL =
  /\/(?:files|uploads|batches|fine_tuning|fine-tunes|threads|assistants|vector_stores|audio|images\/(?:edits|variations)|realtime)(?:\/|$)/

/** A call that goes to its provider as it came. */
export default defineEndpoint({
  id: 'proxy',
  requestTypes: ['proxy', ...PLACES.values(), 'stream-messages'],
  requestTypeOf: typeOf,
  operation: 'proxy',
  body: { kind: 'any' },
  replay: 'spooled',
  answer: { kind: 'bytes', session: openaiSessions },
  /** One model; one with a provider in front is asked of that provider. */
  fromCatalogue(call) {
    const { path, model } = (call.request.method === 'GET' ? call.find(passThrough) : undefined) ?? {}
    if (model === undefined || path?.startsWith('/models/') !== true || splitModel(model) !== undefined)
      return undefined
    return (models) => showListed(findListed(models, model))
  },
  cache: 'simple',
  /** Only what looks like a question to a model, and wants its answer in one piece. */
  isCacheable: ({ request: { method, path }, params }) =>
    method === 'POST' && Object.keys(params).length > 0 && params.stream !== true && !STATEFUL.test(path),
  // In the forms of OpenAI, Anthropic and Google.
  reads: [
    'messages',
    'prompt',
    'input',
    'tools',
    'functions',
    'response_format',
    'system',
    'instructions',
    'contents',
    'systemInstruction',
    'system_instruction',
  ],
  isWritten: true,
})
