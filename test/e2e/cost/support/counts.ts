import { join } from 'node:path'
import { type RunningGateway, startCommand } from '../../../support/command.ts'

/** What a gateway has done since its start. */
export interface Counts {
  readonly promises: number
  /** Promises too, and whatever else the collector would have to find. */
  readonly objects: number
  readonly providerWrites: number
  readonly redisCommands: number
}

export interface CountedGateway extends RunningGateway {
  counts(): Promise<Counts>
}

/** Without a collector and without the compiler that leaves allocations out, so that each call counts the same. */
const EXACT = { BUN_JSC_useGC: '0', BUN_JSC_useDFGJIT: '0' }

export const startCounted = async (folder: string, env: Readonly<Record<string, string>>): Promise<CountedGateway> => {
  const script = join(import.meta.dir, 'counted-gateway.ts')
  const gateway = await startCommand({ folder, script, env: { ...env, ...EXACT } })
  const [, url = ''] = await gateway.seen(/Counters are at (\S+)/)
  return { ...gateway, counts: async () => (await (await fetch(url)).json()) as Counts }
}

/** A look at the database, every five seconds, costs as much as a long stream: it cannot fall into so many rounds. */
const ROUNDS = 3

export interface Runs {
  readonly warmUp: number
  readonly times: number
  /** Runs at once: what lasts long shares among them what falls into its time. */
  readonly together: number
}

/** What one of `times` runs costs, once all that is kept has been made: in the round that cost least. */
export const costOf = async (gateway: CountedGateway, run: () => Promise<void>, runs: Runs): Promise<Counts> => {
  await runAll(run, runs.warmUp, runs.together)
  let least = await costOfRound(gateway, run, runs)
  for (let round = 1; round < ROUNDS; round += 1) {
    const cost = await costOfRound(gateway, run, runs)
    if (cost.objects < least.objects) least = cost
  }
  return least
}

const runAll = async (run: () => Promise<void>, times: number, together: number): Promise<void> => {
  for (let done = 0; done < times; done += together) await Promise.all(Array.from({ length: together }, run))
}

const costOfRound = async (
  gateway: CountedGateway,
  run: () => Promise<void>,
  { times, together }: Runs,
): Promise<Counts> => {
  const before = await gateway.counts()
  await runAll(run, times, together)
  const after = await gateway.counts()
  const each = (name: keyof Counts): number => (after[name] - before[name]) / times
  return {
    promises: each('promises'),
    objects: each('objects'),
    providerWrites: each('providerWrites'),
    redisCommands: each('redisCommands'),
  }
}
