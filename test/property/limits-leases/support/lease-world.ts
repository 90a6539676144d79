import type { LimitAdmission, LimitCharge, LimitStore } from '../../../../src/limits/away/limit-store.ts'
import { createLimitStore } from '../../../../src/limits/away/shared-limit-store.ts'
import { createMemoryStore } from '../../../../src/limits/ring/memory-store.ts'
import { GRIDS, grainOf, type LimitUnit } from '../../../../src/limits/ring/units.ts'
import { createManualTime, type ManualTime } from '../../../../src/limits/test-support/manual-time.ts'
import { largestWindow, type RaceEvent } from '../../limits-redis/support/race-log.ts'
import type { Random } from '../../limits-redis/support/random.ts'
import { createLine, createServer, type Line, type Server } from './server.ts'

export interface LeaseWorldOptions {
  readonly random: Random
  readonly processes: number
  readonly unit: LimitUnit
  readonly limit: number
  /** Of calls: from 1 to this. */
  readonly heaviest: number
  /** Milliseconds that a command takes to get there, or an answer back, at most. */
  readonly slowestMs: number
}

interface Process {
  readonly line: Line
  readonly store: LimitStore
}

/** A call that was let through: when it was, and what it used in the end. */
export interface Use {
  readonly atMs: number
  weight: number
}

/** Several processes with leases of one limit, and a log of all that they let through. */
export class LeaseWorld {
  readonly time: ManualTime = createManualTime()
  readonly server: Server = createServer(this.time.clock.now)
  readonly uses: Use[] = []
  readonly processes: Process[]
  readonly startMs = this.time.clock.now()
  asked = 0
  refused = 0
  /** Calls that nobody had to be asked for. */
  covered = 0
  readonly charge: LimitCharge
  readonly #options: LeaseWorldOptions

  constructor(options: LeaseWorldOptions) {
    const { unit, limit } = options
    this.#options = options
    this.charge = {
      key: { workspaceId: 'workspace', limitId: 'limit', unit, group: 'group', label: '' },
      limit,
      weight: 1,
      grain: grainOf(unit, limit, false),
      shadow: false,
      onStoreFailure: 'closed',
    }
    this.processes = Array.from({ length: options.processes }, () => this.#start())
  }

  #start(): Process {
    const { random, slowestMs, processes } = this.#options
    const line = createLine(this.server, this.time, () => random.between(0, slowestMs))
    const store = createLimitStore({
      memory: createMemoryStore({ now: this.time.clock.now }),
      shared: line.store,
      clock: this.time.clock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      // What fails is not let through, so that the log has all.
      deadlineMs: 60_000,
      replicas: () => processes,
      leases: true,
      timers: this.time.timers,
    })
    return { line, store }
  }

  /** @param usedPart of its weight, in the end; 1 for all of it */
  call(which: number, weight: number, usedPart: number, endsAfterMs: number): void {
    const process = this.processes[which]
    if (process === undefined) return
    const { store } = process
    const charge = { ...this.charge, weight }
    this.asked += 1
    const decidedMs = this.time.clock.now()
    // While the store is away, nothing is let through.
    const admission = attempt(() => store.admit([charge]))
    if (admission === undefined) return
    if (!(admission instanceof Promise)) this.covered += 1
    const conclude = ({ admitted, verdicts }: LimitAdmission): void => {
      if (!admitted) {
        this.refused += 1
        return
      }
      const use: Use = { atMs: this.server.times.get(verdicts) ?? decidedMs, weight }
      this.uses.push(use)
      const used = Math.floor(weight * usedPart)
      if (used === weight) return
      this.time.timers.after(endsAfterMs, () => {
        use.weight = used
        const { key, grain } = charge
        store.settle([{ key, index: verdicts[0]?.index ?? 0, delta: used - weight, grain }], 'shared')
      })
    }
    if (admission instanceof Promise) admission.then(conclude, () => undefined)
    else conclude(admission)
  }

  /** What a process has in hand is lost with it; another one starts in its place. */
  die(which: number): void {
    this.processes[which]?.line.cut()
    this.processes[which] = this.#start()
  }

  /** Its connection breaks, and is there again at once. */
  cut(which: number): void {
    this.processes[which]?.line.cut()
  }

  /** The most that any window held, of those that are meant. */
  largest(isMeant: (use: Use) => boolean = () => true): number {
    const events = this.uses.filter(isMeant).map(({ atMs, weight }): RaceEvent => ({ place: 0, atMs, weight }))
    return largestWindow(events, GRIDS[this.charge.key.unit].windowMs)
  }

  weightSince(fromMs: number, untilMs: number): number {
    return this.uses.reduce((sum, { atMs, weight }) => (atMs >= fromMs && atMs < untilMs ? sum + weight : sum), 0)
  }
}

const attempt = <Result>(run: () => Result): Result | undefined => {
  try {
    return run()
  } catch {
    return undefined
  }
}
