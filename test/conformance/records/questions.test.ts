import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnswerRow, Question, QuestionAnswer, Scalar } from '../../../src/records/question.ts'
import { createFold } from '../../support/records/fold.ts'
import { sampleQuestions } from '../../support/records/questions.ts'
import {
  batchOf,
  DAY_US,
  SAMPLE_START,
  SAMPLE_WORKSPACES,
  sampleFeedback,
  sampleRecords,
} from '../../support/records/samples.ts'
import { STORES, type StoreUnderTest } from './stores.ts'

const RECORDS = 50_000
const FEEDBACK = 1_500
const QUESTIONS = 200
const BATCH = 5_000

const NOW_MS = SAMPLE_START / 1000 + (3 * DAY_US) / 1000
const rules = { fallback: { days: 400, bodyDays: 400 }, workspaces: new Map() }

const fold = createFold()
const records = sampleRecords(RECORDS)
const batches = Array.from({ length: RECORDS / BATCH }, (_, n) =>
  batchOf({ records: records.slice(n * BATCH, (n + 1) * BATCH) }, { from: n * BATCH }),
)
batches.push(batchOf({ feedback: sampleFeedback(records, FEEDBACK) }, { from: RECORDS }))
for (const batch of batches) await fold.write(batch)

const isQuantile = (question: Question, name: string): boolean =>
  question.measures.some((measure) => measure.as === name && 'quantile' in measure)

const isClose = (one: Scalar, other: Scalar, within: number): boolean =>
  one === other ||
  (typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) <= Math.abs(other) * within + 1e-9)

/** What a store says otherwise than the fold; quantiles may be off by 1 %, fractions by their last digits. */
const differences = (question: Question, found: QuestionAnswer, expected: QuestionAnswer): unknown[] => {
  if (found.total !== expected.total || found.rows.length !== expected.rows.length) {
    return [
      {
        found: { total: found.total, rows: found.rows.length },
        expected: { total: expected.total, rows: expected.rows.length },
      },
    ]
  }
  return expected.rows.flatMap((row: AnswerRow, index) =>
    Object.entries(row).flatMap(([name, value]) => {
      const other = found.rows[index]?.[name] ?? null
      return isClose(other, value, isQuantile(question, name) ? 0.01 : 1e-12) ? [] : [{ row, name, found: other }]
    }),
  )
}

const questions = sampleQuestions(QUESTIONS)
const expected = await Promise.all(questions.map((question) => fold.ask(question)))

test('the questions ask for something', () => {
  const rows = expected.map((answer) => answer.rows.length)
  expect(rows.filter((count) => count > 1).length).toBeGreaterThan(QUESTIONS / 3)
  expect(Math.max(...rows)).toBeGreaterThan(100)
})

for (const store of STORES) {
  describe(store.name, () => {
    let opened: StoreUnderTest
    beforeAll(async () => {
      opened = await store.open({ now: () => NOW_MS, rules: () => rules })
      opened.writer.declare(new Map([[SAMPLE_WORKSPACES[0] as string, ['team']]]))
      for (const batch of batches) await opened.writer.write(batch)
    }, 240_000)
    afterAll(() => opened?.close())

    test(`answers ${QUESTIONS} questions about ${RECORDS} records as the fold does`, async () => {
      const wrong: unknown[] = []
      for (const [index, question] of questions.entries()) {
        const found = await opened.reader.ask(question)
        const off = differences(question, found, expected[index] as QuestionAnswer)
        if (off.length > 0) wrong.push({ question, differences: off.slice(0, 2) })
      }
      expect(wrong).toEqual([])
    }, 240_000)
  })
}
