import { expect, test } from 'bun:test'
import { createFold } from './fold.ts'
import { batchOf, DAY_US, SAMPLE_ORGANISATION, SAMPLE_START, sampleFeedback, sampleRecords } from './samples.ts'

const filter = { organisationId: SAMPLE_ORGANISATION, from: SAMPLE_START, to: SAMPLE_START + 4 * DAY_US, where: [] }

test('samples are the same each time, and have what makes questions hard', () => {
  const records = sampleRecords(2_000)
  expect(sampleRecords(2_000)).toEqual(records)
  expect(new Set(records.map(({ id }) => id)).size).toBe(2_000)
  expect(records.some(({ kind }) => kind === 'attempt')).toBeTrue()
  expect(records.some(({ unpriced }) => unpriced)).toBeTrue()
  expect(records.some(({ organisationId }) => organisationId !== SAMPLE_ORGANISATION)).toBeTrue()
})

test('the fold keeps a batch once, counts calls without their attempts, and joins feedback by trace', async () => {
  const records = sampleRecords(1_000)
  const feedback = sampleFeedback(records, 50)
  const fold = createFold()
  const batch = batchOf({ records, feedback })
  await fold.write(batch)
  await fold.write(batch)
  expect(await fold.position('spool-1')).toBe(1_050)

  const mine = records.filter((record) => record.organisationId === SAMPLE_ORGANISATION && record.kind !== 'attempt')
  const { rows } = await fold.ask({
    from: 'calls',
    filter,
    groups: [],
    measures: [
      { as: 'calls', count: true },
      { as: 'cost', sum: 'cost' },
      { as: 'p100', quantile: 'totalUs', at: 1 },
      { as: 'praised', count: true, where: [{ weightedFeedback: { min: 1 } }] },
    ],
  })
  expect(rows[0]).toMatchObject({
    calls: mine.length,
    cost: mine.reduce((sum, { cost }) => sum + (cost?.total ?? 0), 0),
    p100: Math.max(...mine.map(({ totalUs }) => totalUs)),
  })
  expect(Number(rows[0]?.praised)).toBeGreaterThan(0)

  const models = await fold.ask({
    from: 'feedback',
    filter: { ...filter, to: filter.to + DAY_US },
    groups: [{ as: 'model', column: 'model' }],
    measures: [{ as: 'total', count: true }],
  })
  expect(models.rows.length).toBeGreaterThan(2)
  expect(models.rows[0]?.model).toBeNull()
})

test('pages of the fold go through all records, newest first', async () => {
  const fold = createFold()
  await fold.write(batchOf({ records: sampleRecords(500) }))
  const times: number[] = []
  let page = await fold.page(filter, { limit: 100, order: 'newest' })
  times.push(...page.records.map(({ time }) => time))
  while (page.next !== undefined) {
    page = await fold.page(filter, { limit: 100, order: 'newest', after: page.next })
    times.push(...page.records.map(({ time }) => time))
  }
  expect(times).toEqual(times.toSorted((one, other) => other - one))
  expect(times.length).toBe(
    Number((await fold.ask({ from: 'calls', filter, groups: [], measures: [{ as: 'n', count: true }] })).rows[0]?.n),
  )
})
