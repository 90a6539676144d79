import { LineTooLong, readLines } from '../core/bodies/json-lines.ts'
import { parseJson } from '../core/json/json-depth.ts'
import { isRecord } from '../core/json/record.ts'
import type { BatchError } from '../kit/own-batches.ts'
import {
  beginBatch,
  clearLines,
  endBatch,
  insertLines,
  type NewLine,
  type OwnBatchRow,
  releaseBatch,
} from '../store/objects/own-batches.ts'
import type { BatchesContext } from './context.ts'

/** Lines that are stored in one step. */
const AT_ONCE = 500
/** Faults that are told of one batch. */
const MAX_ERRORS = 100
const MAX_ID_CHARACTERS = 512

/**
 * Looks through the input of a batch and makes its lines ready, or says what is wrong with it. Stops without a word where the batch
 * was cancelled or taken over meanwhile.
 * @param forMs milliseconds that it stays with this process from each step on
 */
export const validateBatch = async (
  context: BatchesContext,
  batch: OwnBatchRow,
  { by, forMs }: { readonly by: string; readonly forMs: number },
): Promise<void> => {
  const { db } = context.store
  const { id, workspaceId, inputFileId } = batch
  const mine = { id, by, forMs }
  const fail = async (errors: readonly BatchError[]): Promise<void> => {
    const isFailed = await endBatch(db, { id, by, status: 'validating' }, { status: 'failed', errors })
    if (!isFailed) await letGo(context, batch, by)
  }
  // Takes the claim on as well: who had it before inserts no more.
  if (!(await insertLines(db, mine, []))) return
  await clearLines(db, id)
  const file = await context.files.find(workspaceId, inputFileId)
  if (file === undefined) return fail([{ code: 'file_not_found', message: 'The input file is gone.' }])
  const seen = new Map<string, number>()
  const errors: BatchError[] = []
  let waiting: NewLine[] = []
  const { maxLineBytes, maxLines } = context.bounds
  try {
    for await (const { number, offset, bytes } of readLines(context.files.open(file), { maxLineBytes })) {
      if (seen.size === maxLines) {
        errors.push({ code: 'too_many_tasks', message: `A batch may have ${maxLines} lines.`, line: number })
        break
      }
      const found = readLine(bytes, batch.endpoint, seen)
      if ('code' in found) errors.push({ param: null, ...found, line: number })
      else {
        seen.set(found.customId, number)
        waiting.push({ line: number, customId: found.customId, start: offset, end: offset + bytes.length })
      }
      if (errors.length === MAX_ERRORS) break
      if (waiting.length < AT_ONCE) continue
      if (errors.length === 0 && !(await insertLines(db, mine, waiting))) return await letGo(context, batch, by)
      waiting = []
    }
  } catch (thrown) {
    if (!(thrown instanceof LineTooLong)) throw thrown
    const message = `The line is longer than ${maxLineBytes} bytes.`
    errors.push({ code: 'line_too_long', message, line: thrown.line })
  }
  if (errors.length === 0 && seen.size === 0)
    errors.push({ code: 'empty_file', message: 'The input file has no lines.' })
  if (errors.length > 0) return await fail(errors)
  if (!(await insertLines(db, mine, waiting))) return await letGo(context, batch, by)
  if (!(await beginBatch(db, mine))) await letGo(context, batch, by)
}

/** It was cancelled: whoever comes next finishes it. */
const letGo = async ({ store }: BatchesContext, { id }: OwnBatchRow, by: string): Promise<void> => {
  await releaseBatch(store.db, id, by, 0)
}

type Fault = Pick<BatchError, 'code' | 'message' | 'param'>

/** @param seen numbers of lines by their `custom_id` */
const readLine = (
  bytes: Uint8Array,
  endpoint: string,
  seen: ReadonlyMap<string, number>,
): { readonly customId: string } | Fault => {
  let line: unknown
  try {
    line = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return { code: 'invalid_json_line', message: 'The line is not JSON.' }
  }
  if (!isRecord(line)) return { code: 'invalid_json_line', message: 'The line is no JSON object.' }
  const { custom_id: customId, method = 'POST', url, body } = line
  if (typeof customId !== 'string' || customId === '' || customId.length > MAX_ID_CHARACTERS) {
    return fault('custom_id', 'missing_custom_id', `must be a text of 1 to ${MAX_ID_CHARACTERS} characters`)
  }
  const before = seen.get(customId)
  if (before !== undefined) return fault('custom_id', 'duplicate_custom_id', `is that of line ${before} too`)
  if (method !== 'POST') return fault('method', 'invalid_method', 'must be `POST`')
  if (url !== endpoint) return fault('url', 'invalid_url', `must be the endpoint of the batch, \`${endpoint}\``)
  if (!isRecord(body)) return fault('body', 'invalid_body', 'must be an object')
  if (body.stream === true) return fault('body.stream', 'invalid_body', 'cannot be true: a batch has no streams')
  return { customId }
}

const fault = (param: string, code: string, problem: string): Fault => ({
  param,
  code,
  message: `\`${param}\` ${problem}.`,
})
