import { isRecord } from '#kit'
import { type ChatCall, MOCK_CREATED, MOCK_MODELS, makeAnswer } from './answer.ts'
import { chatStream, toReply } from './chat.ts'
import { type MockStream, toChunks } from './chunks.ts'
import { makeTexts, textStream, toTextReply } from './completions.ts'
import { deepened, toEvents } from './events.ts'
import { faulted, type Strikes, struck } from './faulted.ts'
import { type FaultName, MOCK_FAULTS } from './faults.ts'
import { answerKept } from './kept/index.ts'
import type { KeptObjects } from './kept/objects.ts'
import { MEDIA, type MediaAnswers, readMedia } from './media/index.ts'
import { readOptions } from './options.ts'
import { errorBody, jsonPlan, type Plan, ssePlan, textPlan, type WholePlan } from './plan.ts'
import { SECRETS } from './realtime/secrets.ts'
import { REALTIME_MODEL, REALTIME_PATH } from './realtime/upgrade.ts'
import { MockRefusal } from './refusal.ts'
import { WHOLE, type WholeAnswers } from './whole/index.ts'

export interface MockCallInput {
  readonly method: string
  /** Target of the request line. The mock knows no queries. */
  readonly path: string
  readonly headerNames: readonly string[]
  /** Empty when the request has none. */
  readonly contentType: string
  readonly body: Uint8Array
}

const ROUTES: Readonly<Record<string, string>> = {
  '/v1/models': 'GET',
  '/v1/chat/completions': 'POST',
  '/v1/completions': 'POST',
  ...Object.fromEntries([...WHOLE.keys(), ...MEDIA.keys()].map((path) => [path, 'POST'])),
}

/** The mock's answer to a request, in the reference's wire format. Never throws: what it refuses becomes an error answer. */
export const planAnswer = (call: MockCallInput, strikes: Strikes, objects: KeptObjects): Plan => {
  try {
    const kept = answerKept(call, strikes, objects)
    if (kept !== undefined) return kept
    const secrets = call.method === 'POST' ? SECRETS.get(call.path.replace(/\?.*$/, '')) : undefined
    if (secrets !== undefined) return secrets(call.body)
    const model = modelOf(call.path)
    if (model !== undefined && call.method === 'GET') return jsonPlan(200, showModel(model))
    if (model !== undefined && call.method === 'DELETE') return jsonPlan(200, deleteModel(model))
    const method = Object.hasOwn(ROUTES, call.path) ? ROUTES[call.path] : undefined
    if (method === undefined) throw new MockRefusal(404, `The mock has no ${call.path}.`, null, 'unknown_url')
    if (method !== call.method) throw new MockRefusal(405, `${call.path} takes ${method}.`)
    if (call.path === '/v1/models') return jsonPlan(200, modelList())
    const media = MEDIA.get(call.path)
    return media === undefined ? planCall(call, strikes) : planMedia(call, media, strikes)
  } catch (error) {
    if (!(error instanceof MockRefusal)) throw error
    const { status, message, param, code } = error
    return jsonPlan(status, errorBody(message, 'invalid_request_error', code, param))
  }
}

const modelList = () => ({ object: 'list', data: Object.keys(MOCK_MODELS).map(toModel) })

const toModel = (id: string) => ({ id, object: 'model', created: MOCK_CREATED, owned_by: 'mock' })

/** The model that a path names, decoded. */
const modelOf = (path: string): string | undefined => {
  const [, name] = /^\/v1\/models\/([^/:?]+|ft:[^/?]+)$/.exec(path) ?? []
  return name === undefined ? undefined : decodeURIComponent(name)
}

const showModel = (id: string) => {
  if (Object.hasOwn(MOCK_MODELS, id)) return toModel(id)
  throw new MockRefusal(404, `The mock has no model \`${id}\`.`, 'model', 'model_not_found')
}

/** Models that somebody tuned are here to be deleted, whatever they are called. */
const deleteModel = (id: string) => {
  if (id.startsWith('ft:')) return { id, object: 'model', deleted: true }
  throw new MockRefusal(403, 'Only models that were fine-tuned can be deleted.', 'model')
}

