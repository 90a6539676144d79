import { join } from 'node:path'
import type { LimitUnit } from '../../../../src/limits/ring/units.ts'
import type { RaceEvent, RaceResult } from './race-log.ts'

export interface RaceOptions {
  readonly redisUrl: string
  readonly workspaceId: string
  readonly unit: LimitUnit
  readonly limit: number
  readonly keys: number
  /** Workers of each process; each has one call under way. */
  readonly workers: number
  readonly seconds: number
  readonly heaviest: number
  /** Whether part of what was charged is given back at once. */
  readonly refunds: boolean
  /** Whether processes let calls through by what they have leased. They rest now and then, so that there is room. */
  readonly leases: boolean
}

export interface Race extends RaceResult {
  /** Processes that were let through at least once. */
  readonly admittedProcesses: number
}

/** Runs the processes of a race, and puts what they saw together. @throws Error when one of them fails */
export const runRace = async (processes: number, options: RaceOptions): Promise<Race> => {
  const results = await Promise.all(
    Array.from({ length: processes }, (_, place) => runProcess({ ...options, processes, seed: place + 1 })),
  )
  const events: RaceEvent[] = results.flatMap((result) => result.events)
  return {
    events,
    refused: results.reduce((sum, result) => sum + result.refused, 0),
    covered: results.reduce((sum, result) => sum + result.covered, 0),
    admittedProcesses: results.filter((result) => result.events.length > 0).length,
  }
}

const runProcess = async (
  options: RaceOptions & { readonly seed: number; readonly processes: number },
): Promise<RaceResult> => {
  const worker = Bun.spawn([process.execPath, join(import.meta.dir, 'race-worker.ts'), JSON.stringify(options)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const output = await new Response(worker.stdout).text()
  const code = await worker.exited
  if (code !== 0) throw new Error(`A process of the race ended with ${code}`)
  return JSON.parse(output)
}
