import type { CallRecord, CallRecorder, FeedbackRecord } from '../../../src/core/records.ts'
import type { RecordWriter } from '../../../src/records/store.ts'
import { batchOf } from './samples.ts'

/** A recorder without a spool: what it gets is on its way into the store at once, and there when `stored` settles. */
export const createDirectRecorder = (store: Pick<RecordWriter, 'write'>): CallRecorder => {
  let position = 0
  let writing: Promise<void> = Promise.resolve()
  const write = (rows: {
    readonly records?: readonly CallRecord[]
    readonly feedback?: readonly FeedbackRecord[]
  }): void => {
    const batch = batchOf(rows, { spool: 'direct', from: position })
    position = batch.to
    writing = writing.then(() => store.write(batch))
  }
  return {
    prepare: () => undefined,
    open: () => undefined,
    announce: () => () => undefined,
    close: (records) => write({ records }),
    durable: () => undefined,
    feedback: (feedback) => write({ feedback }),
    async stored() {
      await writing
      return true
    },
  }
}
