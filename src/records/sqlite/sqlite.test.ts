import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  batchOf,
  DAY_US,
  SAMPLE_ORGANISATION,
  SAMPLE_START,
  sampleRecords,
} from '../../../test/support/records/samples.ts'
import { StoreUnavailable } from '../../store/errors.ts'
import type { Question } from '../question.ts'
import type { RecordReader, RecordWriter } from '../store.ts'
import { openSqliteReader, openSqliteWriter } from './index.ts'

const DAY_FILE = 'records-2026-11-01.db'
const rules = () => ({ fallback: { days: 400, bodyDays: 400 }, workspaces: new Map() })
const now = () => SAMPLE_START / 1000
const question: Question = {
  from: 'calls',
  filter: { organisationId: SAMPLE_ORGANISATION, from: SAMPLE_START, to: SAMPLE_START + 3 * DAY_US, where: [] },
  groups: [],
  measures: [{ as: 'n', count: true }],
}
/** All on the first day, all counted. */
const records = sampleRecords(200, 1, { to: SAMPLE_START + DAY_US }).filter(
  ({ organisationId, kind }) => organisationId === SAMPLE_ORGANISATION && kind !== 'attempt',
)

let folder: string
let warnings: string[]
const open: (RecordReader | RecordWriter)[] = []
const warn = (message: string): void => void warnings.push(message)
const writer = (): RecordWriter => {
  const opened = openSqliteWriter({ folder, warn })
  open.push(opened)
  return opened
}
const reader = (deadlineMs?: number): RecordReader => {
  const opened = openSqliteReader({ folder, now, rules, warn, ...(deadlineMs !== undefined && { deadlineMs }) })
  open.push(opened)
  return opened
}
const count = async (from: RecordReader): Promise<unknown> => (await from.ask(question)).rows[0]?.n

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-sqlite-'))
  warnings = []
})
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
  await rm(folder, { recursive: true, force: true })
})

describe('files', () => {
  test('of a time when records had fewer columns are brought up to date, by whoever opens them first', async () => {
    const whole = records.filter(({ hookResults }) => hookResults !== undefined).slice(0, 2)
    const [first, second] = whole
    if (first === undefined || second === undefined) throw new Error('there are samples with guardrails')
    const written = writer()
    await written.write(batchOf({ records: [first] }))
    await written.close()
    const shorten = (): void => {
      const database = new Database(join(folder, DAY_FILE))
      database.run('alter table calls drop column hook_results')
      database.close()
    }
    shorten()
    const find = async (id: string) => (await reader().find(SAMPLE_ORGANISATION, id))[0]
    expect((await find(first.id))?.id).toBe(first.id)
    expect((await find(first.id))?.hookResults).toBeUndefined()
    shorten()
    await writer().write(batchOf({ records: [second] }, { from: 1_000 }))
    expect((await find(second.id))?.hookResults).toEqual(second.hookResults)
    expect(warnings).toEqual([])
  })

  test('there is one a day, and one for feedback', async () => {
    await writer().write(batchOf({ records: sampleRecords(300) }))
    const names = (await readdir(folder)).filter((name) => name.endsWith('.db'))
    expect(names.sort()).toEqual([
      'feedback.db',
      'records-2026-11-01.db',
      'records-2026-11-02.db',
      'records-2026-11-03.db',
    ])
  })

  test.each([
    ['no database at all', async (path: string) => void (await Bun.write(path, 'not a database, '.repeat(1_000)))],
    [
      'somebody else’s database',
      async (path: string) => {
        using other = new Database(path, { create: true })
        other.run('create table calls (theirs text)')
      },
    ],
    [
      'a later version of it',
      async (path: string) => {
        const own = openSqliteWriter({ folder })
        await own.write(batchOf({ records: records.slice(0, 1) }))
        await own.close()
        using later = new Database(path)
        later.run('pragma user_version = 99')
      },
    ],
  ])('%s is set aside, said aloud, and a new file takes its place', async (_, make) => {
    await make(join(folder, DAY_FILE))
    const asking = reader()
    expect(await count(asking)).toBe(0)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(DAY_FILE)

    await writer().write(batchOf({ records }, { spool: 'other' }))
    expect(warnings).toHaveLength(2)
    expect(warnings[1]).toContain('set aside')
    expect(await count(reader())).toBe(records.length)
    const aside = (await readdir(folder)).filter((name) => name.startsWith(`${DAY_FILE}.aside-`))
    expect(aside.length).toBeGreaterThan(0)
  })

  test('a file that is gone is not read from any more', async () => {
    const storing = writer()
    await storing.write(batchOf({ records }))
    const asking = reader()
    expect(await count(asking)).toBe(records.length)
    await storing.expire(now() + 500 * 86_400_000, rules())
    expect(await readdir(folder)).not.toContain(DAY_FILE)
    expect(await count(asking)).toBe(0)
  })
})

describe('the reader', () => {
  test('what cannot be read in time is given up, and read when it can be', async () => {
    const storing = writer()
    await storing.write(batchOf({ records }))
    await storing.close()
    // Nobody can read a file that is locked as a whole.
    using locking = new Database(join(folder, DAY_FILE))
    locking.run('pragma locking_mode = exclusive')
    locking.run('begin exclusive')
    const late = reader(200)
    await expect(late.ask(question)).rejects.toBeInstanceOf(StoreUnavailable)
    locking.run('commit')
    locking.close()
    expect(await count(reader())).toBe(records.length)
  })

  test('the event loop does not wait for a question', async () => {
    const storing = writer()
    for (let n = 0; n < 3; n++) {
      await storing.write(batchOf({ records: sampleRecords(1_000, n) }, { from: n * 1_000 }))
    }
    const asking = reader(30_000)
    await count(asking)
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        asking.ask({ ...question, measures: [{ as: 'q', quantile: 'beforeUs', at: 0.5 }] }),
      ),
    )
    clearInterval(timer)
    expect(answers).toHaveLength(10)
    expect(turns).toBeGreaterThan(5)
  })

  test('a short question is not held up by long ones', async () => {
    const storing = writer()
    for (let n = 0; n < 3; n++) {
      await storing.write(batchOf({ records: sampleRecords(1_000, n) }, { from: n * 1_000 }))
    }
    const asking = reader()
    await count(asking)
    const done: string[] = []
    const long = Array.from({ length: 5 }, () =>
      asking.ask({ ...question, measures: [{ as: 'q', quantile: 'beforeUs', at: 0.5 }] }).then(() => done.push('long')),
    )
    const short = asking.feedback(SAMPLE_ORGANISATION, 'nobody').then(() => done.push('short'))
    await Promise.all([...long, short])
    expect(done[0]).toBe('short')
  })

  test('a question with a column that records do not have is refused by name', async () => {
    await writer().write(batchOf({ records }))
    const asking = reader()
    const odd = { ...question, groups: [{ as: 'x', column: 'nonsense' }] } as unknown as Question
    await expect(asking.ask(odd)).rejects.toThrow(/nonsense/)
  })

  test('after it was closed it says so', async () => {
    const asking = reader()
    await asking.close()
    await expect(asking.ask(question)).rejects.toBeInstanceOf(StoreUnavailable)
  })
})
