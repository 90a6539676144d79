import type { RecordWriter } from '../../../src/records/store.ts'
import { batchOf, createSampler, DAY_US, SAMPLE_START, sampleFeedback } from '../../support/records/samples.ts'

export const MONTH = { from: SAMPLE_START, to: SAMPLE_START + 30 * DAY_US }
const BATCH = 1_000
const USERS = 2_000
/** One row of feedback for so many records. */
const RECORDS_PER_FEEDBACK = 200

/** Stores so many records of a month, where there are none yet. @returns how many it stored */
export const fill = async (writer: RecordWriter, count: number, tell: (done: number) => void): Promise<number> => {
  const spool = 'bench'
  if ((await writer.position(spool)) > 0) return 0
  const sampler = createSampler(1, count, { ...MONTH, users: USERS })
  let position = 0
  for (let done = 0; done < count; done += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - done) }, () => sampler.next())
    const feedback = sampleFeedback(records, BATCH / RECORDS_PER_FEEDBACK, done)
    const ownIds = feedback.map((row) => ({ ...row, id: `${done}-${row.id}` }))
    const batch = batchOf({ records, feedback: ownIds }, { spool, from: position })
    position = batch.to
    await writer.write(batch)
    if (done % 50_000 === 0) tell(done)
  }
  return count
}
