import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { freePorts } from '../../../support/start-ports.ts'
import type { LoadRequest } from '../load/wrk.ts'
import { spawnProgram } from '../process/spawn.ts'
import { type Usage, usageOf } from '../process/usage.ts'

/** A program that is measured. */
export interface Subject {
  readonly pid: number
  /** Base URL, without a path. */
  readonly url: string
  usage(): Usage
  /** Milliseconds from its start to the first 200. */
  readonly startMs: number
  stop(): Promise<void>
}

export interface SubjectOptions {
  readonly name: string
  /** Folder for its files. */
  readonly folder: string
  readonly command: (port: number) => readonly string[]
  readonly env: (port: number) => Readonly<Record<string, string>>
  /** Where it runs. Default: a new folder below `folder`. */
  readonly runsIn?: string
  /** What it writes to standard output is read and thrown away by another process, as a collector of logs does. */
  readonly hasLog?: boolean
  /** What it must answer with 200 before it counts as started. */
  readonly probe: (url: string) => LoadRequest
}

const READY_DEADLINE_MS = 60_000
/** One that answers, and neither with 200 nor with "not yet", gets only so long. */
const REFUSAL_DEADLINE_MS = 3_000
const NOT_YET = 503
const POLL_MS = 2

/** @throws Error with what it wrote, when it ends or does not answer in time */
export const startSubject = async (options: SubjectOptions): Promise<Subject> => {
  const own = await mkdtemp(join(options.folder, 'subject-'))
  const [port = 0] = freePorts(1)
  const log = options.hasLog === true ? openLog(join(own, 'log')) : undefined
  const startedMs = performance.now()
  const program = spawnProgram({
    name: options.name,
    command: options.command(port),
    folder: options.runsIn ?? own,
    env: options.env(port),
    ...(log === undefined ? {} : { stdout: log.descriptor }),
  })
  log?.close()
  const url = `http://127.0.0.1:${port}`
  const probe = options.probe(url)
  let refusedMs: number | undefined
  for (;;) {
    const { status, text } = await ask(probe)
    if (status === 200) break
    const nowMs = performance.now()
    if (status !== undefined && status !== NOT_YET) refusedMs ??= nowMs
    const isLate = nowMs - startedMs > READY_DEADLINE_MS || nowMs - (refusedMs ?? nowMs) > REFUSAL_DEADLINE_MS
    if (program.hasEnded || isLate) {
      await program.stop()
      throw new Error(`${options.name} does not serve: ${status ?? 'no answer'} ${text}\n${program.errors()}`)
    }
    await Bun.sleep(POLL_MS)
  }
  return {
    pid: program.pid,
    url,
    usage: () => usageOf(program.pid),
    startMs: performance.now() - startedMs,
    stop: program.stop,
  }
}

/** @returns no status where nobody answers */
const ask = async ({
  url,
  headers,
  body,
}: LoadRequest): Promise<{ readonly status?: number; readonly text: string }> => {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body })
    const { status } = answer
    if (status !== 200) return { status, text: (await answer.text()).slice(0, 500) }
    // Streams may have no end.
    await answer.body?.cancel()
    return { status, text: '' }
  } catch (thrown) {
    return { text: String(thrown) }
  }
}

/** A pipe with a name, whose other end goes nowhere. */
const openLog = (path: string) => {
  Bun.spawnSync(['mkfifo', path])
  spawnProgram({ name: 'the reader of a log', command: ['cat', path] })
  // To read as well: opened to write alone it would wait for a reader, and with it this whole program.
  const descriptor = openSync(path, constants.O_RDWR)
  return { descriptor, close: () => closeSync(descriptor) }
}
