import { type CheckInput, InvalidParameters, isRecord, t } from '#kit'
import { asOne } from './excerpt.ts'

/** What a service is told of a call: the form of the counterpart's webhooks (Portkey's documentation, read 2026-11-23). */
export const contextOf = (input: CheckInput) => {
  const { request, json, status, isTransformed, isStreamed } = input
  const isInput = input.stage === 'input'
  const text = asOne(input)
  return {
    request: {
      json: isInput ? json : request.json,
      text: isInput ? text : request.texts.join('\n'),
      isStreamingRequest: isStreamed,
      isTransformed: isInput && isTransformed,
    },
    response: {
      json: isInput ? {} : json,
      text: isInput ? '' : text,
      statusCode: isInput ? null : (status ?? null),
      isTransformed: !isInput && isTransformed,
    },
    provider: input.provider,
    requestType: input.requestType,
    metadata: input.metadata,
    eventType: isInput ? 'beforeRequestHook' : 'afterRequestHook',
  }
}

/** Headers for a service: an object, or one as JSON. */
export const HEADERS = t.Optional(t.Union([t.Record(t.String(), t.String()), t.String()]))

const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** @throws InvalidParameters naming the header, and never saying its value */
export const readHeaders = (
  given: Readonly<Record<string, string>> | string | undefined,
): Readonly<Record<string, string>> => {
  const headers: unknown = typeof given === 'string' ? parse(given) : (given ?? {})
  if (!isRecord(headers)) throw new InvalidParameters([{ path: 'headers', message: 'must be a JSON object' }])
  const entries = Object.entries(headers)
  const wrong = entries.find(([name, value]) => !NAME.test(name) || typeof value !== 'string' || !VALUE.test(value))
  if (wrong !== undefined) {
    throw new InvalidParameters([{ path: `headers.${wrong[0]}`, message: 'cannot be sent as a header' }])
  }
  return Object.fromEntries(entries) as Readonly<Record<string, string>>
}

const parse = (text: string): unknown => {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws InvalidParameters for anything but an http(s) URL without a login in it */
export const checkUrl = (url: string, path: string): void => {
  const parsed = URL.parse(url)
  const isFit = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === ''
  if (!isFit) throw new InvalidParameters([{ path, message: 'must be an http or https URL, without a login in it' }])
}

/** A URL for people: what stands behind its path may be secret. */
export const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
