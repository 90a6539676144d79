import { within } from '../../timing/within.ts'
import type { WorkerProcess } from './spawn-worker.ts'

/** Milliseconds that a worker has to answer what takes none. */
const ANSWER_MS = 2_000
/** Milliseconds after which a connection that was begun before has arrived at its listener, or will not. */
const HANDSHAKE_MS = 1_000

export interface ListenerGroupOptions {
  readonly host: string
  readonly port: number
  /** New connections cannot be kept from a listener that is to close. */
  readonly onUnsteered: () => void
}

/**
 * The listeners of all workers on one port. The kernel keeps them in a list: one that joins stands last, and where one leaves
 * the last takes its place. This is a model of that list, so changes go one by one.
 */
export const createListenerGroup = ({ host, port, onUnsteered }: ListenerGroupOptions) => {
  const list: WorkerProcess[] = []
  const retired = new Set<WorkerProcess>()
  let isSteered = false
  let turns: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const done = turns.then(change)
    turns = done.catch(() => undefined)
    return done
  }

  const steer = async (): Promise<void> => {
    const places = [...list.keys()].filter((place) => !isRetired(place))
    const [first] = places
    const worker = first === undefined ? undefined : list[first]
    const hasRetired = places.length < list.length
    if (worker === undefined || (!hasRetired && !isSteered)) return
    const answer = worker.next('steered')
    worker.send({ kind: 'steer', places: hasRetired ? places : [] })
    isSteered = (await within(answer, ANSWER_MS))?.done === true && hasRetired
    if (hasRetired && !isSteered) onUnsteered()
  }

  const isRetired = (place: number): boolean => {
    const worker = list[place]
    return worker !== undefined && retired.has(worker)
  }

  const takeOut = (worker: WorkerProcess): void => {
    const place = list.indexOf(worker)
    const last = list.at(-1)
    if (place === -1 || last === undefined) return
    list[place] = last
    list.pop()
    retired.delete(worker)
  }

  return {
    /** Has a worker listen. @returns false when it ended instead */
    join: (worker: WorkerProcess): Promise<boolean> =>
      inTurn(async () => {
        const listening = worker.next('listening')
        worker.send({ kind: 'listen', host, port })
        if ((await listening) === undefined) return false
        list.push(worker)
        await steer()
        return true
      }),

    /** Keeps new connections from a worker, and lets it go once the last of those it has is closed. */
    async retire(worker: WorkerProcess): Promise<void> {
      const unused = worker.next('unused')
      await inTurn(async () => {
        if (list.includes(worker)) retired.add(worker)
        await steer()
      })
      await Bun.sleep(HANDSHAKE_MS)
      worker.send({ kind: 'retire' })
      if ((await unused) === undefined) return
      await inTurn(async () => {
        const left = worker.next('left')
        worker.send({ kind: 'leave' })
        await within(left, ANSWER_MS)
        takeOut(worker)
        await steer()
      })
    },

    /** A worker has ended: the kernel has taken out its listener. */
    ended(worker: WorkerProcess): void {
      takeOut(worker)
      void inTurn(steer)
    },
  }
}

export type ListenerGroup = ReturnType<typeof createListenerGroup>
