import { chatBody } from '../../../bench/gateway/load/bodies.ts'
import type { AnswerKind } from '../../../bench/gateway/upstream/behaviours.ts'
import type { Upstream } from '../../../bench/gateway/upstream/start.ts'
import { createBudget } from '../../budgets/support/budget-world.ts'
import { API_KEY, type Scene } from '../../management/support/scene.ts'
import { createPolicy, freshRun } from '../../rate-limits/support/limited.ts'
import { type CountedGateway, type Counts, costOf, startCounted } from './counts.ts'

/** One kind of call, and what it may cost. */
export interface Lane {
  readonly title: string
  readonly answer: AnswerKind
  /** What is kept of messages. Default: nothing. */
  readonly bodies?: 'none' | 'all'
  readonly usesRedis?: true
  /** What the lane needs to be there. @returns request headers */
  readonly prepare?: (gateway: CountedGateway) => Promise<Readonly<Record<string, string>>>
  readonly warmUp: number
  readonly times: number
  /** Default: one after the other. */
  readonly together?: number
  readonly bounds: Counts
}

const limited = async (gateway: CountedGateway): Promise<string> => {
  const run = freshRun()
  await createPolicy(gateway, { run, value: 100_000 })
  await createPolicy(gateway, { run, value: 100_000_000, type: 'tokens' })
  return run
}

const labelled = (run: string): Record<string, string> => ({ 'x-gateway-metadata': JSON.stringify({ run }) })

export const LANES: readonly Lane[] = [
  {
    title: 'a call with a key',
    answer: 'json',
    warmUp: 50,
    times: 200,
    // 490 to 545: the fewer calls a second, the more of what runs beside them, such as sinks, is counted to each.
    bounds: { promises: 23, objects: 590, providerWrites: 1, redisCommands: 0 },
  },
  {
    title: 'a call with two policies, counted in Redis',
    answer: 'json',
    usesRedis: true,
    prepare: async (gateway) => labelled(await limited(gateway)),
    warmUp: 50,
    times: 200,
    // Admitted from leases; what renews them falls on few calls.
    bounds: { promises: 30, objects: 800, providerWrites: 1, redisCommands: 1 },
  },
  {
    title: 'a call with two policies and two budgets, counted in Redis',
    answer: 'json',
    usesRedis: true,
    prepare: async (gateway) => {
      const run = await limited(gateway)
      const conditions = [{ key: 'metadata.run', value: run }]
      await createBudget(gateway, { conditions, type: 'cost', credit_limit: 1_000_000 })
      await createBudget(gateway, { conditions, type: 'tokens', credit_limit: 1_000_000_000, enforcement: 'reserve' })
      return labelled(run)
    },
    warmUp: 50,
    times: 200,
    // Admitted from leases too. Some 90 objects are the counts and what they say; what is told once a second falls on few calls.
    bounds: { promises: 32, objects: 900, providerWrites: 1, redisCommands: 1 },
  },
  {
    title: 'a call whose messages are kept',
    answer: 'json',
    bodies: 'all',
    warmUp: 50,
    times: 200,
    bounds: { promises: 24, objects: 720, providerWrites: 1, redisCommands: 0 },
  },
  {
    title: 'a stream of 200 events whose messages are kept',
    answer: 'burst',
    bodies: 'all',
    warmUp: 20,
    times: 50,
    // Each event is parsed once more, when the stream has ended.
    bounds: { promises: 27, objects: 5_400, providerWrites: 1, redisCommands: 0 },
  },
  {
    title: 'a stream of 200 events that come one by one',
    answer: 'paced',
    warmUp: 20,
    times: 20,
    together: 20,
    // Far from one for each event.
    bounds: { promises: 100, objects: 4_500, providerWrites: 1, redisCommands: 0 },
  },
  {
    title: 'a stream of 200 events that come at once',
    answer: 'burst',
    warmUp: 20,
    times: 50,
    bounds: { promises: 32, objects: 2_750, providerWrites: 1, redisCommands: 0 },
  },
]

/** Where lanes are measured. */
export interface Place {
  readonly scene: Scene
  readonly upstream: Upstream
  readonly redisUrl: string
}

/** What one call of a lane costs, in a gateway of its own. */
export const costOfLane = async (
  { answer, bodies = 'none', usesRedis, prepare, warmUp, times, together = 1 }: Lane,
  { scene, upstream, redisUrl }: Place,
): Promise<Counts> => {
  const openai = { baseURL: `${upstream.url('openai', answer)}/v1`, apiKey: 'sk-of-the-operator' }
  await Bun.write(
    `${scene.folder}/weir.config.yaml`,
    JSON.stringify({ records: { bodies }, plugins: ['defaults', { openai }] }),
  )
  const gateway = await startCounted(scene.folder, { ...scene.env, ...(usesRedis && { REDIS_URL: redisUrl }) })
  try {
    const headers = {
      authorization: `Bearer ${API_KEY}`,
      'content-type': 'application/json',
      'x-gateway-provider': 'openai',
      ...(await prepare?.(gateway)),
    }
    const body = chatBody({ wire: 'openai', size: '4 KB', stream: answer !== 'json' })
    const ask = async (): Promise<void> => {
      const reply = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', headers, body })
      const text = await reply.text()
      if (reply.status !== 200) throw new Error(`${reply.status}: ${text}`)
    }
    return await costOf(gateway, ask, { warmUp, times, together })
  } finally {
    await gateway.stop()
  }
}
