import { readFileSync } from 'node:fs'
import { availableParallelism, platform } from 'node:os'
import { ConfigError } from '../../config/config-error.ts'
import { WrongUsage } from '../terminal/flags.ts'

/** Each takes memory and connections of the database. */
const MOST_WORKERS = 256

/** Of version 2 of control groups: microseconds of processor time in a period, and the period. */
const CPU_LIMIT_FILE = '/sys/fs/cgroup/cpu.max'

export interface WorkerCountOptions {
  /** What `--workers` says. */
  readonly flag: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default: those of this machine. */
  readonly cores?: () => number
  /** Default: that of this machine. */
  readonly system?: string
}

/** How many processes serve; `reason` says why there is one where more could have been asked for. */
export interface WorkerCount {
  readonly count: number
  readonly reason?: string
}

/**
 * Reads how many workers are asked for: the flag, else `WEIR_WORKERS`, else one.
 * @throws WrongUsage naming the flag, ConfigError naming the variable or what is in the way
 */
export const readWorkerCount = ({
  flag,
  env,
  cores = availableCores,
  system = platform(),
}: WorkerCountOptions): WorkerCount => {
  const [name, text] = flag === undefined ? ['WEIR_WORKERS', env.WEIR_WORKERS || undefined] : ['--workers', flag]
  if (text === undefined) return { count: 1 }
  if (text !== 'auto' && !(/^[1-9][0-9]{0,3}$/.test(text) && Number(text) <= MOST_WORKERS)) {
    const problem = `${name} is '${text}': it must be a number from 1 to ${MOST_WORKERS}, or auto`
    throw flag === undefined ? new ConfigError(problem) : new WrongUsage(problem)
  }
  const count = text === 'auto' ? Math.min(cores(), MOST_WORKERS) : Number(text)
  if (count === 1) return { count }
  const problem = onlyOne(env, system)
  if (problem === undefined) return { count }
  if (text === 'auto') return { count: 1, reason: problem }
  throw new ConfigError(`${name} is ${text}: ${problem}`)
}

/** Why there can be no more than one process here. */
const onlyOne = (env: WorkerCountOptions['env'], system: string): string | undefined => {
  if (system !== 'linux') return 'several workers share a port on Linux alone'
  if (env.WEIR_CONTROL_PLANE) return 'a data plane (WEIR_CONTROL_PLANE) has one worker; start more data planes instead'
  if (!env.DATABASE_URL)
    return 'the embedded database has room for one worker; set DATABASE_URL to a Postgres that all of them share, and REDIS_URL for rate limits that they share'
  return undefined
}

/** Cores that this process may use: those of the machine, or what its container is given. */
const availableCores = (): number => {
  const cores = availableParallelism()
  try {
    const [quota, period] = readFileSync(CPU_LIMIT_FILE, 'utf8').split(' ').map(Number)
    const given = Math.floor((quota ?? Number.NaN) / (period ?? Number.NaN))
    return Number.isNaN(given) ? cores : Math.max(1, Math.min(cores, given))
  } catch {
    return cores
  }
}
