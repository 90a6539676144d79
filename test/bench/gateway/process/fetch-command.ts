import { spawnProgram } from './spawn.ts'

export interface FetchCommand {
  /** For messages. */
  readonly name: string
  readonly command: readonly string[]
  readonly folder?: string
  readonly deadlineMs: number
}

/**
 * Runs what fetches packages, with the whole environment: a registry or a proxy that it names is to be used here too.
 * @returns whether it came to a good end in time
 */
export const fetchesBy = async ({ deadlineMs, ...program }: FetchCommand): Promise<boolean> => {
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const running = spawnProgram({ ...program, env })
  const late = setTimeout(() => void running.stop(), deadlineMs)
  const code = await running.exited
  clearTimeout(late)
  return code === 0
}
