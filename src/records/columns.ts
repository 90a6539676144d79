import type { CallRecord } from '../core/records.ts'
import type { RecordColumn } from './question.ts'

/** What a column holds. `json`: a list or a map that is not asked for by its parts, but for `metadata`. */
export type ColumnKind = 'text' | 'integer' | 'flag' | 'json'

/** A column of records in a store: those that questions name, and the lists and maps beside them. */
export type StoredColumn =
  | RecordColumn
  | 'metadata'
  | 'units'
  | 'refusedBy'
  | 'shadowRefusals'
  | 'droppedParams'
  | 'hookResults'

/** Each column of records with what it holds, in the order in which tables have them. */
export const RECORD_COLUMNS = {
  id: 'text',
  callId: 'text',
  kind: 'text',
  attempt: 'integer',
  time: 'integer',
  organisationId: 'text',
  workspaceId: 'text',
  apiKeyId: 'text',
  userId: 'text',
  traceId: 'text',
  spanId: 'text',
  parentSpanId: 'text',
  spanName: 'text',
  method: 'text',
  path: 'text',
  sentUrl: 'text',
  endpoint: 'text',
  requestType: 'text',
  isPassThrough: 'flag',
  stream: 'flag',
  provider: 'text',
  storedProvider: 'text',
  modelAsked: 'text',
  model: 'text',
  configId: 'text',
  configSlug: 'text',
  configVersionId: 'text',
  mode: 'text',
  optionPath: 'text',
  promptId: 'text',
  promptSlug: 'text',
  promptVersionId: 'text',
  status: 'integer',
  outcome: 'text',
  success: 'flag',
  errorCode: 'text',
  errorMessage: 'text',
  attempts: 'integer',
  retries: 'integer',
  fallback: 'flag',
  cacheStatus: 'text',
  savedCost: 'integer',
  savedTokens: 'integer',
  inputTokens: 'integer',
  outputTokens: 'integer',
  totalTokens: 'integer',
  cachedInputTokens: 'integer',
  cacheWriteTokens: 'integer',
  reasoningTokens: 'integer',
  audioInputTokens: 'integer',
  audioOutputTokens: 'integer',
  imageInputTokens: 'integer',
  imageOutputTokens: 'integer',
  units: 'json',
  estimated: 'flag',
  cost: 'integer',
  costInput: 'integer',
  costOutput: 'integer',
  costCache: 'integer',
  costOther: 'integer',
  unpriced: 'flag',
  priceId: 'text',
  totalUs: 'integer',
  firstByteUs: 'integer',
  parsingUs: 'integer',
  beforeUs: 'integer',
  cacheUs: 'integer',
  upstreamUs: 'integer',
  afterUs: 'integer',
  refusedBy: 'json',
  shadowRefusals: 'json',
  droppedParams: 'json',
  metadata: 'json',
  bytesIn: 'integer',
  bytesOut: 'integer',
  sdk: 'text',
  runtime: 'text',
  hasBodies: 'flag',
  hookResults: 'json',
} as const satisfies Record<StoredColumn, ColumnKind>

/** Columns that have a value in each record. */
export const REQUIRED_COLUMNS: ReadonlySet<StoredColumn> = new Set<StoredColumn>([
  'id',
  'callId',
  'kind',
  'attempt',
  'time',
  'organisationId',
  'workspaceId',
  'traceId',
  'method',
  'path',
  'endpoint',
  'requestType',
  'stream',
  'status',
  'outcome',
  'success',
  'attempts',
  'retries',
  'fallback',
  'totalUs',
  'metadata',
])

/** The same name in a store: `callId` is `call_id`. */
export const columnName = (column: string): string => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const NAMES: readonly (readonly [StoredColumn, string])[] = (Object.keys(RECORD_COLUMNS) as StoredColumn[]).map(
  (column) => [column, columnName(column)],
)

/** Names of all columns in a store, in their order. */
export const COLUMN_NAMES: readonly string[] = NAMES.map(([, name]) => name)

/** Whether each column of something that came from elsewhere holds what it is to hold. */
export const isSoundRecord = (given: object): boolean =>
  (Object.entries(RECORD_COLUMNS) as [StoredColumn, ColumnKind][]).every(([column, kind]) => {
    const value = storedValue(given as CallRecord, column)
    return value === undefined ? !REQUIRED_COLUMNS.has(column) : IS_KIND[kind](value)
  })

const IS_KIND: Readonly<Record<ColumnKind, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  flag: (value) => typeof value === 'boolean',
  json: (value) => typeof value === 'object' && value !== null,
}

/** A row of a store by names of columns; nothing is null. Flags may come as 0 and 1. */
export type StoredRow = Readonly<Record<string, unknown>>

/** Value of a column in a record, undefined where it has none. Lists and maps as they are. */
export const storedValue = (record: CallRecord, column: StoredColumn): unknown => {
  switch (column) {
    case 'cost':
      return record.cost?.total
    case 'costInput':
      return record.cost?.input
    case 'costOutput':
      return record.cost?.output
    case 'costCache':
      return record.cost?.cache
    case 'costOther':
      return record.cost?.other
    default:
      return record[column]
  }
}

/** The record that a row of a store is. Lists and maps may be texts of JSON. */
export const toRecord = (row: StoredRow): CallRecord => {
  const record: Record<string, unknown> = {}
  for (const [column, name] of NAMES) {
    const value = row[name]
    if (value === null || value === undefined || column.startsWith('cost')) continue
    record[column] = fromStored(RECORD_COLUMNS[column], value)
  }
  if (row.cost !== null && row.cost !== undefined) {
    record.cost = {
      total: Number(row.cost),
      input: Number(row.cost_input ?? 0),
      output: Number(row.cost_output ?? 0),
      cache: Number(row.cost_cache ?? 0),
      other: Number(row.cost_other ?? 0),
    }
  }
  // Each column of the type is there: `RECORD_COLUMNS` names them all.
  return record as unknown as CallRecord
}

const fromStored = (kind: ColumnKind, value: unknown): unknown => {
  if (kind === 'integer') return Number(value)
  if (kind === 'flag') return value === true || value === 1 || value === 1n
  return kind === 'json' && typeof value === 'string' ? JSON.parse(value) : value
}
