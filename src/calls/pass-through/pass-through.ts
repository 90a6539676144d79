import { type RequestBody, type StreamedBody, wholeBody } from '../../core/bodies/body.ts'
import type { Call } from '../../core/call.ts'
import { defined } from '../../core/defined.ts'
import {
  isNamed,
  multipartField,
  urlencodedField,
  withMultipartField,
  withUrlencodedField,
} from '../../core/forms/form-fields.ts'
import { FormReader } from '../../core/forms/form-reader.ts'
import { type Parametrised, readParametrised } from '../../core/forms/parametrised.ts'
import { EgressRefused, InvalidRequest, WebsocketUnsupported } from '../../errors/gateway-error.ts'
import type { PassThrough } from '../../kit/slots.ts'
import { MAX_MODEL_CHARACTERS, splitModel } from '../config/model-name.ts'
import { callerKeys } from '../slots.ts'

/** Longest path that is passed on. */
const MAX_PATH_CHARACTERS = 4096

/** What a path may hold: the characters of RFC 3986, section 3.3, and percent-encoded ones. */
const PATH = /^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)*$/

/** Encoded forms of `/`, `\`, `.`, `%` and control characters: servers disagree about when they decode them. */
const ENCODED_SYNTAX = /%(?:2f|5c|2e|25|[01][0-9a-f]|7f)/i

/** `.`, `..`, and what becomes one of them, or nothing, where blanks or parameters are cut off first. */
const DOTS = /^(?:[.\s]+|[.\s]*;.*)$/

/** `http:`, the beginning of an absolute URL. */
const SCHEME = /^[a-z][a-z0-9+.-]*:$/i

/**
 * Checks what stands behind the gateway's own part of a path: it will be put behind a provider's base URL, and must not
 * lead out of it.
 * @param rest empty, or begins with `/`
 * @throws EgressRefused for anything that some server could read as another path or another host
 */
export const checkPath = (rest: string): string => {
  if (rest.length > MAX_PATH_CHARACTERS) throw refused(`it is longer than ${MAX_PATH_CHARACTERS} characters`)
  if (!PATH.test(rest)) throw refused('it holds characters that a path may not hold')
  if (ENCODED_SYNTAX.test(rest)) throw refused('it holds an encoded slash, dot, percent or control character')
  const segments = asRead(rest).split('/').slice(1)
  segments.forEach((segment, index) => {
    if (DOTS.test(segment)) throw refused('it holds a dot segment')
    if (SCHEME.test(segment)) throw refused('it holds a URL')
    if (segment === '' && index < segments.length - 1) throw refused('it holds an empty segment')
  })
  return rest
}

/** Where a path names one model, in each API of OpenAI's or Google's kind. */
const MODEL = /^((?:\/v\d\w*)?\/models\/)(.+)$/

/**
 * Checks a path as `checkPath` does, and reads the model of `/models/<model>`. SDKs encode the model as a whole, so that its
 * slashes come encoded; a provider in front of it is taken off.
 * @throws EgressRefused
 */
export const readPath = (rest: string): Pick<PassThrough, 'path' | 'model'> => {
  const [, place, encoded] = MODEL.exec(rest) ?? []
  if (place === undefined || encoded === undefined) return { path: checkPath(rest) }
  const name = encoded.replace(/%2f/gi, '/').replace(/%40/g, '@')
  checkPath(`${place}${name}`)
  const bare = splitModel(name)?.model ?? name
  return {
    path: `${place}${/%2f/i.test(encoded) ? bare.replaceAll('/', '%2F') : bare}`,
    model: decodeURIComponent(name),
  }
}

/** Reads a path as the most lenient server does: decoded, and with letters of other scripts as those they stand for. */
const asRead = (path: string): string => {
  try {
    return decodeURIComponent(path).normalize('NFKC')
  } catch {
    // Not UTF-8: some servers take `%c0%ae` for a dot.
    throw refused('it holds encoded bytes that are no text')
  }
}

const refused = (reason: string): EgressRefused => new EgressRefused(`The path is refused: ${reason}.`)

/** What the path of a call has beyond its route: empty, or with a slash in front. */
export const restOfPath = ({ request: { params } }: Call): string => {
  const rest = params['*']
  return rest === undefined ? '' : `/${rest}`
}

/**
 * Reads a call that shall go to the provider as it came.
 * @throws InvalidRequest for a body where none can be sent; WebsocketUnsupported
 */
export const readPassThrough = async (
  call: Call,
  place: Pick<PassThrough, 'path' | 'isReference' | 'place' | 'model' | 'vendor' | 'host'>,
): Promise<PassThrough> => {
  const { method, headers, body, search } = call.request
  const upgrade = headers.get('upgrade')
  if (upgrade !== null && (upgrade.toLowerCase() !== 'websocket' || method !== 'GET')) {
    throw new WebsocketUnsupported('Upgrades to another protocol than WebSocket are not passed on: use HTTP.')
  }
  if ((method === 'GET' || method === 'HEAD') && hasContent(body)) {
    throw new InvalidRequest(`A ${method} request with a body cannot be passed on.`)
  }
  const form = await modelOfForm(call, bodyTypeOf(call))
  const asked = urlencodedField(search.slice(1), 'model')
  const inQuery = bareModel(asked)
  const inBody = bareModel(form.model ?? call.params.model)
  if (inQuery !== undefined && inBody !== undefined && inBody !== inQuery) {
    throw new InvalidRequest('The query names another `model` than the body.', { param: 'model' })
  }
  if ((inQuery ?? inBody ?? '').length > MAX_MODEL_CHARACTERS) {
    throw new InvalidRequest(`\`model\` must have at most ${MAX_MODEL_CHARACTERS} characters.`, { param: 'model' })
  }
  // Nothing else says what a WebSocket is for.
  const ofSocket = upgrade === null ? undefined : asked
  return { ...place, ...form, ...defined({ model: ofSocket }), query: passedQuery(call, inQuery) }
}

