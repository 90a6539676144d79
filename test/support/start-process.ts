import { readFile, rm } from 'node:fs/promises'
import { PortTaken } from './start-ports.ts'

const STOP_DEADLINE_MS = 5_000
const POLL_MS = 20
const LOG_LINES_SHOWN = 15

/** The system user a process runs as; absent means the user of the test runner. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

export interface Command {
  /** Name used in messages. */
  readonly name: string
  readonly command: readonly string[]
  /** Working folder; the user of the process must be able to enter it. */
  readonly folder: string
  readonly user?: SystemUser
  readonly deadlineMs: number
}

export interface ServiceCommand extends Command {
  /** File that receives standard output and error. */
  readonly logFile: string
  /** Text the service logs once it accepts connections. */
  readonly readyText: string
  readonly stopSignal: NodeJS.Signals
}

/** The child processes of one test run: whatever was started in it is stopped by `close`. */
export interface ProcessGroup {
  /** Runs a command to its end and returns its output. Throws with the output when it fails or is late. */
  run(command: Command): Promise<string>
  /** Starts a service and waits until its own log says it is ready. Throws `PortTaken`, or an Error with its log. */
  start(service: ServiceCommand): Promise<void>
  /** Stops everything, by force after five seconds. Later calls of `run` and `start` throw. */
  close(): Promise<void>
}

type Child = ReturnType<typeof spawn>

/** Resolves to true once `check` does, or to false after `deadlineMs`. */
export async function eventually(check: () => Promise<boolean>, deadlineMs: number): Promise<boolean> {
  const lastMs = performance.now() + deadlineMs
  while (!(await check())) {
    if (performance.now() > lastMs) return false
    await Bun.sleep(POLL_MS)
  }
  return true
}

export function createProcessGroup(): ProcessGroup {
  const running: { child: Child; stopSignal: NodeJS.Signals }[] = []
  let closed = false

  function launch(command: Command, output: 'pipe' | Bun.BunFile, stopSignal: NodeJS.Signals): Child {
    if (closed) throw new Error(`${command.name} was not started: the test run is being stopped`)
    const child = spawn(command, output)
    running.push({ child, stopSignal })
    return child
  }

  return {
    async run(command) {
      const child = launch(command, 'pipe', 'SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), command.deadlineMs)
      const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), child.exited])
      clearTimeout(late)
      if (code === 0) return output
      const reason = child.signalCode !== null ? `was ended by ${child.signalCode}` : `exited with ${code}`
      throw new Error(`${command.name} ${reason} (deadline ${command.deadlineMs} ms)\n${lastLines(output + errors)}`)
    },

    async start(service) {
      // What an earlier attempt wrote must not be taken for this one's.
      await rm(service.logFile, { force: true })
      const child = launch(service, Bun.file(service.logFile), service.stopSignal)
      let log = ''
      // Its own log, and not a connection: on a lost port race another run's server would answer.
      await eventually(async () => {
        const last = hasEnded(child)
        log = await readFile(service.logFile, 'utf8').catch(() => '')
        return last || log.includes(service.readyText)
      }, service.deadlineMs)
      if (!hasEnded(child) && log.includes(service.readyText)) return
      if (/address already in use|failed listening on port/i.test(log))
        throw new PortTaken(`${service.name}: port taken`)
      const reason = hasEnded(child) ? 'ended before it was ready' : `was not ready within ${service.deadlineMs} ms`
      throw new Error(`${service.name} ${reason}; its log ends:\n${lastLines(log)}`)
    },

    async close() {
      closed = true
      await Promise.all(running.map(({ child, stopSignal }) => stopChild(child, stopSignal)))
    },
  }
}

/** Signals a child, waits for its end, and kills it after five seconds. */
export async function stopChild(child: Bun.Subprocess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS)
  child.kill(signal)
  await child.exited
  clearTimeout(late)
}

function spawn({ command, folder, user }: Command, output: 'pipe' | Bun.BunFile) {
  return Bun.spawn([...command], {
    cwd: folder,
    // Logs are read by this program: they must be in English.
    env: { ...process.env, LC_ALL: 'C' },
    stdin: 'ignore',
    stdout: output,
    stderr: output,
    ...user,
  })
}

function hasEnded(child: Bun.Subprocess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function text(stream: Child['stdout']): Promise<string> {
  return stream instanceof ReadableStream ? new Response(stream).text() : Promise.resolve('')
}

function lastLines(log: string): string {
  const lines = log.trimEnd().split('\n').slice(-LOG_LINES_SHOWN)
  return lines.map((line) => `  | ${line}`).join('\n')
}
