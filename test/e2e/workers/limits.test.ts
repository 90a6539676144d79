import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import type { RunningGateway } from '../../support/command.ts'
import { ADMIN_KEY, call, jsonLines, type WorkerPlace, workerPlace } from './support/gateway.ts'

setDefaultTimeout(240_000)

const LIMIT = 11

let place: WorkerPlace
beforeAll(async () => {
  place = await workerPlace()
})
afterAll(() => place.remove())

const limitCalls = async ({ url }: RunningGateway): Promise<void> => {
  const response = await fetch(`${url}/v2/policies/rate-limits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
    body: JSON.stringify({
      workspace_id: 'ws-default',
      type: 'requests',
      unit: 'rpd',
      value: LIMIT,
      conditions: [{ key: 'workspace_id', value: '*' }],
      group_by: [{ key: 'workspace_id' }],
    }),
  })
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  // Each worker hears of it within a second.
  await Bun.sleep(1_500)
}

/** What the supervisor warns of. */
const warnings = (gateway: RunningGateway): readonly unknown[] =>
  jsonLines(gateway.stderr())
    .filter(({ level, worker }) => level === 'warn' && worker === 0)
    .map(({ message }) => message)

/** Statuses of so many calls, each over a connection of its own. */
const statuses = async ({ url }: RunningGateway, count: number): Promise<readonly number[]> => {
  const found: number[] = []
  for (let round = 0; round < count; round++) found.push((await call(url)).status)
  return found
}

test('without Redis all workers together let through no more than the value; the log says what that means', async () => {
  const gateway = await place.start({ env: { REDIS_URL: '' } })
  await limitCalls(gateway)
  const found = await statuses(gateway, 60)
  expect(new Set(found)).toEqual(new Set([200, 429]))
  // 60 connections reach both: 6 of one, 5 of the other.
  expect(found.filter((status) => status === 200)).toHaveLength(LIMIT)
  expect(warnings(gateway)).toEqual([
    'without REDIS_URL each worker counts rate limits by itself, with an equal share of their values',
  ])
  await gateway.stop()
})

test('with Redis they count as one', async () => {
  const gateway = await place.start()
  const found = await statuses(gateway, 30)
  expect(found).toEqual([...Array(LIMIT).fill(200), ...Array(30 - LIMIT).fill(429)])
  expect(warnings(gateway)).toEqual([])
  await gateway.stop()
})
