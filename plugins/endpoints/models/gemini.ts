import { readPassThrough, readPath } from '#calls/pass-through/pass-through'
import { type Call, defineEndpoint, InvalidRequest, isRecord, type Stage, t, UpstreamInvalid } from '#kit'
import type { ListedModel } from '#kit/plugin'
import type { Bridge } from '#kit/provider'
import { passThrough } from '#kit/slots'
import { googleErrors } from '../gemini/errors.ts'
import proxy from '../proxy.ts'
import { numberIn } from './list-query.ts'
import { modelInPath } from './model-in-path.ts'
import { ownModelOf } from './own-list.ts'

type Fields = Readonly<Record<string, unknown>>

/** Where clients of the Gemini API ask for models, and nobody else. */
const ROOTS = ['/v1beta', '/v1/v1beta'] as const

/** Google's SDKs say who they are with each call, also below `/v1` (@google/genai 3.1.0, google-genai 3.4.0, read 2026-11-22). */
export const wantsGoogle = ({ request: { headers } }: Call): boolean => headers.has('x-goog-api-client')

/** What any model of a gateway can be asked; its provider may refuse it all the same. */
const METHODS = ['generateContent', 'countTokens']

/** A model as Google shows one: `Model` of its reference "Models" (ai.google.dev, read 2026-11-22), as far as it is known here. */
const show = (id: string, name: string): Fields => ({
  name: `models/${id}`,
  displayName: name,
  supportedGenerationMethods: METHODS,
})

const showOwn = ({ id, slug }: ListedModel): Fields => show(id, slug)

const showOther = (model: unknown): Fields => {
  if (!isRecord(model) || typeof model.id !== 'string')
    throw new UpstreamInvalid('The provider lists a model without an id.')
  return show(model.id, typeof model.name === 'string' ? model.name : model.id)
}

/** Models on a page, where the call says nothing, and the most there may be (reference "Models", `models.list`). */
const PAGE = 50
const MAX_PAGE = 1_000

/** A page of a list. The token of the next is where it begins. @throws InvalidRequest naming the parameter */
const page = (models: readonly Fields[], query: URLSearchParams): Fields => {
  const size = Math.min(numberIn(query, 'pageSize', 0) || PAGE, MAX_PAGE)
  const token = query.get('pageToken') ?? ''
  const start = token === '' ? 0 : /^\d{1,9}$/.test(token) ? Number(token) : -1
  if (start < 0 || start > models.length) {
    throw new InvalidRequest('`pageToken` must be the `nextPageToken` of an earlier page.', { param: 'pageToken' })
  }
  const next = start + size
  return {
    models: models.slice(start, next),
    ...(next < models.length ? { nextPageToken: String(next) } : {}),
  }
}

export const geminiModels = defineEndpoint({
  id: 'gemini-models',
  described: { operationId: 'listGeminiModels', summary: 'List models in the form of the Gemini API.' },
  routes: [{ method: 'GET', path: '/models', roots: ROOTS }],
  scopes: ['models.list', 'completions.write', 'virtual_keys.list'],
  requestTypes: ['listGeminiModels'],
  operation: 'list_models',
  form: 'gemini-models',
  body: { kind: 'none' },
  answer: { kind: 'json', schema: t.Object({ models: t.Array(t.Object({ name: t.String() })) }) },
  errors: googleErrors,
  hasModel: false,
  fromCatalogue:
    ({ request: { query } }) =>
    (models) =>
      page(models.map(showOwn), query),
  isCounted: false,
})

const stage: Stage = {
  name: 'gemini-model',
  async run(call, next) {
    await askGeminiModel(call)
    return next()
  },
}

export const geminiModel = defineEndpoint({
  id: 'gemini-model',
  described: { operationId: 'getGeminiModel', summary: 'Show a model in the form of the Gemini API.' },
  routes: [{ method: 'GET', path: '/models/*', roots: ROOTS }],
  scopes: ['models.list', 'completions.write', 'virtual_keys.list'],
  requestTypes: ['retrieveGeminiModel'],
  operation: 'retrieve_model',
  form: 'gemini-model',
  body: { kind: 'none' },
  answer: { kind: 'json', schema: t.Object({ name: t.String() }) },
  errors: googleErrors,
  stages: [stage],
  paramsOf: (_body, request) => ({ model: modelInPath(request) }),
  fromCatalogue: ownModelOf(showOwn),
  isCounted: false,
})

/** Makes it a call for one model. What hangs on a model, such as an operation that goes on for long, is its provider's. */
export const askGeminiModel = async (call: Call): Promise<void> => {
  const rest = call.request.params['*'] ?? ''
  if (!rest.includes('/operations/')) {
    if (call.endpoint !== geminiModel) call.become(geminiModel)
    return
  }
  call.become(proxy)
  call.set(passThrough, await readPassThrough(call, readPath(`/models/${rest}`)))
}

const nothingAsked: Bridge['request'] = () => ({ request: {}, dropped: [] })
const noStream: Bridge['stream'] = () => ({ push: () => '', end: () => '' })

/** Google's list over that of any provider. */
export const geminiModelsByModels: Bridge = {
  from: 'gemini-models',
  to: 'models',
  request: nothingAsked,
  reply: ({ data }, { search = '' }) => {
    if (!Array.isArray(data)) throw new UpstreamInvalid('The provider answered with no list of models.')
    return page(data.map(showOther), new URLSearchParams(search))
  },
  stream: noStream,
}

export const geminiModelByModel: Bridge = {
  from: 'gemini-model',
  to: 'model',
  request: nothingAsked,
  reply: showOther,
  stream: noStream,
}
