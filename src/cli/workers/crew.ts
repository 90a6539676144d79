import type { Logger } from '../../core/ports.ts'
import { within } from '../../timing/within.ts'
import type { Environment } from '../terminal/environment.ts'
import { createNumbers } from './gather-numbers.ts'
import type { ListenerGroup } from './listener-group.ts'
import type { FromWorker, MessageOf } from './messages.ts'
import { createRestarts } from './restarts.ts'
import { spawnWorker, type WorkerEnd, type WorkerProcess } from './spawn-worker.ts'

/** Milliseconds that the last words of a worker have. */
const WRITTEN_MS = 1_000

/** A worker could not be started, or dies at once again and again. */
export class WorkerLost extends Error {
  override readonly name = 'WorkerLost'
}

export interface CrewOptions {
  readonly environment: Environment
  readonly program: readonly string[]
  readonly configFile: string | undefined
  readonly count: number
  readonly listeners: ListenerGroup
  readonly log: Logger
  /** Nothing that it does helps any more. */
  readonly onLost: (problem: WorkerLost) => void
}

/** What serves in one place, one worker after the other. */
interface Place {
  readonly id: number
  readonly restarts: ReturnType<typeof createRestarts>
  /** Absent: it has died, and another is not there yet. */
  serving: WorkerProcess | undefined
  /** One is being made that will serve here. */
  isBeingFilled: boolean
}

export type ReadyMessage = MessageOf<FromWorker, 'ready'>

interface Made {
  readonly worker: WorkerProcess
  readonly ready: ReadyMessage
}

/** All workers of a supervisor. */
export const createCrew = (options: CrewOptions) => {
  const { environment, program, configFile, count, listeners, log, onLost } = options
  const numbers = createNumbers()
  /** Those that run, retired ones included. */
  const running = new Set<WorkerProcess>()
  const places: readonly Place[] = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    restarts: createRestarts(),
    serving: undefined,
    isBeingFilled: false,
  }))
  let isStopping = false

  const hear = (message: FromWorker, worker: WorkerProcess): void => {
    if (message.kind === 'counted') numbers.counted(worker, message.families)
    if (message.kind === 'ask') {
      void numbers.gather([...running]).then((families) => worker.send({ kind: 'numbers', families }))
    }
  }

  /** Starts one and waits until it could serve. @throws WorkerLost when it ends before */
  const make = async (place: Place): Promise<Made> => {
    if (isStopping) throw new WorkerLost('no worker is started any more')
    const { error, out } = environment.terminal ?? { error: false, out: false }
    const role = { id: place.id, of: count, terminal: { error, out } }
    const worker = spawnWorker({ environment, program, configFile, role, onMessage: hear })
    running.add(worker)
    void worker.exited.then((end) => ended(place, worker, end))
    const ready = await worker.next('ready')
    if (ready === undefined) throw await lost(place, worker)
    return { worker, ready }
  }

  /** Has a new worker serve in a place. @throws WorkerLost */
  const fill = async (place: Place): Promise<Made> => {
    place.isBeingFilled = true
    try {
      const made = await make(place)
      const { worker } = made
      if (!(await listeners.join(worker)) || !running.has(worker)) throw await lost(place, worker)
      const before = place.serving
      place.serving = worker
      if (before !== undefined) void listeners.retire(before)
      return made
    } finally {
      place.isBeingFilled = false
    }
  }

  const ended = (place: Place, worker: WorkerProcess, end: WorkerEnd): void => {
    running.delete(worker)
    listeners.ended(worker)
    numbers.ended(worker)
    if (place.serving !== worker) return
    place.serving = undefined
    if (isStopping) return
    log.error('a worker has died', { worker: place.id, pid: worker.pid, ...toldEnd(end) })
    if (!place.isBeingFilled) void restart(place, end)
  }

  const restart = async (place: Place, end: WorkerEnd): Promise<void> => {
    const othersServe = places.some(({ serving }) => serving !== undefined)
    const next = place.restarts.next(end.servedMs, othersServe)
    if (next === 'give-up') {
      onLost(new WorkerLost(`worker ${place.id} dies at once again and again: its last end was ${describe(end)}`))
      return
    }
    await Bun.sleep(next.afterMs)
    if (isStopping || place.isBeingFilled || place.serving !== undefined) return
    try {
      const { worker } = await fill(place)
      numbers.restarted()
      log.info('a worker was started again', { worker: place.id, pid: worker.pid })
    } catch (thrown) {
      if (!(thrown instanceof LostBeforeReady)) throw thrown
      if (!isStopping) {
        log.error('a worker could not be started again', { worker: place.id, ...toldEnd(thrown.end) })
        await restart(place, thrown.end)
      }
    }
  }

  return {
    /** Starts all, the first by itself: what it makes or finds wrong is there once. @throws WorkerLost */
    async start(): Promise<ReadyMessage | undefined> {
      const [first, ...others] = places
      const made = first && (await fill(first))
      await Promise.all(others.map(fill))
      return made?.ready
    },

    /** Puts a new worker in the place of each, one by one. @throws WorkerLost when one cannot be started: the rest go on as they are */
    async replaceAll(): Promise<void> {
      for (const place of places) {
        if (isStopping) return
        try {
          await fill(place)
        } catch (thrown) {
          // It may have died while another was to take over from it.
          if (place.serving === undefined && thrown instanceof LostBeforeReady) void restart(place, thrown.end)
          throw thrown
        }
      }
    },

    /** Ends all. @returns whether all went by themselves within the time */
    async stop(withinMs: number): Promise<boolean> {
      isStopping = true
      for (const worker of running) worker.stop()
      const all = Promise.all([...running].flatMap(({ exited, written }) => [exited, written]))
      if ((await within(all, withinMs)) !== undefined) return true
      for (const worker of running) worker.kill()
      return false
    },

    kill(): void {
      for (const worker of running) worker.kill()
    },
  }
}

class LostBeforeReady extends WorkerLost {
  readonly end: WorkerEnd

  constructor(message: string, end: WorkerEnd) {
    super(message)
    this.end = end
  }
}

/** Behind what it said itself. */
const lost = async ({ id }: Place, { exited, written }: WorkerProcess): Promise<LostBeforeReady> => {
  const end = await exited
  await within(written, WRITTEN_MS)
  return new LostBeforeReady(`worker ${id} cannot start: its end was ${describe(end)}`, end)
}

const describe = ({ how }: WorkerEnd): string => (typeof how === 'number' ? `exit code ${how}` : how)

const toldEnd = ({ how }: WorkerEnd): Readonly<Record<string, unknown>> =>
  typeof how === 'number' ? { code: how } : { signal: how }
