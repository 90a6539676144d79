import { mapLines } from '../../../core/bodies/json-lines.ts'
import type { ReadyStream } from '../../../core/bodies/ready-stream.ts'
import { defined } from '../../../core/defined.ts'
import { parseJson } from '../../../core/json/json-depth.ts'
import { isRecord } from '../../../core/json/record.ts'
import { GatewayError, UpstreamInvalid } from '../../../errors/gateway-error.ts'
import type { Performing, TranslatedRequest } from '../exchange.ts'
import { wordOf } from '../fine-tuning/jobs.ts'
import { endpointOfLines } from './input.ts'
import type { KeptBatch } from './objects.ts'

type Fields = Readonly<Record<string, unknown>>

/** Bytes of the longest line of results. */
const MAX_LINE_BYTES = 50 * 1024 * 1024

/** What became of one request of a batch, as the provider says it. */
export interface BatchResult {
  readonly customId: string
  /** Id of the result; its place in the file stands in for it. */
  readonly id?: string | undefined
  readonly requestId?: string | undefined
  /** Absent for one that was never answered. */
  readonly status?: number | undefined
  /** A success in the words of the provider, which is translated; or an error in those of the reference. */
  readonly body?: unknown
  /** Why it was never answered. */
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

/**
 * Results in the reference form (`RequestOutput` of OpenAI's reference, "Batch", read 2026-11-22), line by line as they are read.
 * @param read the line of the provider @param answered makes a success the client's
 */
export const resultLines = (
  stream: ReadyStream,
  read: (line: Fields) => BatchResult,
  answered: (body: Fields) => Fields,
): ReadyStream =>
  mapLines(stream, { maxLineBytes: MAX_LINE_BYTES }, ({ bytes, number }) => {
    let line: unknown
    try {
      line = parseJson(new TextDecoder().decode(bytes))
    } catch {
      // Told below.
    }
    if (!isRecord(line)) throw new UpstreamInvalid(`Line ${number} of the results is no JSON object.`)
    const { customId, id = `batch_req_${number}`, requestId = '', status, body, error = null } = read(line)
    if (status === undefined) return JSON.stringify({ id, custom_id: customId, response: null, error })
    const response = (body: unknown) => ({ status_code: status, request_id: requestId, body })
    if (status < 200 || status > 299 || !isRecord(body)) {
      return JSON.stringify({ id, custom_id: customId, response: response(body ?? null), error })
    }
    try {
      return JSON.stringify({ id, custom_id: customId, response: response(answered(body)), error })
    } catch (thrown) {
      if (!(thrown instanceof GatewayError)) throw thrown
      // An answer that cannot be read is one result, and those behind it are others.
      const failure = { code: thrown.code, message: thrown.message }
      return JSON.stringify({ id, custom_id: customId, response: null, error: failure })
    }
  })

/** Reads a line whose envelope is the reference's, at least as far as its status and body; `error` may be a text. */
export const readResult = ({ id, custom_id: customId, response, error }: Fields): BatchResult => {
  const { status_code: status, body, request_id: requestId } = isRecord(response) ? response : ({} as Fields)
  return defined({
    customId: String(customId ?? ''),
    id: wordOf(id),
    requestId: wordOf(requestId),
    status: typeof status === 'number' ? status : undefined,
    body,
    error: error === null || error === undefined ? undefined : faultOf(error),
  })
}

const faultOf = (error: unknown): NonNullable<BatchResult['error']> => {
  const said = isRecord(error) ? error : {}
  const message = wordOf(error) ?? wordOf(said.message) ?? JSON.stringify(error)
  return { code: wordOf(said.code) ?? 'request_failed', message }
}

/** Stands for the request of a line, which nobody has any more: what its answer is read by besides its model is the same for all. */
const REQUESTS: Readonly<Record<string, Fields>> = {
  chat: { messages: [{ role: 'user', content: '-' }] },
  completions: { prompt: '-' },
  embeddings: { input: '-' },
  moderations: { input: '-' },
}

/** What has to be known of a batch to read its answers. */
export type AnsweredBatch = Pick<KeptBatch, 'endpoint' | 'model' | 'createdAt' | 'endedAt'>

/** Models of one output that are told apart at once. */
const MOST_MODELS = 100

/**
 * Makes the answers of lines those of the reference: the same ones whenever they are read.
 * @param batch whose lines they are: its `model` is that of answers that name none
 */
export const answersOf = (
  translate: Performing<string>['translate'],
  { endpoint: url, model = '', createdAt, endedAt = createdAt }: AnsweredBatch,
): ((body: Fields) => Fields) => {
  const byModel = new Map<string, TranslatedRequest | undefined>()
  const endpoint = endpointOfLines(url)
  return (body) => {
    const named = typeof body.model === 'string' && body.model !== '' ? body.model : model
    if (!byModel.has(named)) {
      if (byModel.size === MOST_MODELS) byModel.clear()
      const request = endpoint === undefined ? undefined : REQUESTS[endpoint]
      byModel.set(
        named,
        endpoint === undefined || request === undefined ? undefined : translate(endpoint, { model: named, ...request }),
      )
    }
    // What has no form of its own here is the reference's.
    const reply = byModel.get(named)?.reply(body).reply ?? body
    // Where the provider names no time, translating gives that of now.
    return typeof reply.created === 'number' && reply.created !== body.created ? { ...reply, created: endedAt } : reply
  }
}
