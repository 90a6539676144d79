import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { CallRecord, SealedBodies } from '../../../src/core/records.ts'
import type { RecordFilter } from '../../../src/records/question.ts'
import { BatchRefused, type Cursor, type RecordReader, type RetentionRules } from '../../../src/records/store.ts'
import {
  batchOf,
  DAY_US,
  OTHER_ORGANISATION,
  SAMPLE_ORGANISATION,
  SAMPLE_START,
  SAMPLE_WORKSPACES,
  sampleFeedback,
  sampleRecords,
} from '../../support/records/samples.ts'
import { STORES, type StoreUnderTest } from './stores.ts'

// A machine that does much else.
setDefaultTimeout(30_000)

const KEEP_ALL: RetentionRules = { fallback: { days: 400, bodyDays: 400 }, workspaces: new Map() }
const DAY_MS = DAY_US / 1000
const START_MS = SAMPLE_START / 1000
const FILTER: RecordFilter = {
  organisationId: SAMPLE_ORGANISATION,
  from: SAMPLE_START - DAY_US,
  to: SAMPLE_START + 10 * DAY_US,
  where: [],
}
const counts = (record: CallRecord): boolean =>
  record.organisationId === SAMPLE_ORGANISATION && record.kind !== 'attempt'

const bodiesOf = (records: readonly CallRecord[]): SealedBodies[] =>
  records.map(({ id, organisationId, workspaceId, time }, index) => ({
    recordId: id,
    organisationId,
    workspaceId,
    time,
    sealed: Uint8Array.from([0, 255, index % 256, 10]),
  }))

const countIn = async (reader: RecordReader, filter = FILTER): Promise<number> => {
  const { rows } = await reader.ask({ from: 'calls', filter, groups: [], measures: [{ as: 'n', count: true }] })
  return Number(rows[0]?.n)
}

/** Counted from sums and from records: a condition on tokens is only known of records. */
const countBoth = async (reader: RecordReader): Promise<readonly number[]> =>
  Promise.all([countIn(reader), countIn(reader, { ...FILTER, where: [{ any: [{ column: 'totalUs', min: 0 }] }] })])

const pagesOf = async (reader: RecordReader, filter: RecordFilter, limit: number, order: 'newest' | 'oldest') => {
  const found: CallRecord[] = []
  let after: Cursor | undefined
  do {
    const page = await reader.page(filter, { limit, order, ...(after !== undefined && { after }) })
    expect(page.records.length).toBeLessThanOrEqual(limit)
    found.push(...page.records)
    after = page.next
  } while (after !== undefined)
  return found
}

const byPlace = (one: CallRecord, other: CallRecord): number => one.time - other.time || (one.id < other.id ? -1 : 1)

