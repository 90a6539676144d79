import {
  type CheckInput,
  type CheckResponse,
  type CheckVerdict,
  defineCheck,
  defined,
  InvalidParameters,
  isRecord,
  type PreparedCheck,
  parseJson,
  t,
} from '#kit'
import { checkUrl, contextOf, HEADERS, readHeaders, withoutQuery } from '../shared/context.ts'
import { asError, GRACE_MS, inTime } from '../shared/in-time.ts'

/** Bytes of an answer, at most: it may hold a whole body. */
const MAX_BYTES = 16 * 1024 * 1024

/** Characters of the data in an answer, at most. */
const MAX_DATA = 10_000

/** Kinds of call that have texts; calls to a provider's own paths are looked at only where that is asked for. */
const KINDS: ReadonlySet<string> = new Set([
  'chatComplete',
  'complete',
  'embed',
  'messages',
  'createModelResponse',
  'generateContent',
  'embedContent',
  'batchEmbedContents',
])

const SECRET_NAMES = /authorization|cookie|token|secret|password|credential|api-?key|virtual-key|-config$|-keys?$/i

export const webhook = defineCheck({
  id: 'default.webhook',
  summary: 'Passes when a service of yours says so. It may change what is asked or answered.',
  parameters: t.Object({
    webhookURL: t.String({ minLength: 1 }),
    headers: HEADERS,
    timeout: t.Integer({ minimum: 1, maximum: 50_000, default: 3_000, description: 'Milliseconds.' }),
    failOnError: t.Boolean({ default: false }),
    forwardHeaders: t.Optional(t.Array(t.String({ minLength: 1 }))),
    executeOnProxy: t.Boolean({ default: false }),
  }),
  stages: ['input', 'output'],
  reads: 'request',
  needs: ['fetch'],
  prepare({ webhookURL, headers, timeout, failOnError, forwardHeaders = [], executeOnProxy }): PreparedCheck {
    checkUrl(webhookURL, 'webhookURL')
    const own = readHeaders(headers)
    checkForwarded(forwardHeaders)
    const where = { webhookUrl: withoutQuery(webhookURL), requestContext: { timeout } }
    return {
      deadlineMs: timeout + GRACE_MS,
      failsClosed: failOnError,
      async run(input, powers) {
        if (!isLookedAt(input, executeOnProxy)) return { verdict: true }
        try {
          const sent = { ...forwarded(input, forwardHeaders), ...own, 'content-type': 'application/json' }
          const request = { method: 'POST', headers: sent, body: contextOf(input), maxBytes: MAX_BYTES }
          const answer = readAnswer(await inTime(powers.fetch(webhookURL, request), timeout))
          return verdictOf(answer, input, where)
        } catch (thrown) {
          const error = asError(thrown)
          const data = { verdict: !failOnError, explanation: 'The webhook could not be asked.', ...where }
          return { verdict: !failOnError, error, data }
        }
      },
    }
  },
})

const isLookedAt = ({ requestType }: CheckInput, executeOnProxy: boolean): boolean => {
  const kind = requestType.replace(/^stream-/, '')
  return KINDS.has(kind) || (executeOnProxy && kind === 'proxy')
}

const checkForwarded = (names: readonly string[]): void => {
  const index = names.findIndex((name) => SECRET_NAMES.test(name))
  if (index === -1) return
  throw new InvalidParameters([
    { path: `forwardHeaders[${index}]`, message: 'names a header that may hold credentials' },
  ])
}

const forwarded = ({ headers }: CheckInput, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name.toLowerCase(), value]]
    }),
  )

type Fields = Readonly<Record<string, unknown>>

/** @throws Error for anything but a verdict */
const readAnswer = (response: CheckResponse): Fields & { readonly verdict: boolean } => {
  if (response.status < 200 || response.status > 299) throw new Error(`the webhook answered ${response.status}`)
  const answer = parse(response.text())
  if (!isRecord(answer) || typeof answer.verdict !== 'boolean') {
    throw new Error('the webhook must answer with a JSON object that has a `verdict`: true or false')
  }
  return { ...answer, verdict: answer.verdict }
}

const parse = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const verdictOf = (
  { verdict, data, transformedData }: Fields & { readonly verdict: boolean },
  { stage, isStreamed }: CheckInput,
  where: object,
): CheckVerdict => {
  const changed = isRecord(transformedData) ? transformedData[stage === 'input' ? 'request' : 'response'] : undefined
  const json = isRecord(changed) && isRecord(changed.json) ? changed.json : undefined
  return {
    verdict,
    // A stream has no whole body to put another one in the place of.
    ...defined({ json: stage === 'output' && isStreamed ? undefined : json }),
    data: {
      verdict,
      explanation: verdict ? 'The webhook lets it pass.' : 'The webhook refuses it.',
      ...where,
      ...defined({ responseData: small(data) }),
    },
  }
}

const small = (data: unknown): unknown => {
  const text = data === undefined ? '' : JSON.stringify(data)
  return text.length > MAX_DATA ? `${text.slice(0, MAX_DATA)}...` : data
}
