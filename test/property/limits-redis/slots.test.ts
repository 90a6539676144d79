import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { toGroup } from '../../../src/limits/match/groups.ts'
import { groupsKeyOf, redisKeyOf } from '../../../src/limits/redis/redis-keys.ts'
import { createRedisStore } from '../../../src/limits/redis/redis-store.ts'
import type { Charge } from '../../../src/limits/ring/ring-store.ts'
import { connectTestRedis } from './support/services.ts'

const redis = connectTestRedis()
afterAll(() => redis.close())

const UNITS = ['rps', 'rpm', 'rph', 'rpd', 'rpw'] as const
const store = createRedisStore({ client: redis.cluster, kind: 'cluster' })
const slotOf = async (key: string): Promise<number> => Number(await redis.cluster.cluster('KEYSLOT', key))

const ids = fc.stringMatching(/^[A-Za-z0-9._-]{1,40}$/)
const values = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('{', '}', '{}', '}{', '{other}', '\0', '\r\n', ' ', '', 'é', '😀', '\ud800', 'x'.repeat(1_000_000)),
)

/** One charge for each value, as a policy that groups by it would make it. */
const chargesOf = (workspaceId: string, limitIds: readonly string[], groupValues: readonly string[]): Charge[] =>
  groupValues.map((value, place) => {
    const limitId = `${limitIds[place % limitIds.length]}.${place}`
    const { hash, label } = toGroup({ id: limitId, groupBy: ['metadata.user'] }, [value])
    const unit = UNITS[place % UNITS.length] ?? 'rpm'
    return { key: { workspaceId, limitId, unit, group: hash, label }, limit: 5, weight: 1, grain: 1, shadow: false }
  })

test('whatever the values of a group, all keys of a call are in the slot of their workspace', async () => {
  await fc.assert(
    fc.asyncProperty(
      ids,
      fc.array(ids, { minLength: 1, maxLength: 3 }),
      fc.array(values, { minLength: 1, maxLength: 8 }),
      async (workspaceId, limitIds, groupValues) => {
        const charges = chargesOf(workspaceId, limitIds, groupValues)
        const keys = charges.flatMap(({ key }) => [redisKeyOf(key), groupsKeyOf(key)])
        expect(new Set(await Promise.all(keys.map(slotOf)))).toEqual(new Set([await slotOf(workspaceId)]))
        for (const key of keys) expect(key).toMatch(/^rl:\{[\w.-]+\}:[\w.-]+:rp[smhdw]:[\w-]+$/)
        // A Cluster refuses a script whose keys are not in one slot.
        expect((await store.admit(charges)).verdicts).toHaveLength(charges.length)
        await Promise.all(charges.map(({ key }) => store.reset(key)))
      },
    ),
    { numRuns: 200 },
  )
}, 120_000)

test('a label comes back as it was given, whatever it holds', async () => {
  const workspaceId = `test-${crypto.randomUUID()}`
  for (const value of ['{', ' a  b ', '\0', '😀"\\', 'x'.repeat(1_000_000)]) {
    const [charge] = chargesOf(workspaceId, ['limit'], [value])
    if (charge === undefined) throw new Error('There is no charge')
    await store.admit([charge])
    const { groups } = await store.groups(charge.key, { offset: 0, limit: 10 })
    expect(groups.map(({ group, label }) => ({ group, label }))).toContainEqual({
      group: charge.key.group,
      label: charge.key.label,
    })
    await store.reset(charge.key)
  }
})
