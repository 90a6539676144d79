import type { Counters } from '../budgets/counter.ts'
import type { CallRecord, CallRecorder, RecordedMessage } from '../core/records.ts'
import type { Seals } from './seals.ts'
import { FRAME } from './spool/frame.ts'
import { bodiesHead } from './spool/rows.ts'
import type { Spool } from './spool/spool.ts'

/**
 * Keeps records in the spool. What is written here outlives the process; what there is no room for, the spool counts.
 * @param counters hear of what calls spent, once it is written
 */
export const createRecorder = (
  spool: Spool,
  seals: Pick<Seals, 'prepare' | 'seal'>,
  counters: Pick<Counters, 'announce' | 'spent'>,
): CallRecorder => {
  /** @returns whether the messages were kept */
  const keep = (record: CallRecord, messages: readonly RecordedMessage[]): boolean => {
    const sealed = seals.seal(record.organisationId, record.workspaceId, record.id, messages)
    return sealed !== undefined && spool.appendBytes(FRAME.bodies, bodiesHead(record), sealed)
  }

  return {
    prepare: (organisationId, workspaceId) => seals.prepare(organisationId, workspaceId),
    open: (call) => {
      spool.append(FRAME.opened, JSON.stringify(call))
    },
    announce: (workspaceId, charges, endedUs) => counters.announce(workspaceId, charges, endedUs),
    close(records, messages) {
      // The record of the call comes last: it says that all of it is here.
      for (let index = records.length - 1; index >= 0; index--) {
        const record = records[index] as CallRecord
        const kept = messages?.get(record.id)
        const hasBodies = kept !== undefined && keep(record, kept)
        const said = (record.hasBodies === true) === hasBodies ? record : { ...record, hasBodies }
        const isWritten = spool.append(FRAME.record, JSON.stringify(said))
        if (record.charges !== undefined) {
          const { workspaceId, charges, time, totalUs } = record
          counters.spent(workspaceId, charges, time + totalUs, isWritten ? spool.position : undefined)
        }
      }
    },
    durable: () => spool.durable(),
    feedback(rows) {
      for (const row of rows) spool.append(FRAME.feedback, JSON.stringify(row))
    },
    stored: (withinMs) => spool.stored(withinMs),
  }
}
