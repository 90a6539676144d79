/**
 * `bun run bench:records [--rows=1000000] [--store=sqlite|postgres] [--folder=path]`: fills a store with records of thirty days and
 * prints how long each graph of the month takes, and filters that only records can answer over a day, as a table in
 * Markdown. A folder is kept, and not filled again. Postgres is the one of TEST_DATABASE_URL; its records stay there.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openPostgresReader, openPostgresWriter } from '../../../src/records/postgres/index.ts'
import { openSqliteReader, openSqliteWriter } from '../../../src/records/sqlite/index.ts'
import type { RecordReader, RecordWriter } from '../../../src/records/store.ts'
import { fill } from './fill.ts'
import { graphsOfMonth, rawOfDay } from './questions.ts'

const RUNS = 3
/** Far above the targets: what is too slow is to be seen, not to fail. */
const DEADLINE_MS = 60_000

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    store: { type: 'string', default: 'sqlite' },
    folder: { type: 'string' },
  },
})
const count = Number(values.rows)
const rules = () => ({ fallback: { days: 4_000, bodyDays: 4_000 }, workspaces: new Map() })
const now = () => Date.now()

const openStore = async (): Promise<{ writer: RecordWriter; reader: RecordReader; remove(): Promise<void> }> => {
  if (values.store === 'postgres') {
    const databaseUrl = process.env.TEST_DATABASE_URL
    if (!databaseUrl) throw new Error('TEST_DATABASE_URL has to name a database for --store=postgres')
    const reader = openPostgresReader({ databaseUrl, rules, now, deadlineMs: DEADLINE_MS })
    return { writer: openPostgresWriter({ databaseUrl }), reader, remove: async () => {} }
  }
  const own = values.folder === undefined
  const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'weir-bench-records-')))
  const reader = openSqliteReader({ folder, now, rules, deadlineMs: DEADLINE_MS })
  const remove = async (): Promise<void> => {
    if (own) await rm(folder, { recursive: true, force: true })
  }
  return { writer: openSqliteWriter({ folder }), reader, remove }
}

const median = async (run: () => Promise<unknown>): Promise<number> => {
  const took: number[] = []
  for (let turn = 0; turn < RUNS; turn++) {
    const startedMs = performance.now()
    await run()
    took.push(performance.now() - startedMs)
  }
  return took.sort((one, other) => one - other)[Math.floor(RUNS / 2)] ?? 0
}

const { writer, reader, remove } = await openStore()
try {
  const startedMs = performance.now()
  const filled = await fill(writer, count, (done) => process.stderr.write(`\r${done} records`))
  const seconds = (performance.now() - startedMs) / 1_000
  if (filled > 0)
    process.stdout.write(
      `${filled} records stored in ${seconds.toFixed(0)} s, ${Math.round(filled / seconds)} a second\n`,
    )
  const bytes = await reader.size()
  if (bytes !== undefined)
    process.stdout.write(`${(bytes / 1e6).toFixed(0)} MB, ${Math.round(bytes / count)} bytes a record\n`)
  process.stdout.write('\n| question | target, ms | median of three, ms | met |\n| --- | --- | --- | --- |\n')
  for (const [targetMs, questions] of [
    [200, graphsOfMonth],
    [1_000, rawOfDay],
  ] as const) {
    for (const { name, ask } of questions) {
      const ms = await median(() => ask(reader))
      process.stdout.write(`| ${name} | ${targetMs} | ${ms.toFixed(1)} | ${ms <= targetMs ? 'yes' : 'no'} |\n`)
    }
  }
} finally {
  await reader.close()
  await writer.close()
  await remove()
}
