import { afterAll, expect, test } from 'bun:test'
import { REDIS_MUTANTS } from '../../mutants/mutants/redis.ts'
import { findQuickFault } from './support/quick.ts'
import { connectTestRedis } from './support/services.ts'
import { loadChanged } from './support/subject.ts'

const redis = connectTestRedis()
afterAll(() => redis.close())

test.each(REDIS_MUTANTS)(
  'is caught: $name',
  async (mutant) => {
    const subject = await loadChanged(mutant)
    const fault = await findQuickFault(redis.single, redis.cluster, subject)
    expect(fault).toBeDefined()
    // A script that does not even run would prove nothing.
    expect(fault).not.toMatch(/compil|NOSCRIPT|Connection/)
  },
  60_000,
)
