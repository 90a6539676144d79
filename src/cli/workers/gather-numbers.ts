import { lastingFamilies, mergeFamilies } from '../../observe/metrics/merge-families.ts'
import type { Family } from '../../observe/metrics/registry.ts'
import { within } from '../../timing/within.ts'
import type { WorkerProcess } from './spawn-worker.ts'

/** Milliseconds that workers have to tell their numbers; of one that is late those that it told last are taken. */
const COUNT_MS = 1_000

/** The numbers of all workers, with what those that have ended had counted. */
export const createNumbers = () => {
  const last = new Map<WorkerProcess, readonly Family[]>()
  let ofEnded: readonly Family[] = []
  let restarts = 0
  return {
    /** A worker tells what it has counted. */
    counted(worker: WorkerProcess, families: readonly Family[]): void {
      last.set(worker, families)
    },
    restarted(): void {
      restarts++
    },
    ended(worker: WorkerProcess): void {
      ofEnded = mergeFamilies([ofEnded, lastingFamilies(last.get(worker) ?? [])])
      last.delete(worker)
    },
    /** Asks all, and adds up. */
    async gather(workers: readonly WorkerProcess[]): Promise<readonly Family[]> {
      await within(
        Promise.all(
          workers.map((worker) => {
            const told = worker.next('counted')
            worker.send({ kind: 'count' })
            return told
          }),
        ),
        COUNT_MS,
      )
      return [...mergeFamilies([ofEnded, ...last.values()]), ...aboutWorkers(workers.length, restarts)]
    },
  }
}

const aboutWorkers = (running: number, restarts: number): readonly Family[] => [
  {
    kind: 'gauge',
    info: { name: 'weir.workers', description: 'Processes that run, retired ones included.', unit: '{process}' },
    points: [{ labels: {}, value: running }],
  },
  {
    kind: 'counter',
    info: {
      name: 'weir.worker.restarts',
      description: 'Workers that were started in the place of one that died.',
      unit: '{process}',
    },
    points: [{ labels: {}, value: restarts }],
  },
]
