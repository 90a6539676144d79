import { batchLine } from '../calls/slots.ts'
import { collect } from '../core/bodies/answer.ts'
import { isRecord } from '../core/json/record.ts'
import { toEnvelope } from '../errors/envelope.ts'
import { FileNotFound, GatewayError, InternalError, InvalidApiKey, ShuttingDown } from '../errors/gateway-error.ts'
import {
  type OwnBatchLine,
  type OwnBatchRow,
  pauseBatch,
  releaseLine,
  storeResult,
} from '../store/objects/own-batches.ts'
import { type Asked, type BatchesContext, sealResult } from './context.ts'
import { backOffMs, mayPass, restMs } from './pace.ts'
import { answeredLine } from './result.ts'

/** Bytes of the longest answer of a line. */
const MAX_ANSWER_BYTES = 50 * 1024 * 1024
/** Times that processes may die over one line before it is given up. */
const MAX_CLAIMS = 50
/** Milliseconds until a line is taken again that nobody answered, because the gateway stops: it may be this process. */
const STOPPING_MS = 500

/** A line that this process has taken. */
export interface TakenLine {
  readonly line: OwnBatchLine
  readonly batch: OwnBatchRow
  readonly asked: Asked
  /** Id of the claim. */
  readonly by: string
}

interface Said {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/**
 * Asks for a line as its key would, and stores what came of it; or gives it back, to be asked again later.
 * @param signal aborted when this process stops
 */
export const runLine = async (context: BatchesContext, taken: TakenLine, signal: AbortSignal): Promise<void> => {
  const { batch, line, by } = taken
  const { db } = context.store
  const key = { batchId: batch.id, line: line.line, by }
  const said = line.claims > MAX_CLAIMS ? asSaid(gaveUp()) : await ask(context, taken, signal)
  // Nobody has said anything: the gateway stops.
  if (said === undefined) return await releaseLine(db, key, { afterMs: STOPPING_MS, isTry: false })
  const rest = restMs(batch, said.status, said.headers, context.bounds.reserve)
  if (rest !== undefined) await pauseBatch(db, batch.id, rest)
  // A limit that is used up is waited for, by a batch that has the time.
  const waits = said.status === 429 && batch.completionWindow === '24h'
  if (mayPass(said.status) && (waits || line.tries < context.bounds.retries)) {
    const afterMs = backOffMs(line.tries, said.headers, context.random())
    return await releaseLine(db, key, { afterMs, isTry: !waits })
  }
  const text = answeredLine(
    { id: `batch_req_${context.randomId().replaceAll('-', '')}`, customId: line.customId },
    { status_code: said.status, request_id: said.headers.get('x-request-id') ?? '', body: said.body },
  )
  const result = await sealResult(context, db, batch, line.line, text)
  await storeResult(db, key, { result, isOk: said.status >= 200 && said.status < 300 })
}

const gaveUp = (): GatewayError =>
  new InternalError('The line was given up: the gateway stopped each time that it was asked.')

/** @returns undefined when the gateway stops */
const ask = async (context: BatchesContext, taken: TakenLine, signal: AbortSignal): Promise<Said | undefined> => {
  const { batch, line, asked } = taken
  try {
    const body = await bodyOf(context, taken)
    const caller = await context.findKey(batch.apiKeyId)
    if (caller === undefined || caller.principal.workspaceId !== batch.workspaceId) {
      throw new InvalidApiKey('The key that this batch was made with is gone.')
    }
    const answer = await context.ask({
      path: batch.endpoint,
      headers: {
        ...asked.headers,
        'x-gateway-metadata': metadataOf(asked, batch.id, line.line),
        // Nobody's: who calls is known. With it a key in `authorization` is one of the provider.
        'x-gateway-api-key': context.randomId(),
      },
      body: Buffer.from(JSON.stringify(body)),
      mark: (call) => call.set(batchLine, { caller }),
      signal,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    })
    const said = { status: answer.status, headers: answer.headers, body: readAnswer(answer.body) }
    return signal.aborted || isOfShutdown(said) ? undefined : said
  } catch (thrown) {
    if (signal.aborted || thrown instanceof ShuttingDown) return undefined
    if (thrown instanceof GatewayError) return asSaid(thrown)
    context.log.warn('a line of a batch could not be asked for', {
      batch: batch.id,
      line: line.line,
      error: String(thrown),
    })
    return asSaid(new InternalError('The line could not be asked for.'))
  }
}

/** The call was ended because the gateway stops: nobody has answered it. */
const isOfShutdown = ({ status, body }: Said): boolean =>
  status === 503 && isRecord(body) && isRecord(body.error) && body.error.code === 'shutting_down'

/** The body of a line, as its file says it now. */
const bodyOf = async ({ files }: BatchesContext, { batch, line, asked }: TakenLine): Promise<object> => {
  const file = await files.find(batch.workspaceId, batch.inputFileId)
  if (file === undefined) throw new FileNotFound('The input file of the batch was deleted.')
  const bytes = await collect(files.open(file, { start: line.start, end: line.end - 1 }), line.end - line.start)
  const { body } = JSON.parse(Buffer.from(bytes).toString())
  return { ...asked.defaults, ...(isRecord(body) ? body : {}) }
}

/** The metadata of the batch's own calls, with what tells that they are. */
const metadataOf = ({ headers }: Asked, batch: string, line: number): string => {
  const said: unknown = JSON.parse(headers['x-gateway-metadata'] ?? '{}')
  return JSON.stringify({ ...(isRecord(said) ? said : {}), _batch: batch, _batch_line: String(line) })
}

const readAnswer = (bytes: Uint8Array): unknown => {
  const text = Buffer.from(bytes).toString()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What a client would have been told. */
const asSaid = (error: GatewayError): Said => ({
  status: error.status,
  headers: new Headers(),
  body: toEnvelope(error),
})