const planCall = (call: MockCallInput, strikes: Strikes): Plan => {
  const text = new TextDecoder().decode(call.body)
  const body = parse(text)
  const whole = WHOLE.get(call.path)
  const named = body.model ?? (whole?.isDefault === true ? whole.model : undefined)
  if (typeof named !== 'string') throw new MockRefusal(400, '`model` must be text.', 'model')
  const { model, options: asked } = readOptions(named, body.mock)
  checkModel(model, call.path)
  const form = FORMS.get(call.path)
  const stream = form !== undefined && body.stream === true
  if (asked.fault !== undefined) checkScope(asked.fault, form !== undefined, stream)
  const options = struck(asked, strikes, text)
  const way = form ?? whole
  if (way === undefined) throw new MockRefusal(404, `The mock has no ${call.path}.`, null, 'unknown_url')
  return faulted(options, () => rightAnswer({ model, body, headerNames: call.headerNames, options }, way, stream))
}

/** Images and sound: their requests may be forms, and their answers bytes. */
const planMedia = (call: MockCallInput, media: MediaAnswers, strikes: Strikes): Plan => {
  const form = readMedia(call.body, call.contentType, media.isForm)
  const { fields } = form
  const named = fields.model ?? (media.isDefault === true ? media.model : undefined)
  if (typeof named !== 'string') throw new MockRefusal(400, '`model` must be text.', 'model')
  const { model, options: asked } = readOptions(named, fields.mock)
  checkModel(model, call.path)
  const stream = media.isStreamed(fields)
  if (asked.fault !== undefined) checkScope(asked.fault, true, stream)
  const options = struck(asked, strikes, named)
  return faulted(options, () => media.plan({ ...form, path: call.path, options }, stream))
}

const parse = (text: string): Record<string, unknown> => {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new MockRefusal(400, 'The body is not JSON.')
  }
  if (!isRecord(body)) throw new MockRefusal(400, 'The body must be a JSON object.')
  return body
}

const checkModel = (model: string, path: string): void => {
  if (!Object.hasOwn(MOCK_MODELS, model)) {
    const known = Object.keys(MOCK_MODELS).join(', ')
    throw new MockRefusal(404, `The mock has no model \`${model}\`. It has ${known}.`, 'model', 'model_not_found')
  }
  const own = PATHS_OF.get(model)
  const needed = MODELS_OF.get(path)
  if (own === undefined ? needed === undefined : own.includes(path)) return
  const other = own === undefined ? `is not for ${path}: \`${needed}\` is` : `is for ${own.join(', ')} only`
  throw new MockRefusal(400, `The model \`${model}\` ${other}.`, 'model')
}

/** The one model of a path, where it has one of its own. */
const MODELS_OF: ReadonlyMap<string, string> = new Map(
  [...WHOLE, ...MEDIA].map(([path, { model }]): [string, string] => [path, model]),
)

/** The paths of a model that answers nowhere else. */
const PATHS_OF: ReadonlyMap<string, readonly string[]> = new Map(
  [...MODELS_OF].map<[string, readonly string[]]>(([, model]) => [
    model,
    [...MODELS_OF].flatMap(([path, other]) => (other === model ? [path] : [])),
  ]),
).set(REALTIME_MODEL, [REALTIME_PATH])

const checkScope = (fault: FaultName, streams: boolean, stream: boolean): void => {
  const { scope } = MOCK_FAULTS[fault]
  if (scope === 'stream' && !stream) {
    throw new MockRefusal(400, `The mock fault \`${fault}\` needs \`stream: true\`.`, 'stream')
  }
  if (scope === 'chat' && !streams)
    throw new MockRefusal(400, `The mock fault \`${fault}\` needs a call that can stream.`, 'mock.fault')
}

/** An answer of a path that streams, as one reply and as a stream. */
type Form = (call: ChatCall) => { readonly reply: () => object; readonly stream: () => MockStream }

const FORMS: ReadonlyMap<string, Form> = new Map<string, Form>([
  [
    '/v1/chat/completions',
    (call) => {
      const answer = makeAnswer(call)
      return { reply: () => toReply(answer), stream: () => chatStream(answer) }
    },
  ],
  [
    '/v1/completions',
    (call) => {
      const texts = makeTexts(call)
      return { reply: () => toTextReply(texts), stream: () => textStream(texts) }
    },
  ],
])

const rightAnswer = (call: ChatCall, way: Form | WholeAnswers, stream: boolean): WholePlan => {
  if (typeof way !== 'function') return jsonPlan(200, way.make(call.model, call.body))
  const answer = way(call)
  if (stream) {
    const wanted = isRecord(call.body.stream_options) && call.body.stream_options.include_usage === true
    return ssePlan(toEvents(toChunks(answer.stream(), wanted, call.options), call.options))
  }
  const json = JSON.stringify(answer.reply())
  const text = call.options.fault === 'deep-json' ? deepened(json, call.options) : json
  return textPlan(200, text, { 'content-type': 'application/json' })
}
