/** Jobs of batches at Amazon Bedrock (`GetModelInvocationJob`; sources: batches.ts), and what they say of themselves. */
import { isRecord, UpstreamInvalid } from '#kit'
import { type KeptBatch, objectFileId, outputIdOfBatch, readObjectName, secondsOf, wordOf } from '#kit/provider'

type Fields = Readonly<Record<string, unknown>>

const STATUSES: Readonly<Record<string, KeptBatch['status']>> = {
  Submitted: 'validating',
  Validating: 'validating',
  Scheduled: 'in_progress',
  InProgress: 'in_progress',
  Completed: 'completed',
  // What could not be asked in time is missing.
  PartiallyCompleted: 'expired',
  Expired: 'expired',
  Failed: 'failed',
  Stopping: 'cancelling',
  Stopped: 'cancelled',
}

/** Of jobs that may have written something. */
const WITH_OUTPUT: ReadonlySet<string> = new Set(['Completed', 'PartiallyCompleted', 'Stopped'])

export const inS3 = (holder: unknown, name: string): string | undefined => {
  const config = isRecord(holder) ? holder[name] : undefined
  return isRecord(config) ? wordOf(config.s3Uri) : undefined
}

/** Bucket and name of an URI. */
export const readURI = (uri: string): { readonly bucket: string; readonly name: string } => {
  const [, bucket = '', name = ''] = /^s3:\/\/([^/]+)\/?(.*)$/s.exec(uri) ?? []
  return { bucket, name }
}

const fileIdOf = (uri: string): string => {
  const { bucket, name } = readURI(uri)
  return objectFileId('s3', bucket, name)
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** A job goes by the last part of its ARN. */
export const idOf = ({ jobArn: arn }: Fields): string => {
  const id = wordOf(arn)?.split('/').at(-1)
  if (id !== undefined) return id
  throw new UpstreamInvalid('The provider answered with a batch without an ARN.')
}

export const toBatch = (job: Fields): KeptBatch => {
  const id = idOf(job)
  const state = String(job.status)
  const status = STATUSES[state] ?? 'in_progress'
  const uri = inS3(job.inputDataConfig, 's3InputDataConfig')
  const lines = uri === undefined ? undefined : readObjectName(readURI(uri).name)?.lines
  return {
    id,
    endpoint: lines?.url ?? (job.modelInvocationType === 'Converse' ? '/v1/chat/completions' : ''),
    status,
    model: wordOf(job.modelId),
    createdAt: secondsOf(job.submitTime) ?? 0,
    expiresAt: secondsOf(job.jobExpirationTime),
    endedAt: secondsOf(job.endTime),
    inputFile: uri === undefined ? undefined : fileIdOf(uri),
    outputFile: WITH_OUTPUT.has(state) ? outputIdOfBatch(id) : undefined,
    counts: {
      total: numberOf(job.totalRecordCount),
      completed: numberOf(job.successRecordCount),
      failed: numberOf(job.errorRecordCount),
    },
    errors:
      status === 'failed' ? [{ code: 'batch_failed', message: wordOf(job.message) ?? 'The batch failed.' }] : undefined,
  }
}
