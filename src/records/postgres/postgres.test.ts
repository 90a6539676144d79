import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
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
import { type PrivateDatabase, privateDatabase } from '../../../test/support/services.ts'
import type { CallRecord } from '../../core/records.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import { rejection } from '../../store/testing.ts'
import type { Question } from '../question.ts'
import { BatchRefused, type RecordReader, type RecordWriter, type RetentionRules } from '../store.ts'
import { openPostgresReader, openPostgresWriter } from './index.ts'

const NOW_MS = (SAMPLE_START + 3 * DAY_US) / 1_000
const RULES: RetentionRules = { fallback: { days: 30, bodyDays: 30 }, workspaces: new Map() }

/** No sums fit it: records are counted. */
const UNEVEN = HOUR_US / 8

interface Opened {
  readonly database: PrivateDatabase
  readonly reader: RecordReader
  writer(): RecordWriter
  close(): Promise<void>
}

const open = async (rules: () => RetentionRules = () => RULES): Promise<Opened> => {
  const database = await privateDatabase()
  const options = { databaseUrl: database.url, now: () => NOW_MS }
  const reader = openPostgresReader({ ...options, rules, deadlineMs: 20_000 })
  const writers: RecordWriter[] = []
  return {
    database,
    reader,
    writer() {
      const writer = openPostgresWriter(options)
      writers.push(writer)
      return writer
    },
    async close() {
      await Promise.all([reader, ...writers].map((each) => each.close()))
      await database.drop()
    },
  }
}

/** Of all records, from sums where `bucket` fits them. */
const total = (bucket: number): Question => ({
  from: 'calls',
  filter: { organisationId: SAMPLE_ORGANISATION, from: SAMPLE_START, to: SAMPLE_START + 3 * DAY_US, where: [] },
  groups: [{ as: 'time', bucket }],
  measures: [
    { as: 'count', count: true },
    { as: 'cost', sum: 'cost' },
    { as: 'p90', quantile: 'totalUs', at: 0.9 },
  ],
})

const counted = (records: readonly CallRecord[]): readonly CallRecord[] =>
  records.filter(({ kind, organisationId }) => kind !== 'attempt' && organisationId === SAMPLE_ORGANISATION)

const sumOf = (rows: readonly Readonly<Record<string, unknown>>[], name: string): number =>
  rows.reduce((sum, row) => sum + Number(row[name]), 0)

describe('batches', () => {
  let opened: Opened
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  test('of several processes at once are all stored, summed up exactly, and arrive once each', async () => {
    const { reader } = opened
    const start = await reader.arrivals(undefined, 1)
    const records = sampleRecords(2_400)
    const writers = [0, 1, 2].map((index) => ({ writer: opened.writer(), spool: `process-${index}`, index }))
    await Promise.all(
      writers.map(async ({ writer, spool, index }) => {
        for (let from = 0; from < 800; from += 200) {
          const part = records.slice(index * 800 + from, index * 800 + from + 200)
          const batch = batchOf({ records: part }, { spool, from })
          await writer.write(batch)
          await writer.write(batch)
        }
      }),
    )
    const expected = counted(records)
    for (const bucket of [DAY_US, HOUR_US, UNEVEN]) {
      const { rows } = await reader.ask(total(bucket))
      expect(sumOf(rows, 'count')).toBe(expected.length)
      expect(sumOf(rows, 'cost')).toBe(expected.reduce((sum, { cost }) => sum + (cost?.total ?? 0), 0))
    }
    const seen: CallRecord[] = []
    for (let at = start.at; ; ) {
      const arrived = await reader.arrivals(at, 130)
      if (arrived.records.length === 0) break
      seen.push(...arrived.records)
      at = arrived.at
    }
    expect(seen.length).toBe(records.length)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(records.length)
    const first = (await reader.arrivals(start.at, 1_000)).records.slice(0, 200)
    const [one] = first
    const from = records.findIndex(({ id }) => id === one?.id)
    expect(first).toEqual(records.slice(from, from + 200))
  }, 60_000)

  test('with a row that Postgres cannot hold are refused as a whole, and go on without it', async () => {
    const writer = opened.writer()
    const [good, bad] = sampleRecords(2, 7) as [CallRecord, CallRecord]
    const broken = { ...bad, totalUs: Number.NaN }
    const error = await rejection(writer.write(batchOf({ records: [good, broken] }, { spool: 'broken' })))
    expect(error).toBeInstanceOf(BatchRefused)
    expect(error.message).toBe('Postgres does not take a row (SQLSTATE 23502).')
    expect(await writer.position('broken')).toBe(0)
    expect(await opened.reader.find(good.organisationId, good.callId)).toEqual([])
    await writer.write(batchOf({ records: [good] }, { spool: 'broken' }))
    expect(await opened.reader.find(good.organisationId, good.callId)).toEqual([good])
    const timeless = { ...bad, time: Number.POSITIVE_INFINITY }
    expect(await rejection(writer.write(batchOf({ records: [timeless] }, { spool: 'timeless' })))).toBeInstanceOf(
      BatchRefused,
    )
  })

  test('keep texts that Postgres takes in no form, with those characters replaced', async () => {
    const writer = opened.writer()
    const [record] = sampleRecords(1, 8) as [CallRecord]
    const odd = {
      ...record,
      model: 'a\0b',
      traceId: `${'long'.repeat(2_000)}\ud800`,
      errorMessage: '\\u0000 stays, \ud83d goes, 🙂 stays',
      metadata: { '\0': '\udc00' },
    }
    await writer.write(batchOf({ records: [odd] }, { spool: 'odd' }))
    expect(await opened.reader.find(record.organisationId, record.callId)).toEqual([
      {
        ...record,
        model: 'a\ufffdb',
        traceId: `${'long'.repeat(2_000)}\ufffd`,
        errorMessage: '\\u0000 stays, \ufffd goes, 🙂 stays',
        metadata: { '\ufffd': '\ufffd' },
      },
    ])
  })
})

