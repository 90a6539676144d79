import { createBoundedMap } from '../../core/bounded-map.ts'
import type { HeaderFields } from '../../core/header-fields.ts'
import { masked } from './secrets.ts'

/** Names of headers, parameters and fields whose values are credentials, or hold some. */
const CREDENTIAL =
  /authorization|cookie|api-?key|access-?key|private-?key|secret|password|service-account|(?:^|-)(?:token|auth|credentials?|signature|sig)$|(?<!virtual|idempotency|websocket)-key$|^key$/

/** Names that were looked at: clients have a few dozen. */
const known = createBoundedMap<string, boolean>(1_000)

const isCredential = (name: string): boolean => {
  const found = known.get(name)
  if (found !== undefined) return found
  const is = CREDENTIAL.test(name.toLowerCase().replaceAll('_', '-'))
  if (name.length <= 64) known.set(name, is)
  return is
}

/** Scheme of `Authorization`, which is no secret. */
const SCHEME = /^(?:bearer|basic|key|token)\s+/i

/** In the list of WebSocket protocols a browser can only send a key so. */
const KEY_PROTOCOL = /(openai-insecure-api-key\.)([^,\s]+)/g

/** Values of fields that hold credentials, in JSON that stands in a header. */
const JSON_FIELD = /("([\w-]{1,100})"\s{0,8}:\s{0,8}")((?:[^"\\]|\\.)+)(?=")/g

/**
 * The fields of a message with their credentials masked: first two and last three characters are left.
 * @param secrets known ones; takes the credentials that are found, for those who look for them elsewhere
 */
export const maskedHeaders = (fields: Pick<HeaderFields, 'forEach'>, secrets: Set<string>): Record<string, string> => {
  const shown: Record<string, string> = {}
  fields.forEach((value, name) => {
    shown[name] =
      isCredential(name) || secrets.has(value) ? maskedCredential(value, secrets) : maskedValue(value, secrets)
  })
  return shown
}

/** Shorter ones are words that any text may hold. Characters. */
const LEAST_SECRET = 8

const maskedCredential = (value: string, secrets: Set<string>): string => {
  const [scheme = ''] = SCHEME.exec(value) ?? []
  const secret = value.slice(scheme.length)
  if (secret.length >= LEAST_SECRET) secrets.add(secret)
  return scheme + masked(secret)
}

const maskedValue = (value: string, secrets: Set<string>): string => {
  if (value.startsWith('{')) return maskedFields(value, secrets)
  if (!value.includes('openai-insecure-api-key.')) return value
  return value.replaceAll(KEY_PROTOCOL, (_, prefix: string, key: string) => prefix + maskedCredential(key, secrets))
}

/** JSON whose fields that hold credentials are masked. */
export const maskedFields = (json: string, secrets: Set<string>): string =>
  json.replaceAll(JSON_FIELD, (field, name: string, bare: string, value: string) =>
    isCredential(bare) ? name + maskedCredential(value, secrets) : field,
  )

/** A path or URL whose query has its credentials masked. */
export const maskedUrl = (url: string): string => {
  const at = url.indexOf('?')
  if (at === -1) return url
  const query = url.slice(at + 1).split('&')
  return `${url.slice(0, at)}?${query.map(maskedParameter).join('&')}`
}

const maskedParameter = (parameter: string): string => {
  const [name = '', ...value] = parameter.split('=')
  return isCredential(name) || /^x-(?:amz|goog)-(?:signature|credential|security-token)$/i.test(name)
    ? `${name}=${masked(value.join('='))}`
    : parameter
}
