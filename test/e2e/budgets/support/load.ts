import type { RunningGateway } from '../../../support/command.ts'
import type { Reply } from '../../management/support/http.ts'
import type { BudgetWorld } from './budget-world.ts'

/** What clients saw. */
export interface Tally {
  /** Calls by the status of their answers. */
  readonly statuses: Map<number, number>
  /** Calls whose connection ended before their answer did. */
  cut: number
  /** The last answer that refused a call. */
  refusal: Reply | undefined
}

export interface LoadOptions {
  readonly world: BudgetWorld
  /** Names of gateways; clients keep to theirs. */
  readonly gateways: readonly string[]
  /** Clients of each, each with one call at a time. */
  readonly clients: number
  readonly call: (gateway: RunningGateway, index: number) => Promise<Reply>
  /** Asked before each call. */
  readonly isOver: () => boolean
  /** Milliseconds between two calls of a client. */
  readonly pauseMs?: () => number
}

/** Keeps gateways busy until it is over. Where one is down its clients wait for it. */
export const runLoad = async (options: LoadOptions): Promise<Tally> => {
  const { world, gateways, clients, call, isOver, pauseMs = () => 0 } = options
  const tally: Tally = { statuses: new Map(), cut: 0, refusal: undefined }
  let index = 0
  const client = async (name: string): Promise<void> => {
    while (!isOver()) {
      const gateway = world.running.get(name)
      if (gateway === undefined) {
        await Bun.sleep(20)
        continue
      }
      try {
        const reply = await call(gateway, index++)
        tally.statuses.set(reply.status, (tally.statuses.get(reply.status) ?? 0) + 1)
        if (reply.status === 412) tally.refusal = reply
      } catch {
        // Its gateway was killed.
        tally.cut++
        await Bun.sleep(20)
      }
      if (pauseMs() > 0) await Bun.sleep(pauseMs())
    }
  }
  await Promise.all(gateways.flatMap((name) => Array.from({ length: clients }, () => client(name))))
  return tally
}

export const served = ({ statuses }: Tally): number => statuses.get(200) ?? 0

export interface ChaosOptions {
  readonly world: BudgetWorld
  readonly gateways: readonly string[]
  /** At least 0 and below 1. */
  readonly random: () => number
  /** A process lives for so long at most after its start, in milliseconds. */
  readonly longestLifeMs: number
  readonly isOver: () => boolean
  /** Environment of those that are started. */
  readonly env?: Readonly<Record<string, string>>
}

/** Kills gateways at moments of chance and starts them again, each by itself. All run when it is over. @returns how many deaths there were */
export const runChaos = async ({
  world,
  gateways,
  random,
  longestLifeMs,
  isOver,
  env,
}: ChaosOptions): Promise<number> => {
  let deaths = 0
  const haunt = async (name: string): Promise<void> => {
    for (;;) {
      for (const untilMs = performance.now() + random() * longestLifeMs; performance.now() < untilMs; ) {
        if (isOver()) return
        await Bun.sleep(20)
      }
      if (isOver()) return
      await world.kill(name)
      deaths++
      await world.start(name, env)
    }
  }
  await Promise.all(gateways.map(haunt))
  return deaths
}

/** Numbers of chance that a seed repeats. */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Looks again until it holds. @throws Error with what was seen last */
export const untilHolds = async <Seen>(
  look: () => Promise<Seen>,
  holds: (seen: Seen) => boolean,
  deadlineMs = 30_000,
): Promise<Seen> => {
  for (const endMs = performance.now() + deadlineMs; ; await Bun.sleep(50)) {
    const seen = await look()
    if (holds(seen)) return seen
    if (performance.now() > endMs)
      throw new Error(`it did not come about within ${deadlineMs} ms: ${Bun.inspect(seen)}`)
  }
}
