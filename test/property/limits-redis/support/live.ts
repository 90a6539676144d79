import type { Cluster, Redis } from 'ioredis'
import type { RedisStore } from '../../../../src/limits/redis/redis-store.ts'
import { goneAt } from '../../../../src/limits/ring/ring.ts'
import type { Charge, RingKey } from '../../../../src/limits/ring/ring-store.ts'
import { GRIDS, type LimitUnit } from '../../../../src/limits/ring/units.ts'
import type { Subject } from './subject.ts'
import type { Fault } from './world.ts'

const UNITS = ['rps', 'rpm', 'rph', 'rpd', 'rpw'] as const
const CALLS = 100
const ROOM = 10
/** How far the clock of the caller is behind. */
const CALLER_ERROR_MS = 5_000

const keyOf = (workspaceId: string, unit: LimitUnit): RingKey => ({
  workspaceId,
  limitId: `limit-${unit}`,
  unit,
  group: 'g'.repeat(22),
  label: '["g"]',
})

const chargeOf = (workspaceId: string, unit: LimitUnit): Charge => ({
  key: keyOf(workspaceId, unit),
  limit: ROOM,
  weight: 1,
  grain: 1,
  shadow: false,
})

/** A store whose scripts get the time of the caller too, which they must not use. */
const storeOf = ({ createRedisStore, createScriptRunner }: Subject, client: Redis | Cluster): RedisStore => {
  const run = createScriptRunner(client)
  return createRedisStore({
    client,
    kind: 'single',
    run: (name, keys, args) => run(name, keys, [...args, Date.now() - CALLER_ERROR_MS]),
  })
}

const newWorkspace = (): string => `test-${crypto.randomUUID()}`

/** Calls that are made at once find room for `ROOM` of them. */
const findOvershoot = async (store: RedisStore): Promise<Fault | undefined> => {
  const charge = chargeOf(newWorkspace(), 'rpw')
  const admissions = await Promise.all(Array.from({ length: CALLS }, () => store.admit([charge])))
  const admitted = admissions.filter((admission) => admission.admitted).length
  await store.reset(charge.key)
  return admitted === ROOM ? undefined : `${admitted} of ${CALLS} calls at once were admitted, not ${ROOM}`
}

/** The key outlives what it counts, and the group is in the list for as long as there is something to reset. */
const findWrongLife = async (client: Redis, subject: Subject): Promise<Fault | undefined> => {
  const store = storeOf(subject, client)
  const workspaceId = newWorkspace()
  // A key of a second could go while it is looked at.
  for (const unit of UNITS.filter((one) => one !== 'rps')) {
    const key = keyOf(workspaceId, unit)
    const { verdicts } = await store.admit([chargeOf(workspaceId, unit)])
    const endsMs = goneAt(verdicts[0]?.index ?? 0, GRIDS[unit])
    const keptMs = await client.pttl(subject.redisKeyOf(key))
    const listedMs = await client.pttl(subject.groupsKeyOf(key))
    const [seconds = 0] = (await client.time()).map(Number)
    const latestMs = seconds * 1_000 + 999
    if (latestMs + keptMs < endsMs)
      return `a key of ${unit} goes ${endsMs - latestMs - keptMs} ms before what it counts`
    if (latestMs + listedMs < endsMs)
      return `the groups of ${unit} go ${endsMs - latestMs - listedMs} ms before their use`
    await store.reset(key)
    if ((await client.exists(subject.groupsKeyOf(key))) > 0) return `a group of ${unit} is listed after its reset`
  }
  return undefined
}

/** All rings of a call, and all indexes of groups, are in one slot of a Cluster. */
const findSpread = async (cluster: Cluster, subject: Subject): Promise<Fault | undefined> => {
  const workspaceId = newWorkspace()
  try {
    const { admitted } = await storeOf(subject, cluster).admit(UNITS.map((unit) => chargeOf(workspaceId, unit)))
    return admitted ? undefined : 'a first call was refused'
  } catch (error) {
    return `the rings of one call cannot be charged together: ${String(error)}`
  }
}

/** What only shows at the real clock of a real server. */
export const findLiveFault = async (client: Redis, cluster: Cluster, subject: Subject): Promise<Fault | undefined> =>
  (await findSpread(cluster, subject)) ??
  (await findOvershoot(storeOf(subject, client))) ??
  (await findWrongLife(client, subject))