/** A model without a provider in front of it. */
const bareModel = (model: unknown): string | undefined =>
  typeof model === 'string' ? (splitModel(model)?.model ?? model) : undefined

/** Whether a call passes through and asks no model: it reads or deletes a file, a batch, a stored answer, a list. */
export const asksNoModel = ({ endpoint, request }: Call): boolean =>
  endpoint.form === undefined && METHODS_WITHOUT_MODEL.has(request.method) && !request.headers.has('upgrade')

/** Whether a call passes through and goes on as a WebSocket: what is said there is charged and recorded response by response. */
export const isSocket = ({ endpoint, request }: Call): boolean =>
  endpoint.form === undefined && request.method === 'GET' && request.headers.has('upgrade')

const METHODS_WITHOUT_MODEL: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])

const hasContent = (body: RequestBody): boolean => body.kind !== 'whole' || body.bytes.length > 0

/**
 * What a body is said to be.
 * @throws InvalidRequest for a `Content-Type` that could be read as another one
 */
const bodyTypeOf = ({ request: { headers, body } }: Call): Parametrised | undefined => {
  const header = headers.get('content-type')
  if (header === null || !hasContent(body)) return undefined
  const type = readParametrised(header)
  const charset = type?.parameters.get('charset')?.toLowerCase() ?? 'utf-8'
  const isJson = type !== undefined && /[/+]json$/.test(type.value)
  if (type !== undefined && (!isJson || charset === 'utf-8' || charset === 'us-ascii')) return type
  throw new InvalidRequest('The `Content-Type` of the request cannot be read.', { param: 'content-type' })
}

/**
 * The field `model` of a form, of an upload for example, and the form as a provider knows the model.
 * @throws InvalidRequest when it cannot be told
 */
const modelOfForm = async (
  call: Call,
  sent: Parametrised | undefined,
): Promise<Pick<PassThrough, 'model' | 'body'>> => {
  const { body } = call.request
  if (sent?.value === 'multipart/form-data') {
    const form = new FormReader(sent.parameters.get('boundary'), (part) => isNamed(part, 'model'))
    if (body.kind === 'streamed') return { ...defined({ model: await modelOfUpload(body, form) }) }
    const { bytes } = wholeBody(body)
    form.push(bytes)
    form.end()
    const model = multipartField(form.parts, 'model')
    if (model === undefined) return {}
    const bare = splitModel(model)?.model
    return bare === undefined ? { model } : { model, body: withMultipartField(bytes, form.parts, 'model', bare) }
  }
  if (sent?.value !== 'application/x-www-form-urlencoded' || body.kind === 'streamed') return {}
  // What begins like a JSON object was read as one.
  if (Object.keys(call.params).length > 0) return {}
  const text = Buffer.from(wholeBody(body).bytes).toString()
  const model = urlencodedField(text, 'model')
  if (model === undefined) return {}
  const bare = splitModel(model)?.model
  return bare === undefined ? { model } : { model, body: Buffer.from(withUrlencodedField(text, 'model', bare)) }
}

/**
 * The model of a form that streams, as its fields say it up to the first file; the form goes on with the name that the provider
 * knows. One that comes later is refused then: where the call goes is decided by it.
 */
const modelOfUpload = async (body: StreamedBody, form: FormReader): Promise<string | undefined> => {
  const isWhole = await body.readAhead((piece) => {
    form.push(piece)
    const isKnown = form.parts.some((part) => isNamed(part, 'model') && part.content !== undefined)
    return isKnown || (body.length !== undefined && form.parts.some(({ isFile }) => isFile))
  })
  if (isWhole) form.end()
  const { length } = form.parts
  if (form.parts.some((part) => isNamed(part, 'model') && part.content === undefined)) throw lateModel()
  const model = multipartField(form.parts, 'model')
  body.watch((piece) => {
    if (piece === undefined) form.end()
    else form.push(piece)
    if (form.parts.length > length && form.parts.slice(length).some((part) => isNamed(part, 'model'))) throw lateModel()
  })
  const bare = model === undefined ? undefined : splitModel(model)?.model
  if (bare !== undefined) body.ahead = withMultipartField(body.ahead, form.parts, 'model', bare)
  return model
}

const lateModel = (): InvalidRequest =>
  new InvalidRequest('The field `model` of a large form must be sent once, before its files.', { param: 'model' })

/**
 * The place of a call at its provider, with its query: for one of which nothing else is read.
 * @param path begins with `/`
 * @throws EgressRefused
 */
export const passedPlace = (call: Call, path: string): PassThrough => ({
  path: checkPath(path),
  isReference: true,
  query: passedQuery(call, undefined),
})

/** The query without the gateway's key, and with a model that the provider knows. All else stays as it was written. */
const passedQuery = (call: Call, model: string | undefined): string => {
  const { search } = call.request
  if (!search.includes('key=') && !search.includes('model=')) return search
  const keys = call.get(callerKeys)
  const pieces = search.slice(1).split('&')
  const kept = pieces.flatMap((piece) => {
    const [[name = '', value = ''] = []] = new URLSearchParams(piece)
    if ((name === 'key' || name === 'api-key') && keys.isGatewayKey(value)) return []
    return name === 'model' && model !== undefined && value !== model ? [`model=${encodeURIComponent(model)}`] : [piece]
  })
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}
