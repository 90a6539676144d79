import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { startClickhouse, type TestClickhouse } from '../../../test/support/clickhouse/clickhouse.ts'
import {
  batchOf,
  DAY_US,
  HOUR_US,
  SAMPLE_ORGANISATION,
  SAMPLE_START,
  SAMPLE_WORKSPACES,
  sampleFeedback,
  sampleRecords,
} from '../../../test/support/records/samples.ts'
import type { CallRecord } from '../../core/records.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import { rejection } from '../../store/testing.ts'
import type { Question } from '../question.ts'
import { BatchRefused, type RecordReader, type RecordWriter, type RetentionRules } from '../store.ts'
import { openClickhouseReader, openClickhouseWriter } from './index.ts'
import { schemaStatements } from './schema.ts'

/** An engine that shares its machine with other tests. */
const SLOW_MS = 60_000
const NOW_MS = (SAMPLE_START + 3 * DAY_US) / 1_000
const KEPT: RetentionRules = { fallback: { days: 300, bodyDays: 300 }, workspaces: new Map() }

let server: TestClickhouse
let rules = KEPT
const opened: { close(): Promise<void> }[] = []
beforeAll(async () => {
  server = await startClickhouse()
}, SLOW_MS)
afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()))
  await server.close()
})

const keep = <T extends { close(): Promise<void> }>(each: T): T => {
  opened.push(each)
  return each
}
const placeOf = (database: string) => ({ database, replicated: false })
const writerOf = (database: string): RecordWriter =>
  keep(openClickhouseWriter({ url: server.url, place: placeOf(database) }))
const readerOf = (database: string): RecordReader =>
  keep(
    openClickhouseReader({
      url: server.url,
      place: placeOf(database),
      rules: () => rules,
      now: () => NOW_MS,
      deadlineMs: 20_000,
      settleMs: 0,
    }),
  )

/** Of all records: from sums where whole days are asked for, else from records. */
const total = (bucket: number): Question => ({
  from: 'calls',
  filter: { organisationId: SAMPLE_ORGANISATION, from: SAMPLE_START, to: SAMPLE_START + 3 * DAY_US, where: [] },
  groups: [{ as: 'time', bucket }],
  measures: [
    { as: 'count', count: true },
    { as: 'cost', sum: 'cost' },
  ],
})
const UNEVEN = HOUR_US / 8

const counted = (records: readonly CallRecord[]): readonly CallRecord[] =>
  records.filter(({ kind, organisationId }) => kind !== 'attempt' && organisationId === SAMPLE_ORGANISATION)

const totals = async (reader: RecordReader, bucket: number): Promise<readonly number[]> => {
  const { rows } = await reader.ask(total(bucket))
  return ['count', 'cost'].map((name) => rows.reduce((sum, row) => sum + Number(row[name]), 0))
}
const totalsOf = (records: readonly CallRecord[]): readonly number[] => {
  const all = counted(records)
  return [all.length, all.reduce((sum, { cost }) => sum + (cost?.total ?? 0), 0)]
}

describe('a batch is stored once, and so are its sums', () => {
  const LOST = [
    ['the answer to its records was lost', [['insert into `lost_0`.calls', 'after']]],
    ['its records were not taken', [['insert into `lost_1`.calls', 'before']]],
    ['its position was not stored', [['insert into `lost_2`.spools', 'before']]],
    [
      'two of its inserts failed, one after the other',
      [
        ['insert into `lost_3`.feedback', 'after'],
        ['insert into `lost_3`.spools', 'before'],
      ],
    ],
  ] as const

  test.each(LOST.map((each, index) => [...each, index] as const))(
    'when %s',
    async (_, faults, index) => {
      const database = `lost_${index}`
      const records = sampleRecords(200, index)
      const feedback = sampleFeedback(records, 5)
      const batch = batchOf({ records, feedback }, { spool: 'first' })
      await writerOf(database).position('first')
      await server.fail(faults.map(([text, when]) => [text.replace('insert', 'INSERT').replace('into', 'INTO'), when]))
      for (const _fault of faults) {
        // Each try is that of a process that knows nothing of the one before.
        expect(await rejection(writerOf(database).write(batch))).toBeInstanceOf(StoreUnavailable)
      }
      await writerOf(database).write(batch)
      await writerOf(database).write(batch)

      const reader = readerOf(database)
      expect(await totals(reader, DAY_US)).toEqual(totalsOf(records))
      expect(await totals(reader, UNEVEN)).toEqual(totalsOf(records))
      const arrived = await reader.arrivals('0.0.', 1_000)
      expect(arrived.records).toEqual(records)
    },
    SLOW_MS,
  )
})

