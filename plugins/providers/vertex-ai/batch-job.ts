/** Jobs of batches at Vertex AI (`batchPredictionJobs`; sources: batches.ts), and what they say of themselves. */
import { isRecord, UpstreamInvalid } from '#kit'
import { type KeptBatch, objectFileId, outputIdOfBatch, readObjectName, secondsOf, wordOf } from '#kit/provider'
import { nameOf } from './model.ts'

type Fields = Readonly<Record<string, unknown>>

const STATUSES: Readonly<Record<string, KeptBatch['status']>> = {
  JOB_STATE_QUEUED: 'validating',
  JOB_STATE_PENDING: 'validating',
  JOB_STATE_RUNNING: 'in_progress',
  JOB_STATE_PAUSED: 'in_progress',
  JOB_STATE_UPDATING: 'in_progress',
  JOB_STATE_CANCELLING: 'cancelling',
  JOB_STATE_SUCCEEDED: 'completed',
  JOB_STATE_PARTIALLY_SUCCEEDED: 'completed',
  JOB_STATE_FAILED: 'failed',
  JOB_STATE_EXPIRED: 'expired',
  JOB_STATE_CANCELLED: 'cancelled',
}

export const fieldsIn = (holder: Fields, name: string): Fields => {
  const value = holder[name]
  return isRecord(value) ? value : {}
}

/** Whole numbers of 64 bits are texts in JSON of Google; -1 stands for one that is not known. */
const countOf = (value: unknown): number => {
  const number = Number(value ?? 0)
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

/** Bucket and name of an URI. */
export const readURI = (uri: string): { readonly bucket: string; readonly name: string } => {
  const [, bucket = '', name = ''] = /^gs:\/\/([^/]+)\/?(.*)$/s.exec(uri) ?? []
  return { bucket, name }
}

const inputOf = (job: Fields): string | undefined => {
  const { uris } = fieldsIn(fieldsIn(job, 'inputConfig'), 'gcsSource')
  return Array.isArray(uris) ? wordOf(uris[0]) : undefined
}

export const folderOf = (job: Fields): string | undefined => wordOf(fieldsIn(job, 'outputInfo').gcsOutputDirectory)

export const idOf = ({ name }: Fields): string => {
  const id = wordOf(name)?.split('/').at(-1)
  if (id !== undefined) return id
  throw new UpstreamInvalid('The provider answered with a batch without a name.')
}

export const toBatch = (job: Fields): KeptBatch => {
  const id = idOf(job)
  const status = STATUSES[String(job.state)] ?? 'in_progress'
  const uri = inputOf(job)
  const at = uri === undefined ? undefined : readURI(uri)
  const stats = fieldsIn(job, 'completionStats')
  const [completed, failed] = [countOf(stats.successfulCount), countOf(stats.failedCount)]
  const { code, message } = fieldsIn(job, 'error')
  return {
    id,
    endpoint: (at && readObjectName(at.name)?.lines?.url) ?? '/v1/chat/completions',
    status,
    model: nameOf(wordOf(job.model) ?? ''),
    createdAt: secondsOf(job.createTime) ?? 0,
    startedAt: secondsOf(job.startTime),
    endedAt: secondsOf(job.endTime),
    inputFile: at === undefined ? undefined : objectFileId('gs', at.bucket, at.name),
    outputFile: status !== 'failed' && folderOf(job) !== undefined ? outputIdOfBatch(id) : undefined,
    counts: { total: completed + failed + countOf(stats.incompleteCount), completed, failed },
    errors:
      status === 'failed'
        ? [{ code: String(code ?? 'batch_failed'), message: wordOf(message) ?? 'The batch failed.' }]
        : undefined,
  }
}
