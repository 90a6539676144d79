import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { answerCostByMetadata } from '../../../src/management/analytics/answer-cost.ts'
import { answerRanking, answerSeries } from '../../../src/management/analytics/answer-graph.ts'
import { answerGroups } from '../../../src/management/analytics/answer-groups.ts'
import { answerCacheSummary } from '../../../src/management/analytics/answer-summary.ts'
import { RANKINGS, SERIES } from '../../../src/management/analytics/graphs.ts'
import { GROUP_TABLES, metadataTable } from '../../../src/management/analytics/groups.ts'
import type { GroupQuery } from '../../../src/management/analytics/query.ts'
import { type Interval, widthOf } from '../../../src/management/analytics/windows.ts'
import type { Condition } from '../../../src/records/question.ts'
import type { RecordReader } from '../../../src/records/store.ts'
import { createFold } from '../../support/records/fold.ts'
import {
  batchOf,
  DAY_US,
  HOUR_US,
  MINUTE_US,
  SAMPLE_ORGANISATION,
  SAMPLE_START,
  SAMPLE_WORKSPACES,
  sampleFeedback,
  sampleRecords,
} from '../../support/records/samples.ts'
import { STORES, type StoreUnderTest } from './stores.ts'

const RECORDS = 5_000
const FEEDBACK = 300
const NOW_MS = SAMPLE_START / 1000 + (3 * DAY_US) / 1000
const rules = { fallback: { days: 400, bodyDays: 400 }, workspaces: new Map() }

const records = sampleRecords(RECORDS)
const batch = batchOf({ records, feedback: sampleFeedback(records, FEEDBACK) })

interface Asked {
  readonly about: string
  readonly from: number
  readonly to: number
  readonly interval: Interval
  readonly where: readonly Condition[]
}
const whole = { from: SAMPLE_START, to: SAMPLE_START + 4 * DAY_US }
/** Begins and ends in the middle of a minute, an hour and a day. */
const odd = { from: SAMPLE_START + 7 * HOUR_US + 13 * MINUTE_US + 17, to: SAMPLE_START + 2 * DAY_US + 5 * HOUR_US + 1 }
const WINDOWS: readonly Asked[] = [
  { about: 'all days', ...whole, interval: '1d', where: [] },
  { about: 'an odd window by the hour', ...odd, interval: '1h', where: [] },
  { about: 'a model', ...odd, interval: '6h', where: [{ models: [['openai', 'gpt-5.2']] }] },
  { about: 'users', ...odd, interval: '15m', where: [{ metadata: '_user', in: ['user-1', 'user-2'] }] },
  { about: 'what people liked', ...whole, interval: '6h', where: [{ weightedFeedback: { min: 1 } }] },
]

/** Every answer of analytics about a window, by its path. */
const answers = async (reader: RecordReader, { from, to, interval, where }: Asked) => {
  const filter = { organisationId: SAMPLE_ORGANISATION, workspaceIds: SAMPLE_WORKSPACES.slice(0, 2), from, to, where }
  const width = widthOf({ from, to }, interval)
  const found: Record<string, unknown> = {
    'summary/cache': await answerCacheSummary(reader, filter),
    'graphs/cost/metadata': await answerCostByMetadata(reader, 'team', filter, width),
  }
  for (const series of SERIES) found[series.path] = await answerSeries(reader, series, filter, width)
  for (const ranking of RANKINGS) found[ranking.path] = await answerRanking(reader, ranking, filter)
  for (const table of [...GROUP_TABLES, metadataTable('team'), metadataTable('odd "key".$[0]')]) {
    const all = table.shown === undefined ? {} : { columns: Object.keys(table.columns).join(',') }
    const query = { current_page: 0, page_size: 7, ...all } as GroupQuery
    found[`groups/${table.path}`] = await answerGroups(reader, table, filter, query)
  }
  return found
}

/** Percentiles of sums are off by 2 % at most, and by the millisecond to which they are rounded. */
const PERCENTILE = /(?:^|\.)p[0-9]{2}/
const differences = (found: unknown, expected: unknown, path: string): string[] => {
  if (found === expected) return []
  if (typeof found === 'number' && typeof expected === 'number') {
    const allowed = PERCENTILE.test(path) ? Math.abs(expected) * 0.02 + 1 : 0.011
    return Math.abs(found - expected) <= allowed ? [] : [`${path}: ${found} instead of ${expected}`]
  }
  if (typeof found !== 'object' || typeof expected !== 'object' || found === null || expected === null) {
    return [`${path}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`]
  }
  const names = new Set([...Object.keys(found), ...Object.keys(expected)])
  return [...names].flatMap((name) =>
    differences(Reflect.get(found, name), Reflect.get(expected, name), `${path}.${name}`),
  )
}

const fold = createFold()
await fold.write(batch)

describe.each(STORES.map((store) => [store.name, store] as const))('analytics of %s', (_, store) => {
  let opened: StoreUnderTest
  beforeAll(async () => {
    opened = await store.open({ now: () => NOW_MS, rules: () => rules })
    opened.writer.declare(new Map([[SAMPLE_WORKSPACES[0] as string, ['team']]]))
    await opened.writer.write(batch)
  }, 60_000)
  afterAll(() => opened?.close())

  test.each(WINDOWS.map((asked) => [asked.about, asked] as const))(
    'are those of a plain fold: %s',
    async (_about, asked) => {
      const expected = await answers(fold, asked)
      expect(Object.keys(expected).length).toBeGreaterThan(30)
      const wrong = differences(await answers(opened.reader, asked), expected, '')
      expect(wrong.slice(0, 20)).toEqual([])
    },
    60_000,
  )
})
