import type { CallRecord, RecordedCost } from '../../../src/core/records.ts'

/** A cost that is all input. */
export const costOf = (total: number): RecordedCost => ({ total, input: total, output: 0, cache: 0, other: 0 })

/** A chat that went well, made just now by nobody in particular, with these changes. */
export const aRecord = (changes: Partial<CallRecord> = {}): CallRecord => {
  const id = changes.id ?? Bun.randomUUIDv7()
  return {
    id,
    callId: id,
    kind: 'call',
    attempt: 0,
    time: Date.now() * 1000,
    organisationId: 'an organisation',
    workspaceId: 'a workspace',
    traceId: id,
    method: 'POST',
    path: '/v1/chat/completions',
    endpoint: 'chat',
    requestType: 'chatComplete',
    stream: false,
    provider: 'openai',
    model: 'gpt-5.2',
    status: 200,
    outcome: 'completed',
    success: true,
    attempts: 1,
    retries: 0,
    fallback: false,
    totalUs: 1_000_000,
    metadata: {},
    ...changes,
  }
}
