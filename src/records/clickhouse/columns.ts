import { type ColumnKind, RECORD_COLUMNS, REQUIRED_COLUMNS, type StoredColumn } from '../columns.ts'

/** Texts of which there are few: kept as numbers of a dictionary. */
const FEW: ReadonlySet<StoredColumn> = new Set<StoredColumn>([
  'kind',
  'organisationId',
  'workspaceId',
  'apiKeyId',
  'method',
  'endpoint',
  'requestType',
  'provider',
  'storedProvider',
  'modelAsked',
  'model',
  'configId',
  'configSlug',
  'configVersionId',
  'mode',
  'promptId',
  'promptSlug',
  'promptVersionId',
  'outcome',
  'errorCode',
  'cacheStatus',
  'priceId',
  'sdk',
  'runtime',
])

/** Lists and maps are texts of JSON, but for the one that is asked for by its keys. */
const PLAIN: Readonly<Record<ColumnKind, string>> = { text: 'String', integer: 'Int64', flag: 'Bool', json: 'String' }

/** Type of a column of records. */
export const typeOf = (column: StoredColumn): string => {
  if (column === 'metadata') return 'Map(String, String)'
  const plain = PLAIN[RECORD_COLUMNS[column]]
  const type = REQUIRED_COLUMNS.has(column) ? plain : `Nullable(${plain})`
  return FEW.has(column) ? `LowCardinality(${type})` : type
}
