import { expect, test } from 'bun:test'
import { LateReports } from './late-reports.ts'

const NEVER = new Promise<never>(() => undefined)

/** What was kept, by its name. */
const createReports = (options: { lateMs?: number; stopMs?: number; most?: number }) => {
  const kept: string[] = []
  const faults: unknown[] = []
  const reports = new LateReports({ ...options, onError: (thrown) => faults.push(thrown) })
  const add = (name: string, pending: Promise<unknown>): void => reports.keepAfter(pending, () => kept.push(name))
  return { reports, kept, faults, add }
}

test('a call is kept once its guardrails have reported, or failed to', async () => {
  const { reports, kept, faults, add } = createReports({})
  const reported = Promise.withResolvers<void>()
  add('first', reported.promise)
  add('second', Promise.reject(new Error('it failed')))
  await Promise.resolve()
  expect(kept).not.toContain('first')
  reported.resolve()
  await reports.settle()
  expect([kept.toSorted(), faults]).toEqual([['first', 'second'], []])
})

test('one whose guardrails never report is kept all the same, later or when Weir stops', async () => {
  const late = createReports({ lateMs: 1, stopMs: 3_600_000 })
  late.add('late', NEVER)
  await late.reports.settle()
  expect(late.kept).toEqual(['late'])
  const stopped = createReports({ lateMs: 3_600_000, stopMs: 1 })
  stopped.add('stopped', NEVER)
  await stopped.reports.settle()
  expect(stopped.kept).toEqual(['stopped'])
})

test('no more than some calls wait', () => {
  const { kept, add } = createReports({ most: 2 })
  for (const name of ['one', 'two', 'three']) add(name, NEVER)
  expect(kept).toEqual(['three'])
})

test('what goes wrong with keeping is told', async () => {
  const { reports, faults } = createReports({})
  reports.keepAfter(Promise.resolve(), () => {
    throw new Error('the disk is full')
  })
  await reports.settle()
  expect(faults).toEqual([new Error('the disk is full')])
})
