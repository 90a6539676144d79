import { join } from 'node:path'

const ROOT = join(import.meta.dir, '..', '..')

/** What the start prints once calls are answered (src/cli/terminal/banner.ts). */
const LISTENING = /^Weir \S+ is listening on (http:\/\/\S+)$/m

/** A first start makes a database; on a busy machine that takes a while. */
const START_DEADLINE_MS = 60_000
const STOP_DEADLINE_MS = 10_000
const BUILD_DEADLINE_MS = 120_000

export interface CommandOptions {
  /** A compiled program. Without it a script runs on the Bun that runs the tests. */
  readonly executable?: string
  /** Default: `src/main.ts`. */
  readonly script?: string
  /** Default: `start`. */
  readonly args?: readonly string[]
  /** All of the environment but `PATH`, `HOME` and `TMPDIR`: nothing of the test runner's own leaks in. */
  readonly env?: Readonly<Record<string, string>>
  /** Working folder: where a config file is looked for. */
  readonly folder: string
}

/** How a command ended. The code is its own, or 128 and the number of the signal that ended it. */
export interface CommandEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Command {
  readonly pid: number
  /** What was written so far. */
  stdout(): string
  stderr(): string
  /** Resolves when the process has ended and all its output was read. */
  readonly exited: Promise<CommandEnd>
  /** The URL of the listening line. @throws Error with the output when the command ends or the deadline (ms) passes first. */
  listening(deadlineMs?: number): Promise<string>
  /** Resolves with the first match in standard error, from now or before. @throws as `listening`. */
  seen(pattern: RegExp, deadlineMs?: number): Promise<RegExpExecArray>
  signal(signal: NodeJS.Signals): void
  /** Signals the process, by default with SIGTERM, waits for its end, and kills it after ten seconds. */
  stop(signal?: NodeJS.Signals): Promise<CommandEnd>
}

export interface RunningGateway extends Command {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string
}

/** Starts a command and returns at once. Whoever starts one stops it. */
export const spawnCommand = (options: CommandOptions): Command => {
  const { PATH = '', HOME = '', TMPDIR = '' } = process.env
  const program =
    options.executable === undefined
      ? [process.execPath, options.script ?? join(ROOT, 'src', 'main.ts')]
      : [options.executable]
  const child = Bun.spawn([...program, ...(options.args ?? ['start'])], {
    cwd: options.folder,
    env: { PATH, HOME, ...(TMPDIR === '' ? {} : { TMPDIR }), ...options.env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const watchers = new Set<() => void>()
  const output = { stdout: '', stderr: '' }
  let ended = false

  const read = async (name: keyof typeof output): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const bytes of child[name]) {
      output[name] += decoder.decode(bytes, { stream: true })
      for (const watcher of watchers) watcher()
    }
  }
  const exited = Promise.all([child.exited, read('stdout'), read('stderr')]).then(([code]) => {
    ended = true
    for (const watcher of watchers) watcher()
    return { code, ...output }
  })

  const seen = (pattern: RegExp, deadlineMs = START_DEADLINE_MS): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer)
        watchers.delete(look)
      }
      const refuse = (problem: string): void => {
        leave()
        reject(new Error(`${problem} before ${pattern} was seen\n${output.stderr}${output.stdout}`))
      }
      const look = (): void => {
        const match = pattern.exec(output.stderr)
        if (match !== null) {
          leave()
          resolve(match)
        } else if (ended) refuse(`the command ended with ${child.exitCode ?? child.signalCode}`)
      }
      const timer = setTimeout(() => refuse(`${deadlineMs} ms passed`), deadlineMs)
      watchers.add(look)
      look()
    })

  return {
    pid: child.pid,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    seen,
    listening: async (deadlineMs) => (await seen(LISTENING, deadlineMs))[1] ?? '',
    signal: (signal) => child.kill(signal),
    async stop(signal = 'SIGTERM') {
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS)
      child.kill(signal)
      const end = await exited
      clearTimeout(late)
      return end
    },
  }
}

/** Starts a gateway and waits until it answers calls. @throws Error with the output when it does not. */
export const startCommand = async (options: CommandOptions): Promise<RunningGateway> => {
  const command = spawnCommand(options)
  try {
    return { ...command, url: await command.listening() }
  } catch (thrown) {
    await command.stop('SIGKILL')
    throw thrown
  }
}

/** Builds the single executable into this folder and returns its path. @throws Error with the output of the build. */
export const buildExecutable = async (folder: string): Promise<string> => {
  const outfile = join(folder, 'weir')
  const build = spawnCommand({ script: join(ROOT, 'src', 'build.ts'), args: [`--outfile=${outfile}`], folder: ROOT })
  const late = setTimeout(() => build.signal('SIGKILL'), BUILD_DEADLINE_MS)
  const { code, stdout, stderr } = await build.exited
  clearTimeout(late)
  if (code !== 0) throw new Error(`the build ended with ${code}\n${stdout}${stderr}`)
  return outfile
}
