import { join } from 'node:path'
import { spawnProgram } from '../process/spawn.ts'
import type { StreamPlan, StreamReport } from './stream-plan.ts'

export interface RunningStreams {
  /** Resolves when every stream has sent something. */
  readonly begun: Promise<void>
  /** What happened since then: after the time of the plan, or at once where the streams are held. @throws Error when one failed */
  report(): Promise<StreamReport>
  /** Ends all streams. */
  end(): Promise<void>
}

/** Starts the load of streams. */
export const startStreams = (plan: StreamPlan): RunningStreams => {
  const program = spawnProgram({
    name: 'the load of streams',
    command: [process.execPath, join(import.meta.dir, 'stream-client.ts')],
    stdout: 'pipe',
    firstInput: `${JSON.stringify(plan)}\n`,
  })
  return {
    begun: program.line().then(() => undefined),
    async report() {
      const report = JSON.parse(await program.line()) as StreamReport
      const failed = Object.entries(report.failures)
      if (failed.length > 0) {
        throw new Error(`Streams failed: ${failed.map(([kind, count]) => `${count} × ${kind}`).join(', ')}`)
      }
      return report
    },
    end: program.stop,
  }
}
