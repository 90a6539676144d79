import type { Environment } from '../terminal/environment.ts'
import { forwardLines } from './forward-lines.ts'
import type { FromWorker, MessageOf, ToWorker, WorkerRole } from './messages.ts'
import { ROLE_VARIABLE } from './messages.ts'

/** How a worker ended: its exit code, or the name of the signal that ended it. */
export interface WorkerEnd {
  readonly how: number | string
  /** Milliseconds since it was ready; undefined when it never was. */
  readonly servedMs: number | undefined
}

/** A worker, as its supervisor sees it. */
export interface WorkerProcess {
  /** Of its place, which those that follow it take over. */
  readonly id: number
  readonly pid: number
  readonly exited: Promise<WorkerEnd>
  /** Resolves when all that it wrote has been passed on: later than its end, where nobody reads our output. */
  readonly written: Promise<unknown>
  /** Nothing where it has ended. */
  send(message: ToWorker): void
  /** The next message of this kind; undefined when it ends first. */
  next<Kind extends FromWorker['kind']>(kind: Kind): Promise<MessageOf<FromWorker, Kind> | undefined>
  /** Has it end with its calls, also while it starts. */
  stop(): void
  /** Ends it at once. */
  kill(): void
}

export interface SpawnOptions {
  readonly environment: Environment
  /** Starts this program again. */
  readonly program: readonly string[]
  readonly configFile: string | undefined
  readonly role: WorkerRole
  readonly onMessage: (message: FromWorker, worker: WorkerProcess) => void
}

/** Starts a worker: this program once more, with a channel to it. Its lines come out with ours. */
export const spawnWorker = (options: SpawnOptions): WorkerProcess => {
  const { environment, program, configFile, role, onMessage } = options
  const waiting = new Map<FromWorker['kind'], ((message: FromWorker | undefined) => void)[]>()
  let readyMs: number | undefined
  let hasEnded = false

  const hear = (message: FromWorker): void => {
    if (message.kind === 'ready') readyMs = performance.now()
    onMessage(message, worker)
    for (const heard of waiting.get(message.kind)?.splice(0) ?? []) heard(message)
  }

  const child = Bun.spawn([...program, 'start', ...(configFile === undefined ? [] : ['--config', configFile])], {
    cwd: environment.folder,
    env: variablesOf(environment.env, role),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    // Also between two versions, when the program was replaced while it ran.
    serialization: 'json',
    ipc: (message: FromWorker) => hear(message),
  })
  const written = Promise.all([
    forwardLines(child.stdout, (text) => environment.out(text)),
    forwardLines(child.stderr, async (text) => environment.error(text)),
  ])
  const exited = child.exited.then((): WorkerEnd => {
    const servedMs = readyMs === undefined ? undefined : performance.now() - readyMs
    hasEnded = true
    for (const heard of [...waiting.values()].flat()) heard(undefined)
    return { how: child.signalCode ?? child.exitCode ?? 0, servedMs }
  })

  const worker: WorkerProcess = {
    id: role.id,
    pid: child.pid,
    exited,
    written,
    send(message) {
      try {
        if (!hasEnded) child.send(message)
      } catch {
        // It is about to end: whoever waits for an answer hears of it.
      }
    },
    next: <Kind extends FromWorker['kind']>(kind: Kind) => {
      if (hasEnded) return Promise.resolve(undefined)
      const { promise, resolve } = Promise.withResolvers<MessageOf<FromWorker, Kind> | undefined>()
      const isOfKind = (message: FromWorker): message is MessageOf<FromWorker, Kind> => message.kind === kind
      const listeners = waiting.get(kind) ?? []
      listeners.push((message) => resolve(message !== undefined && isOfKind(message) ? message : undefined))
      waiting.set(kind, listeners)
      return promise
    },
    stop: () => child.kill('SIGTERM'),
    kill: () => child.kill('SIGKILL'),
  }
  return worker
}

/** What a package runner says of the process that it started does not hold for one below it. */
const RUNNER_VARIABLE = 'npm_lifecycle_event'
const RESOURCE = 'OTEL_RESOURCE_ATTRIBUTES'
const INSTANCE = 'service.instance.id'

/** A collector takes what comes from one instance for one series: each worker is an instance of its own. */
const variablesOf = (env: Environment['env'], role: WorkerRole): Record<string, string | undefined> => {
  const { [RUNNER_VARIABLE]: _, ...variables } = env
  const attributes = (env[RESOURCE] ?? '').split(',').filter((pair) => pair.trim() !== '')
  const given = attributes.find((pair) => pair.trim().startsWith(`${INSTANCE}=`))
  const instance = given === undefined ? `${INSTANCE}=${crypto.randomUUID()}` : `${given}.${role.id}`
  return {
    ...variables,
    [RESOURCE]: [...attributes.filter((pair) => pair !== given), instance].join(','),
    [ROLE_VARIABLE]: JSON.stringify(role),
  }
}