test('a database that cannot be reached is one that is away, and is used once it is there', async () => {
  const writer = openPostgresWriter({ databaseUrl: 'postgres://somebody:secret@127.0.0.1:1/nowhere' })
  const error = await rejection(writer.write(batchOf({ records: sampleRecords(1) })))
  expect(error).toBeInstanceOf(StoreUnavailable)
  expect(error.message).toBe('The database at 127.0.0.1:1 cannot be used: connection refused.')
  await writer.close()
})

test('days past all retentions go as a whole, those of workspaces that keep less row by row, and are hidden before', async () => {
  const [short = ''] = SAMPLE_WORKSPACES
  let rules = RULES
  const opened = await open(() => rules)
  const { reader } = opened
  const writer = opened.writer()
  const records = sampleRecords(600)
  const feedback = sampleFeedback(records, 20)
  const bodies = records.slice(0, 30).map(({ id, organisationId, workspaceId, time }) => ({
    recordId: id,
    organisationId,
    workspaceId,
    time,
    sealed: crypto.getRandomValues(new Uint8Array(100)),
  }))
  const batch = batchOf({ records, bodies, feedback })
  await writer.write(batch)
  expect((await reader.bodies(records)).length).toBe(30)

  rules = { fallback: { days: 2, bodyDays: 2 }, workspaces: new Map([[short, { days: 1, bodyDays: 1 }]]) }
  const kept = counted(records).filter(
    ({ workspaceId, time }) => time >= SAMPLE_START + (workspaceId === short ? 2 : 1) * DAY_US,
  )
  const count = async (bucket: number): Promise<number> => sumOf((await reader.ask(total(bucket))).rows, 'count')
  for (let round = 0; round < 2; round++) {
    expect(await count(DAY_US)).toBe(kept.length)
    expect(await count(UNEVEN)).toBe(kept.length)
    expect(await reader.bodies(records)).toEqual([])
    await writer.expire(NOW_MS, rules)
  }
  rules = RULES
  expect(await count(UNEVEN)).toBe(kept.length)
  expect(await count(DAY_US)).toBe(kept.length)

  // A row that comes in late finds a day again.
  const late = { ...(records[0] as CallRecord), id: Bun.randomUUIDv7() }
  await writer.write(batchOf({ records: [late] }, { from: batch.to }))
  expect(await count(DAY_US)).toBe(kept.length + (late.organisationId === SAMPLE_ORGANISATION ? 1 : 0))
  await opened.close()
}, 60_000)

test('keys that a workspace declares have sums from a later hour on, and none once it declares them no more', async () => {
  const opened = await open()
  const [workspace = ''] = SAMPLE_WORKSPACES
  const writer = opened.writer()
  writer.declare(new Map([[workspace, ['team']]]))
  const from = NOW_MS * 1_000 + 2 * HOUR_US
  const records = sampleRecords(300, 3, { from, to: from + DAY_US, workspaces: [workspace] })
  await writer.write(batchOf({ records }))
  const question: Question = {
    from: 'calls',
    filter: { organisationId: SAMPLE_ORGANISATION, workspaceIds: [workspace], from, to: from + DAY_US, where: [] },
    groups: [{ as: 'team', metadata: 'team' }],
    measures: [
      { as: 'count', count: true },
      { as: 'cost', sum: 'cost' },
    ],
  }
  const bySums = await opened.reader.ask(question)
  expect(sumOf(bySums.rows, 'count')).toBe(counted(records).length)
  expect(bySums.rows.length).toBe(5)
  const sql = postgres(opened.database.url, { max: 1 })
  await sql`delete from weir_records.rollups where facet = 'team'`
  await sql.end()
  expect((await opened.reader.ask(question)).rows).toEqual([])
  writer.declare(new Map())
  await writer.write(batchOf({ feedback: sampleFeedback(records, 1) }, { from: records.length + 1 }))
  expect(await opened.reader.ask(question)).toEqual(bySums)
  await opened.close()
}, 60_000)
