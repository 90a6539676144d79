import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spawnProgram } from '../process/spawn.ts'
import { type LoadResult, readWrkOutput } from './wrk-output.ts'

/** What is asked, again and again. */
export interface LoadRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** One of these for each request, as bearer, instead of that of the headers. */
  readonly keys?: readonly string[]
}

export interface LoadShape {
  readonly connections: number
  /** Whole seconds: wrk knows no others. */
  readonly seconds: number
  /** Mean pause of a connection between two requests. Milliseconds; none by default. */
  readonly pauseMs?: number
}

/** Seconds until wrk gives a request up. */
const TIMEOUT_SECONDS = 30

/** @throws Error that says how to install it */
export const requireWrk = (): string => {
  const program = Bun.which('wrk')
  if (program !== null) return program
  throw new Error(
    'The benchmark needs wrk to make the load: `apt-get install wrk`, `brew install wrk`, or see https://github.com/wg/wrk',
  )
}

/** A load that can be made several times. The requests are written to files below `folder`, where wrk reads them. */
export const prepareLoad = async (folder: string, { url, headers, body, keys }: LoadRequest) => {
  const own = await mkdtemp(join(folder, 'load-'))
  const files = { body: join(own, 'body'), headers: join(own, 'headers'), keys: join(own, 'keys') }
  await writeFile(files.body, body)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
  await writeFile(files.headers, lines.join(''))
  if (keys !== undefined) await writeFile(files.keys, keys.join('\n'))

  /** @throws Error when a request failed */
  return async ({ connections, seconds, pauseMs = 0 }: LoadShape): Promise<LoadResult> => {
    const program = spawnProgram({
      name: 'wrk',
      command: [
        requireWrk(),
        ...['--threads', '1', '--connections', `${connections}`, '--duration', `${seconds}s`],
        ...['--timeout', `${TIMEOUT_SECONDS}s`, '--script', join(import.meta.dir, 'wrk.lua'), url, '--'],
        ...[files.body, files.headers, `${pauseMs}`, ...(keys === undefined ? [] : [files.keys])],
      ],
      stdout: 'pipe',
    })
    return readWrkOutput(await program.finish())
  }
}

export type Load = Awaited<ReturnType<typeof prepareLoad>>
