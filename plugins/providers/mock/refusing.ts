import { OVERLOADED } from './events.ts'
import type { FaultName } from './faults.ts'
import type { MockOptions } from './options.ts'
import { errorBody, jsonPlan, type Plan, textPlan } from './plan.ts'

const MEBIBYTE = 1024 ** 2

/** `type` and `code` of the reference's error bodies, by status. */
const STATUS_WORDS: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ['invalid_request_error', 'invalid_api_key'],
  403: ['invalid_request_error', 'forbidden'],
  404: ['invalid_request_error', 'model_not_found'],
  429: ['requests', 'rate_limit_exceeded'],
  503: ['server_error', 'service_unavailable'],
  529: ['overloaded_error', 'overloaded'],
}

const statusPlan = (status: number, headers: Readonly<Record<string, string>> = {}): Plan => {
  const [type, code] = STATUS_WORDS[status] ?? [status < 500 ? 'invalid_request_error' : 'server_error', null]
  return jsonPlan(status, errorBody(`The mock was asked for status ${status}.`, type, code), headers)
}

const JSON_TYPE = { 'content-type': 'application/json' }

const HTML_PAGE =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body>\r\n</html>\r\n'

/** Faults that answer something else than what was asked, whatever was asked. */
export const OTHER_ANSWERS: { readonly [Name in FaultName]?: (options: MockOptions) => Plan } = {
  'error-in-200': () => jsonPlan(200, OVERLOADED),
  'empty-choices': () =>
    jsonPlan(200, { id: 'chatcmpl-mock-empty', object: 'chat.completion', created: 0, model: 'mock', choices: [] }),
  'not-json': () => textPlan(200, 'upstream connect error or disconnect/reset before headers', JSON_TYPE),
  'empty-body': () => textPlan(200, '', JSON_TYPE),
  status: ({ status, retryAfter }) =>
    statusPlan(
      status ?? (retryAfter === undefined ? 500 : 429),
      retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    ),
  overloaded: () => statusPlan(529),
  'rate-limited': () =>
    statusPlan(429, { 'retry-after': '1', 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1s' }),
  'html-error': () => textPlan(502, HTML_PAGE, { 'content-type': 'text/html' }),
  'spend-cap': () =>
    jsonPlan(429, errorBody('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota')),
  'retry-after-ms': () => statusPlan(429, { 'retry-after-ms': '250' }),
  'retry-after-date': () => statusPlan(429, { 'retry-after': new Date(Date.now() + 2000).toUTCString() }),
  'retry-after-huge': () => statusPlan(429, { 'retry-after': '31536000' }),
  'retry-after-past': () => statusPlan(429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }),
  'retry-after-malformed': () => statusPlan(429, { 'retry-after': 'soon' }),
  'huge-body': ({ bytes }) => ({
    head: { status: 200, headers: JSON_TYPE },
    pieces: hugeJson(bytes ?? 60 * MEBIBYTE),
    ending: 'end',
  }),
  'not-http': () => ({ pieces: ['this is not HTTP\r\n\r\n'], ending: 'close' }),
  redirect: () => textPlan(302, '', { location: 'http://169.254.169.254/latest/meta-data/' }),
}

const PAGE = Buffer.alloc(64 * 1024, 'x')

/** A JSON object of so many bytes (and a few more), made piece by piece. */
export function* hugeJson(bytes: number): Generator<Uint8Array> {
  yield Buffer.from('{"padding":"')
  for (let left = bytes; left > 0; left -= PAGE.length) yield left < PAGE.length ? PAGE.subarray(0, left) : PAGE
  yield Buffer.from('"}')
}
