import { expect, test } from 'bun:test'
import type { CallRecord } from '../core/records.ts'
import {
  COLUMN_NAMES,
  columnName,
  RECORD_COLUMNS,
  REQUIRED_COLUMNS,
  type StoredColumn,
  storedValue,
  toRecord,
} from './columns.ts'

const LEAST: CallRecord = {
  id: '0193f4a0-0000-7000-8000-000000000001',
  callId: '0193f4a0-0000-7000-8000-000000000001',
  kind: 'call',
  attempt: 0,
  time: 1_763_800_000_000_000,
  organisationId: 'organisation',
  workspaceId: 'workspace',
  traceId: 'trace',
  method: 'POST',
  path: '/v1/chat/completions',
  endpoint: 'chat',
  requestType: 'chatComplete',
  stream: false,
  status: 200,
  outcome: 'completed',
  success: true,
  attempts: 1,
  retries: 0,
  fallback: false,
  totalUs: 12_345,
  metadata: { team: 'red' },
}

/** As a store with columns for everything keeps it. */
const store = (record: CallRecord, json: (value: unknown) => unknown, flag: (value: unknown) => unknown) =>
  Object.fromEntries(
    (Object.keys(RECORD_COLUMNS) as StoredColumn[]).map((column) => {
      const value = storedValue(record, column)
      const kind = RECORD_COLUMNS[column]
      if (value === undefined) return [columnName(column), null]
      return [columnName(column), kind === 'json' ? json(value) : kind === 'flag' ? flag(value) : value]
    }),
  )

const FULL: CallRecord = {
  ...LEAST,
  isPassThrough: false,
  cost: { total: 10, input: 1, output: 2, cache: 3, other: 4 },
  unpriced: false,
  units: { web_search: 2 },
  refusedBy: ['limit'],
  savedCost: 0,
}

test.each([LEAST, FULL])(
  'a record is the same after it was stored: as texts of JSON and numbers, and as they are',
  (record) => {
    expect(toRecord(store(record, JSON.stringify, Number))).toEqual(record)
    expect(
      toRecord(
        store(
          record,
          (value) => value,
          (value) => value,
        ),
      ),
    ).toEqual(record)
  },
)

test('columns have the names of the record in snake case, and what a record must have is marked', () => {
  expect(COLUMN_NAMES).toContain('cached_input_tokens')
  expect(COLUMN_NAMES).toHaveLength(Object.keys(RECORD_COLUMNS).length)
  expect([...REQUIRED_COLUMNS].sort()).toEqual(Object.keys(LEAST).sort() as StoredColumn[])
})