for (const { name, open } of STORES) {
  describe(name, () => {
    let nowMs = START_MS + 3 * DAY_MS
    let rules = KEEP_ALL
    let opened: StoreUnderTest | undefined
    const start = async (): Promise<StoreUnderTest> => {
      nowMs = START_MS + 3 * DAY_MS
      rules = KEEP_ALL
      opened = await open({ now: () => nowMs, rules: () => rules })
      return opened
    }
    afterEach(async () => {
      await opened?.close()
      opened = undefined
    })

    test('an empty store has nothing', async () => {
      const { reader, writer } = await start()
      expect(await countIn(reader)).toBe(0)
      expect(await reader.find(SAMPLE_ORGANISATION, 'nobody')).toEqual([])
      expect(await reader.page(FILTER, { limit: 5, order: 'newest' })).toEqual({ records: [] })
      expect(await reader.feedback(SAMPLE_ORGANISATION, 'nobody')).toBeUndefined()
      expect(await reader.bodies([{ id: 'nobody', time: SAMPLE_START }])).toEqual([])
      expect(await writer.position('spool-1')).toBe(0)
      const { at, records } = await reader.arrivals(undefined, 5)
      expect(records).toEqual([])
      expect((await reader.arrivals(at, 5)).records).toEqual([])
    })

    test('a record comes back as it was, with its attempts, and for its organisation alone', async () => {
      const { reader, writer } = await start()
      const records = sampleRecords(400)
      await writer.write(batchOf({ records }))
      const calls = Map.groupBy(records, ({ callId }) => callId)
      for (const [callId, all] of calls) {
        const [{ organisationId }] = all as [CallRecord]
        const other = organisationId === SAMPLE_ORGANISATION ? OTHER_ORGANISATION : SAMPLE_ORGANISATION
        if (all.length > 1 || all === calls.values().next().value) {
          expect(await reader.find(organisationId, callId)).toEqual(all)
          expect(await reader.find(other, callId)).toEqual([])
        }
      }
      const attempt = records.find(({ kind }) => kind === 'attempt') as CallRecord
      expect(await reader.find(attempt.organisationId, attempt.id)).toEqual([])
    })

    test('texts of every kind come back as they were', async () => {
      const { reader, writer } = await start()
      const [record] = sampleRecords(1) as [CallRecord]
      const odd: CallRecord = {
        ...record,
        organisationId: SAMPLE_ORGANISATION,
        model: "Robert'); drop table calls; --",
        errorMessage: 'a\\b "c" %_\n\t🙂 \u{10ffff}',
        metadata: { '': 'empty', '$.x': 'path', "it's": 'quote', 'a.b': 'dot', __proto__x: 'ü' },
        units: { web_search: 0.5 },
        totalUs: Number.MAX_SAFE_INTEGER,
      }
      await writer.write(batchOf({ records: [odd] }))
      expect(await reader.find(SAMPLE_ORGANISATION, odd.callId)).toEqual([odd])
      for (const [key, value] of Object.entries(odd.metadata)) {
        expect(await countIn(reader, { ...FILTER, where: [{ metadata: key, in: [value] }] })).toBe(1)
        expect(await countIn(reader, { ...FILTER, where: [{ metadata: key, in: ['other'] }] })).toBe(0)
      }
      expect(await countIn(reader, { ...FILTER, where: [{ hasMetadata: 'x' }] })).toBe(0)
    })

    test('a batch that is written twice, or again in part, is stored once', async () => {
      const { reader, writer, reopenWriter } = await start()
      const records = sampleRecords(600)
      const feedback = sampleFeedback(records, 30)
      const batch = batchOf({ records, feedback, bodies: bodiesOf(records.slice(0, 20)) })
      const expected = records.filter(counts).length
      await writer.write(batch)
      await writer.write(batch)
      expect(await writer.position('spool-1')).toBe(650)
      expect(await countBoth(reader)).toEqual([expected, expected])

      // After a crash, as another process finds it.
      const second = await reopenWriter()
      expect(await second.position('spool-1')).toBe(650)
      await second.write(batch)
      // By another spool, with other places: known by their ids.
      await second.write(batchOf({ records: records.slice(0, 100) }, { spool: 'spool-2' }))
      expect(await second.position('spool-2')).toBe(100)
      expect(await countBoth(reader)).toEqual([expected, expected])
    })

    test('a row that is never taken refuses its batch; what is handed in without it is stored once', async () => {
      const { reader, writer } = await start()
      const records = sampleRecords(64).map((record) => ({ ...record, organisationId: SAMPLE_ORGANISATION }))
      const { path: _, ...pathless } = records[41] as CallRecord
      const whole = batchOf({ records: records.with(41, pathless as CallRecord) })
      await expect(writer.write(whole)).rejects.toBeInstanceOf(BatchRefused)
      expect(await writer.position('spool-1')).toBe(0)

      // By halves, as the flusher goes about it.
      const refused: number[] = []
      const write = async (from: number, to: number): Promise<void> => {
        const batch = { ...whole, from, to, records: whole.records.slice(from, to) }
        try {
          await writer.write(batch)
        } catch (error) {
          expect(error).toBeInstanceOf(BatchRefused)
          if (to - from === 1) {
            refused.push(from)
            return writer.write({ ...batch, records: [] })
          }
          const middle = Math.floor((from + to) / 2)
          await write(from, middle)
          await write(middle, to)
        }
      }
      await write(0, 64)
      expect(refused).toEqual([41])
      expect(await writer.position('spool-1')).toBe(64)
      const expected = records.toSpliced(41, 1).filter(counts).length
      expect(await countBoth(reader)).toEqual([expected, expected])
    })

    test('pages go through all that fits, both ways, and stay where they are while records arrive', async () => {
      const { reader, writer } = await start()
      const records = sampleRecords(3_000)
      await writer.write(batchOf({ records: records.slice(0, 2_000) }))
      const expected = records.slice(0, 2_000).filter(counts).sort(byPlace)
      expect(await pagesOf(reader, FILTER, 300, 'oldest')).toEqual(expected)
      expect(await pagesOf(reader, FILTER, 300, 'newest')).toEqual(expected.toReversed())

      const filter = { ...FILTER, where: [{ column: 'model' as const, in: ['gpt-5.2'] }] }
      const first = await reader.page(filter, { limit: 50, order: 'newest' })
      await writer.write(batchOf({ records: records.slice(2_000) }, { from: 2_000 }))
      const rest = await pagesOf(reader, { ...filter, to: (first.next as Cursor).time + 1 }, 70, 'newest')
      const fitting = expected.filter(({ model }) => model === 'gpt-5.2').toReversed()
      const second = await reader.page(filter, { limit: 50, order: 'newest', after: first.next as Cursor })
      expect([...first.records, ...second.records]).toEqual(fitting.slice(0, 100))
      expect(rest.slice(1)).toEqual(fitting.slice(50))
    })

    test('arrivals are those since the last look, of any day and spool, each once', async () => {
      const { reader, writer } = await start()
      const records = sampleRecords(300)
      await writer.write(batchOf({ records: records.slice(0, 100) }))
      let { at } = await reader.arrivals(undefined, 1_000)
      await writer.write(batchOf({ records: records.slice(200) }, { from: 100 }))
      await writer.write(batchOf({ records: records.slice(100, 200) }, { spool: 'spool-2' }))
      const arrived: string[] = []
      for (let looks = 0; looks < 20; looks++) {
        const look = await reader.arrivals(at, 30)
        at = look.at
        expect(look.records.length).toBeLessThanOrEqual(30)
        arrived.push(...look.records.map(({ id }) => id))
      }
      expect(arrived.toSorted()).toEqual(
        records
          .slice(100)
          .map(({ id }) => id)
          .toSorted(),
      )
    })

    test('bodies are found by their records', async () => {
      const { reader, writer } = await start()
      const records = sampleRecords(50)
      const bodies = bodiesOf(records)
      await writer.write(batchOf({ records, bodies }))
      expect(await reader.bodies([])).toEqual([])
      const asked = [records[40], records[3], { id: 'nobody', time: SAMPLE_START }] as CallRecord[]
      const found = await reader.bodies(asked)
      const plain = found.map((row): SealedBodies => ({ ...row, sealed: Uint8Array.from(row.sealed) }))
      const byTime = (one: SealedBodies, other: SealedBodies): number => one.time - other.time
      expect(plain.toSorted(byTime)).toEqual([bodies[3], bodies[40]] as SealedBodies[])
    })

    test('of feedback the last row counts', async () => {
      const { reader, writer } = await start()
      const records = sampleRecords(50).map((record) => ({ ...record, organisationId: SAMPLE_ORGANISATION }))
      const [first] = sampleFeedback(records, 1)
      const row = { ...(first as NonNullable<typeof first>), value: 3, weight: 1 }
      const changed = { ...row, time: row.time + 5, value: -7, weight: 0.5 }
      await writer.write(batchOf({ records, feedback: [row] }))
      expect(await reader.feedback(SAMPLE_ORGANISATION, row.id)).toEqual(row)
      await writer.write(batchOf({ feedback: [changed] }, { from: 100 }))
      expect(await reader.feedback(SAMPLE_ORGANISATION, row.id)).toEqual(changed)
      expect(await reader.feedback(OTHER_ORGANISATION, row.id)).toBeUndefined()
      const { rows } = await reader.ask({
        from: 'feedback',
        filter: FILTER,
        groups: [],
        measures: [
          { as: 'n', count: true },
          { as: 'weighted', avg: 'weighted' },
        ],
      })
      expect(rows).toEqual([{ n: 1, weighted: -3.5 }])
    })

    test('what is past its retention is hidden at once and removed by the sweep', async () => {
      const { reader, writer } = await start()
      const records = sampleRecords(1_500).map((record) => ({ ...record, organisationId: SAMPLE_ORGANISATION }))
      const bodies = bodiesOf(records)
      const feedback = sampleFeedback(records, 60)
      await writer.write(batchOf({ records, bodies, feedback }))
      const [short = '', long = ''] = SAMPLE_WORKSPACES
      // Now is the third day, day 3: the fallback keeps days 1 to 3, `short` day 2, `long` all.
      rules = {
        fallback: { days: 2, bodyDays: 1 },
        workspaces: new Map([
          [short, { days: 1, bodyDays: 0 }],
          [long, { days: 30, bodyDays: 30 }],
        ]),
      }
      const firstDay = (workspaceId: string): number => (workspaceId === short ? 2 : workspaceId === long ? 0 : 1)
      const kept = records.filter(({ workspaceId, time }) => time >= SAMPLE_START + firstDay(workspaceId) * DAY_US)
      const expected = kept.filter(counts)
      const gone = records.filter((record) => !kept.includes(record))
      const check = async (): Promise<void> => {
        expect(await countBoth(reader)).toEqual([expected.length, expected.length])
        for (const id of SAMPLE_WORKSPACES) {
          const own = expected.filter(({ workspaceId }) => workspaceId === id).length
          expect(await countIn(reader, { ...FILTER, workspaceIds: [id] })).toBe(own)
        }
        expect(await pagesOf(reader, FILTER, 1_000, 'oldest')).toEqual(expected.toSorted(byPlace))
        expect(await reader.find(SAMPLE_ORGANISATION, gone[0]?.callId ?? '')).toEqual([])
        const found = await reader.bodies(records)
        expect(found.some(({ workspaceId }) => workspaceId === short)).toBeFalse()
        expect(found.filter(({ workspaceId }) => workspaceId === long)).toHaveLength(
          records.filter(({ workspaceId }) => workspaceId === long).length,
        )
      }
      await check()
      await writer.expire(nowMs, rules)
      await check()
      // What the sweep removed does not come back with a longer retention.
      rules = KEEP_ALL
      expect(await countBoth(reader)).toEqual([expected.length, expected.length])
    })
  })
}
