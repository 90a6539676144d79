import { expect, test } from 'bun:test'
import { seeded } from '../budgets/support/load.ts'
import { runKilledBatch } from './support/killed-batch.ts'

/** The long one: `BATCH_LINES=10000 BATCH_KILLS=20 bun run test test/e2e/batches/killed.test.ts`. */
const lines = Number(process.env.BATCH_LINES ?? 800)
const kills = Number(process.env.BATCH_KILLS ?? 4)
const seed = Number(process.env.BATCH_SEED ?? 7)

test('a batch over two processes that are killed at random has each result once', async () => {
  const end = await runKilledBatch({ lines, kills, random: seeded(seed), longestLifeMs: lines })
  const { ids, ...told } = end
  console.log(`${lines} lines, ${JSON.stringify(told)}`)
  expect(end).toMatchObject({ status: 'completed', counts: { total: lines, completed: lines, failed: 0 }, errors: [] })
  expect(ids).toEqual(Array.from({ length: lines }, (_, number) => `line-${number}`))
  expect(end.kills).toBeGreaterThan(0)
  expect(end.asked).toBeGreaterThanOrEqual(lines)
}, 600_000)
