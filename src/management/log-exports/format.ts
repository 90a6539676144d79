import type { BodySide, CallRecord } from '../../core/records.ts'
import type { OpenedMessage } from '../../records/seals.ts'
import type { LogExport } from '../../store/objects/log-exports.ts'
import { RECORD_FIELDS } from '../logs/fields.ts'

/** Fields that an export can have (behaviours, section 7.4). */
export const EXPORT_FIELDS = [
  ...Object.keys(RECORD_FIELDS),
  'metadata',
  'hook_results',
  'request',
  'response',
] as readonly string[]

/** Of them, those that are in bodies. */
const BODY_FIELDS: ReadonlyMap<string, BodySide> = new Map([
  ['request', 'request'],
  ['response', 'answer'],
])
export const hasBodies = (fields: readonly string[]): boolean => fields.some((field) => BODY_FIELDS.has(field))

type Wanted = Pick<LogExport, 'format' | 'requestedData'>

/** What stands before the rows. */
export const headOf = ({ format, requestedData }: Wanted): string =>
  format === 'csv' ? `${requestedData.map(toCell).join(',')}\r\n` : ''

/** One row, with the end of its line. */
export const lineOf = (
  { format, requestedData }: Wanted,
  record: CallRecord,
  messages: readonly OpenedMessage[] | undefined,
): string => {
  const values = requestedData.map((field) => [field, valueOfField(field, record, messages)] as const)
  return format === 'csv'
    ? `${values.map(([, value]) => toCell(value)).join(',')}\r\n`
    : `${JSON.stringify(Object.fromEntries(values))}\n`
}

const FIELDS: Readonly<Record<string, (record: CallRecord) => unknown>> = RECORD_FIELDS

const valueOfField = (field: string, record: CallRecord, messages: readonly OpenedMessage[] | undefined): unknown => {
  if (field === 'metadata') return record.metadata
  if (field === 'hook_results') return record.hookResults ?? null
  const wanted = BODY_FIELDS.get(field)
  if (wanted === undefined) return FIELDS[field]?.(record) ?? null
  const message = messages?.find(({ side }) => side === wanted)
  return message === undefined ? null : toMessage(message)
}

const toMessage = ({ url, method, status, headers, body, truncated }: OpenedMessage): object => ({
  ...(url !== undefined && { url }),
  ...(method !== undefined && { method }),
  ...(status !== undefined && { status }),
  headers,
  body: body === undefined ? null : toBody(body),
  ...(truncated === true && { truncated }),
})

/** A body that is JSON as what it says, any other as its text. */
const toBody = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A cell of RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe before it. */
const toCell = (value: unknown): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