test(
  'half of a batch is known when the whole comes again, and so is a record that another batch has brought',
  async () => {
    const records = sampleRecords(200, 9).map((record, index) => ({ ...record, id: `it's \\ "${index}"` }))
    const whole = batchOf({ records })
    const half = { ...whole, to: 100, records: whole.records.slice(0, 100) }
    const rest = { ...whole, from: 100, records: whole.records.slice(100) }
    const writer = writerOf('halves')
    await writer.write(half)
    await server.fail([['INSERT INTO `halves`.spools', 'before']])
    expect(await rejection(writer.write(rest))).toBeInstanceOf(StoreUnavailable)
    await writerOf('halves').write(whole)
    await writer.write(batchOf({ records: records.slice(50, 150) }, { spool: 'second' }))
    const reader = readerOf('halves')
    expect(await totals(reader, DAY_US)).toEqual(totalsOf(records))
    expect(await totals(reader, UNEVEN)).toEqual(totalsOf(records))
  },
  SLOW_MS,
)

test(
  'a row that ClickHouse cannot hold refuses its batch; halves of characters are replaced',
  async () => {
    const writer = writerOf('refused')
    const [good, bad] = sampleRecords(2, 7) as [CallRecord, CallRecord]
    const error = await rejection(writer.write(batchOf({ records: [good, { ...bad, totalUs: Number.NaN }] })))
    expect(error).toBeInstanceOf(BatchRefused)
    expect(error.message).toBe('The totalUs of a record is not a whole number.')
    expect(await writer.position('spool-1')).toBe(0)
    const odd = { ...good, model: 'a\0b', errorMessage: '\ud83d goes, 🙂 stays', metadata: { "it's": '\udc00"' } }
    await writer.write(batchOf({ records: [odd] }))
    expect(await readerOf('refused').find(good.organisationId, good.callId)).toEqual([
      { ...odd, errorMessage: '\ufffd goes, 🙂 stays', metadata: { "it's": '\ufffd"' } },
    ])
  },
  SLOW_MS,
)

test(
  'what is past its retention is hidden at once, and removed',
  async () => {
    const [short = ''] = SAMPLE_WORKSPACES
    const writer = writerOf('expired')
    const reader = readerOf('expired')
    const records = sampleRecords(600)
    const bodies = records.slice(0, 30).map(({ id, organisationId, workspaceId, time }) => ({
      recordId: id,
      organisationId,
      workspaceId,
      time,
      sealed: crypto.getRandomValues(new Uint8Array(100)),
    }))
    await writer.write(batchOf({ records, bodies }))
    const byId = (one: { recordId: string }, other: { recordId: string }) => (one.recordId < other.recordId ? -1 : 1)
    expect((await reader.bodies(records)).toSorted(byId)).toEqual(bodies.toSorted(byId))

    rules = { fallback: { days: 2, bodyDays: 2 }, workspaces: new Map([[short, { days: 1, bodyDays: 1 }]]) }
    const kept = records.filter(
      ({ workspaceId, time }) => time >= SAMPLE_START + (workspaceId === short ? 2 : 1) * DAY_US,
    )
    for (let round = 0; round < 2; round++) {
      expect(await totals(reader, DAY_US)).toEqual(totalsOf(kept))
      expect(await totals(reader, UNEVEN)).toEqual(totalsOf(kept))
      expect(await reader.bodies(records)).toEqual([])
      await writer.expire(NOW_MS, rules)
    }
    rules = KEPT
    expect(await totals(reader, DAY_US)).toEqual(totalsOf(kept))
    expect(await totals(reader, UNEVEN)).toEqual(totalsOf(kept))
  },
  SLOW_MS,
)

test('on a cluster tables are made on all servers, and those that are asked are distributed over them', () => {
  const statements = schemaStatements({ database: 'weir', cluster: 'main', replicated: true })
  expect(statements.filter((text) => !text.includes(' on cluster `main`'))).toEqual([])
  const calls = statements.filter((text) => text.includes('`weir`.calls'))
  expect(calls[0]).toContain('create table if not exists `weir`.calls_local on cluster `main`')
  expect(calls[0]).toContain('engine = ReplicatedReplacingMergeTree partition by')
  expect(calls[1]).toEndWith(
    "as `weir`.calls_local engine = Distributed('main', `weir`, 'calls_local', cityHash64(workspace_id, trace_id))",
  )
  expect(statements.find((text) => text.includes('`weir`.spools_local'))).toContain(
    'engine = ReplicatedReplacingMergeTree(position)',
  )
  const views = statements.filter((text) => text.startsWith('create materialized view'))
  expect(views.length).toBe(4)
  for (const view of views) expect(view).toMatch(/ to `weir`\.rollups_local as select .* from `weir`\.calls_local /)
})

test('a server that is away is named without its password, and wrong addresses and names are refused', async () => {
  const place = placeOf('weir')
  const writer = keep(openClickhouseWriter({ url: 'http://somebody:secret@127.0.0.1:1', place }))
  const error = await rejection(writer.write(batchOf({ records: sampleRecords(1) })))
  expect(error).toBeInstanceOf(StoreUnavailable)
  expect(error.message).toBe('ClickHouse at 127.0.0.1:1 cannot be used: connection refused.')
  for (const url of ['secret', 'postgres://a:secret@b', 'http://']) {
    expect(() => openClickhouseWriter({ url, place })).toThrow(
      'The URL of ClickHouse is not of the form https://user:password@host:port.',
    )
  }
  expect(() => openClickhouseWriter({ url: server.url, place: placeOf('a`b') })).toThrow('"a`b" is no name')
})
