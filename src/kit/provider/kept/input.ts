import { type Line, LineTooLong, mapLines, readLines } from '../../../core/bodies/json-lines.ts'
import type { ReadyStream } from '../../../core/bodies/ready-stream.ts'
import { parseJson } from '../../../core/json/json-depth.ts'
import { isRecord } from '../../../core/json/record.ts'
import type { BodyStream } from '../../../core/ports.ts'
import { GatewayError, InvalidRequest } from '../../../errors/gateway-error.ts'
import type { Performing, TranslatedRequest } from '../exchange.ts'

type Fields = Readonly<Record<string, unknown>>

/** Bytes of the longest line of an input. */
const MAX_LINE_BYTES = 20 * 1024 * 1024
/** Bytes of lines after which others get their turn: reading what is in memory never waits. */
const TURN_BYTES = 256 * 1024

/** A request of a batch, as the client wrote it. */
export interface InputLine {
  /** From 1. */
  readonly number: number
  readonly customId: string
  /** Path of the call that it is: `/v1/chat/completions`. */
  readonly url: string
  readonly body: Fields
}

/** Kinds of call that lines may be, and the ids of their endpoints. */
const ENDPOINTS: ReadonlyMap<string, string> = new Map([
  ['/v1/chat/completions', 'chat'],
  ['/v1/completions', 'completions'],
  ['/v1/embeddings', 'embeddings'],
  ['/v1/moderations', 'moderations'],
])

/** Id of the endpoint whose calls the lines of a batch are; undefined where batches have no such lines. */
export const endpointOfLines = (url: string): string | undefined => ENDPOINTS.get(url)

/** What of a call is wrong with a line: the field that names the input. */
export type InputParam = 'file' | 'input_file_id'

const refused = (number: number, problem: string, param: InputParam): InvalidRequest =>
  new InvalidRequest(`Line ${number}: ${problem}`, { param })

const readLine = ({ number, bytes }: Line, param: InputParam): InputLine => {
  let line: unknown
  try {
    line = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw refused(number, 'it is not JSON.', param)
  }
  if (!isRecord(line)) throw refused(number, 'it is no JSON object.', param)
  const { custom_id: customId, method = 'POST', url = '/v1/chat/completions', body } = line
  if (typeof customId !== 'string' || customId === '') throw refused(number, '`custom_id` must be a text.', param)
  if (method !== 'POST') throw refused(number, '`method` must be `POST`.', param)
  if (typeof url !== 'string') throw refused(number, '`url` must be a text.', param)
  if (!isRecord(body)) throw refused(number, '`body` must be an object.', param)
  return { number, customId, url, body }
}

/**
 * Puts the request of a line into the words of the provider.
 * @param urls that its batches can have
 * @throws InvalidRequest naming the line
 */
export const translateLine = (
  { number, url, body }: InputLine,
  {
    translate,
    urls,
    param,
  }: Pick<Performing<string>, 'translate'> & {
    readonly urls: readonly string[]
    readonly param: InputParam
  },
): TranslatedRequest => {
  const endpoint = urls.includes(url) ? endpointOfLines(url) : undefined
  if (endpoint === undefined) throw refused(number, `\`url\` must be one of: ${urls.join(', ')}.`, param)
  let made: TranslatedRequest | undefined
  try {
    made = translate(endpoint, body)
  } catch (thrown) {
    if (thrown instanceof GatewayError) throw refused(number, thrown.message, param)
    throw thrown
  }
  if (made === undefined) throw refused(number, 'the provider cannot be asked for such a thing in a batch.', param)
  return made
}

/** What becomes of the lines of an input. */
export interface InputOptions {
  readonly param: InputParam
  /** The line that the provider gets. Called twice for each, so it must say the same again. */
  make(line: InputLine): Fields
  /** What stands in front of the lines, between them (beside the end that each has) and behind them. Default: nothing. */
  readonly frame?: { readonly head: string; readonly between: string; readonly tail: string }
}

/** An input that can be sent. */
export interface TranslatedInput {
  /** Lines in it. */
  readonly lines: number
  readonly length: number
  /** From its beginning; may be asked again. */
  open(): BodyStream
}

/**
 * Looks through an input first, so that the length of what is sent is known and nothing is sent of one that has a fault; what is sent
 * is made line by line once more, as it is read. Never more than one line of it is held.
 * @param open the client's, from its beginning
 * @throws InvalidRequest naming the line
 */
export const translatedInput = async (open: () => ReadyStream, options: InputOptions): Promise<TranslatedInput> => {
  const { param } = options
  const { head, between, tail } = options.frame ?? { head: '', between: '', tail: '' }
  let lines = 0
  let length = Buffer.byteLength(head) + Buffer.byteLength(tail)
  try {
    const turns = inTurns()
    for await (const line of readLines(open(), { maxLineBytes: MAX_LINE_BYTES })) {
      length += Buffer.byteLength(JSON.stringify(options.make(readLine(line, param)))) + 1
      if (lines++ > 0) length += Buffer.byteLength(between)
      await turns(line.bytes.length)
    }
  } catch (thrown) {
    throw thrown instanceof LineTooLong
      ? refused(thrown.line, `it is longer than ${MAX_LINE_BYTES} bytes.`, param)
      : thrown
  }
  if (lines === 0) throw new InvalidRequest('The file has no lines.', { param })
  return {
    lines,
    length,
    open() {
      const turns = inTurns()
      let made = 0
      const stream = mapLines(open(), { maxLineBytes: MAX_LINE_BYTES }, async (line) => {
        await turns(line.bytes.length)
        const text = JSON.stringify(options.make(readLine(line, param)))
        made++
        return `${made === 1 ? head : between}${text}${made === lines ? tail : ''}`
      })
      return { stream, length }
    },
  }
}

/** Lets others have their turn after each so many bytes. */
const inTurns = (): ((bytes: number) => Promise<void>) => {
  let done = 0
  return async (bytes) => {
    done += bytes
    if (done < TURN_BYTES) return
    done = 0
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

/** The first line of an input that lies with the provider, which is read no further. */
export const firstLine = async (stream: ReadyStream): Promise<Fields | undefined> => {
  for await (const { bytes } of readLines(stream, { maxLineBytes: MAX_LINE_BYTES })) {
    const line: unknown = parseJson(new TextDecoder().decode(bytes))
    return isRecord(line) ? line : undefined
  }
  return undefined
}
