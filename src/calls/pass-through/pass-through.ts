import type { Call } from '../../core/call.ts'
import { EgressRefused, InvalidRequest, WebsocketUnsupported } from '../../errors/gateway-error.ts'
import type { PassThrough } from '../../kit/slots.ts'
import { MAX_MODEL_CHARACTERS, splitModel } from '../config/model-name.ts'
import { callerKeys } from '../slots.ts'
import { multipartField, urlencodedField, withMultipartField, withUrlencodedField } from './form-fields.ts'
import { readMultipart } from './multipart.ts'
import { type Parametrised, readParametrised } from './parametrised.ts'

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

/** As the most lenient server reads it: decoded, and with letters of other scripts as those they stand for. */
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
export const readPassThrough = (
  call: Call,
  place: Pick<PassThrough, 'path' | 'model' | 'vendor' | 'host'>,
): PassThrough => {
  const { method, headers, body, search } = call.request
  if (headers.get('upgrade') !== null) {
    throw new WebsocketUnsupported('WebSockets and other upgrades are not passed on: use HTTP.')
  }
  if ((method === 'GET' || method === 'HEAD') && body.bytes.length > 0) {
    throw new InvalidRequest(`A ${method} request with a body cannot be passed on.`)
  }
  const form = modelOfForm(call, bodyTypeOf(call))
  const inQuery = bareModel(urlencodedField(search.slice(1), 'model'))
  const inBody = bareModel(form.model ?? call.params.model)
  if (inQuery !== undefined && inBody !== undefined && inBody !== inQuery) {
    throw new InvalidRequest('The query names another `model` than the body.', { param: 'model' })
  }
  if ((inQuery ?? inBody ?? '').length > MAX_MODEL_CHARACTERS) {
    throw new InvalidRequest(`\`model\` must have at most ${MAX_MODEL_CHARACTERS} characters.`, { param: 'model' })
  }
  return { ...place, ...form, query: passedQuery(call, inQuery) }
}

/** A model without a provider in front of it. */
const bareModel = (model: unknown): string | undefined =>
  typeof model === 'string' ? (splitModel(model)?.model ?? model) : undefined

/** Whether a call passes through and asks no model: it reads or deletes a file, a batch, a stored answer, a list. */
export const asksNoModel = ({ endpoint, request }: Call): boolean =>
  endpoint.form === undefined && METHODS_WITHOUT_MODEL.has(request.method)

const METHODS_WITHOUT_MODEL: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])

/**
 * What a body is said to be.
 * @throws InvalidRequest for a `Content-Type` that could be read as another one
 */
const bodyTypeOf = ({ request: { headers, body } }: Call): Parametrised | undefined => {
  const header = headers.get('content-type')
  if (header === null || body.bytes.length === 0) return undefined
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
const modelOfForm = (call: Call, sent: Parametrised | undefined): Pick<PassThrough, 'model' | 'body'> => {
  const { bytes } = call.request.body
  switch (sent?.value) {
    case 'multipart/form-data': {
      const parts = readMultipart(bytes, sent.parameters.get('boundary'))
      const model = multipartField(parts, 'model')
      if (model === undefined) return {}
      const bare = splitModel(model)?.model
      return bare === undefined ? { model } : { model, body: withMultipartField(bytes, parts, 'model', bare) }
    }
    case 'application/x-www-form-urlencoded': {
      // What begins like a JSON object was read as one.
      if (Object.keys(call.params).length > 0) return {}
      const text = Buffer.from(bytes).toString()
      const model = urlencodedField(text, 'model')
      if (model === undefined) return {}
      const bare = splitModel(model)?.model
      return bare === undefined ? { model } : { model, body: Buffer.from(withUrlencodedField(text, 'model', bare)) }
    }
    default:
      return {}
  }
}

/** The query without the gateway's key, and with a model that the provider knows. All else stays as it was written. */
const passedQuery = (call: Call, model: string | undefined): string => {
  const { search } = call.request
  if (!search.includes('key=') && !search.includes('model=')) return search
  const keys = call.get(callerKeys)
  const pieces = search.slice(1).split('&')
  const kept = pieces.flatMap((piece) => {
    const [[name = '', value = ''] = []] = new URLSearchParams(piece)
    if (name === 'key' && keys.isGatewayKey(value)) return []
    return name === 'model' && model !== undefined && value !== model ? [`model=${encodeURIComponent(model)}`] : [piece]
  })
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}
