import { cpus, loadavg, release, totalmem } from 'node:os'

/** What the figures belong to. Nothing in it says whose machine it is. */
export interface Machine {
  readonly date: string
  readonly commit: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly bun: string
  readonly node: string
  readonly wrk: string
  /** Processes that wanted a core in the minute before the start: on a quiet machine nearly none. */
  readonly loadBefore: number
}

const BYTES_PER_GB = 1_073_741_824

export const describeMachine = (): Machine => ({
  date: new Date().toISOString().slice(0, 10),
  commit: firstLine(['git', 'rev-parse', '--short', 'HEAD']) || 'unknown',
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGb: Math.round(totalmem() / BYTES_PER_GB),
  system: `${process.platform} ${release().split('.').slice(0, 2).join('.')}`,
  bun: Bun.version,
  node: firstLine(['node', '--version']),
  wrk: /wrk (?:\S+\/)?(\d[\d.]*)/.exec(firstLine(['wrk', '--version']))?.[1] ?? 'unknown',
  loadBefore: loadavg()[0] ?? 0,
})

const firstLine = (command: string[]): string => {
  if (Bun.which(command[0] ?? '') === null) return 'none'
  const { stdout } = Bun.spawnSync(command, { stderr: 'ignore' })
  return stdout.toString().split('\n')[0]?.trim() ?? ''
}
