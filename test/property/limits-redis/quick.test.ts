import { afterAll, expect, test } from 'bun:test'
import { findQuickFault } from './support/quick.ts'
import { connectTestRedis } from './support/services.ts'
import { SUBJECT } from './support/subject.ts'

const redis = connectTestRedis()
afterAll(() => redis.close())

test('Redis does what the ring does', async () => {
  expect(await findQuickFault(redis.single, redis.cluster, SUBJECT)).toBeUndefined()
}, 60_000)
