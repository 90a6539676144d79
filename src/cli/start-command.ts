import { createOwnLog } from './own-logs.ts'
import type { Environment, ExitCode } from './terminal/environment.ts'
import { WrongUsage } from './terminal/flags.ts'
import { helpOf } from './terminal/help.ts'
import { supervisorLink } from './workers/supervisor-link.ts'
import { readWorkerCount, type WorkerCount } from './workers/worker-count.ts'

/** `weir start`: one process, or a supervisor with its workers, or one of those. @param workers what `--workers` says */
export const startCommand = async (
  environment: Environment,
  configFile: string | undefined,
  workers: string | undefined,
): Promise<ExitCode> => {
  const link = supervisorLink(environment)
  if (link !== undefined) return (await import('./workers/run-worker.ts')).runWorker(environment, configFile, link)
  let asked: WorkerCount
  try {
    asked = readWorkerCount({ flag: workers, env: environment.env })
  } catch (thrown) {
    if (!(thrown instanceof WrongUsage)) throw thrown
    environment.error(`weir start: ${thrown.message}\n\n${helpOf('start')}`)
    return 2
  }
  const { count, reason } = asked
  if (count > 1) return (await import('./workers/supervise.ts')).supervise(environment, configFile, count)
  if (reason !== undefined) createOwnLog(environment).warn('there is one worker', { reason })
  return (await import('./start.ts')).start(environment, configFile)
}
