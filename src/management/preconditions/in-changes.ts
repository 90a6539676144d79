import { ManagementUnavailable } from '../../errors/gateway-error.ts'
import { tryChangesLock } from '../../store/locks.ts'
import type { Db } from '../../store/types.ts'

const AGAIN_MS = 10
/** Longer than a transaction may take. */
const MAX_WAIT_MS = 6_000

const BUSY = Symbol('others are in the way')

/**
 * Runs a change in a transaction. One that compares first is the only one of its organisation until it is done, so that what it
 * compared is what it changes, whatever path and process the others come by; all others run beside each other.
 * @throws ManagementUnavailable where others are in the way for too long
 */
export const inChanges = async <Result>(
  db: Db,
  organisationId: string,
  isAlone: boolean,
  work: (transaction: Db) => Promise<Result>,
): Promise<Result> => {
  const startedAtMs = performance.now()
  for (;;) {
    const result = await db.transaction(async (transaction) =>
      (await tryChangesLock(transaction, organisationId, isAlone)) ? work(transaction) : BUSY,
    )
    if (result !== BUSY) return result
    if (performance.now() - startedAtMs > MAX_WAIT_MS) {
      throw new ManagementUnavailable(
        'Other changes of the organisation take too long. Nothing was stored: try again.',
        {
          retryAfterMs: 1000,
        },
      )
    }
    await Bun.sleep(AGAIN_MS)
  }
}
