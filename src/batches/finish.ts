import { fromReader, type ReadyStream } from '../core/bodies/ready-stream.ts'
import { Cancellation } from '../core/cancellation.ts'
import { defined } from '../core/defined.ts'
import {
  countLines,
  endBatch,
  endedLines,
  giveUpLines,
  type OwnBatchRow,
  renewBatch,
} from '../store/objects/own-batches.ts'
import { type BatchesContext, openResult } from './context.ts'
import { unansweredLine } from './result.ts'

/** Lines that are read at once. */
const AT_ONCE = 200

/** What a line without an answer came to, by how its batch ended. */
const UNANSWERED = {
  cancelled: { code: 'batch_cancelled', message: 'The batch was cancelled before this request was executed.' },
  expired: {
    code: 'batch_expired',
    message: 'This request could not be executed before the completion window expired.',
  },
} as const

/**
 * Puts the results of a batch into its files, and ends it. Whatever breaks on the way, the next one to try makes the same files
 * again, under the same ids.
 * @param forMs milliseconds that it stays with this process from each step on
 */
export const finishBatch = async (
  context: BatchesContext,
  batch: OwnBatchRow,
  { by, forMs }: { readonly by: string; readonly forMs: number },
): Promise<void> => {
  const { db } = context.store
  const { id } = batch
  // Nobody stores a result from now on: those that are on their way come too late.
  await giveUpLines(db, id)
  const counted = (await countLines(db, [id])).get(id) ?? { total: 0, completed: 0, failed: 0 }
  const hasUnanswered = (await firstUnanswered(context, batch)) !== undefined
  const status = batch.cancellingAt !== null ? 'cancelled' : hasUnanswered ? 'expired' : 'completed'
  const renewed = { next: 0 }
  const keep = async (isOk: boolean, fileId: string | null, filename: string): Promise<string | null> => {
    if (fileId === null || (isOk ? counted.completed : counted.failed) === 0) return null
    const content = linesOf(context, batch, isOk, status === 'cancelled' ? 'cancelled' : 'expired', async () => {
      if (context.clock.now() < renewed.next) return
      renewed.next = context.clock.now() + forMs / 3
      if (!(await renewBatch(db, id, by, forMs))) throw new TakenOver(`batch ${id} is finished by another process`)
    })
    await context.files.create(
      {
        id: fileId,
        ...{ organisationId: batch.organisationId, workspaceId: batch.workspaceId, apiKeyId: batch.apiKeyId },
        ...{ filename, purpose: 'batch_output', contentType: 'application/jsonl' },
        ...defined({ expiresAfterSeconds: batch.outputExpiresAfterSeconds ?? undefined }),
      },
      content,
      new Cancellation(),
    )
    return fileId
  }
  const outputFileId = await keep(true, batch.outputFileId, `${id}_output.jsonl`)
  const errorFileId = await keep(false, batch.errorFileId, `${id}_error.jsonl`)
  await endBatch(db, { id, by }, { status, outputFileId, errorFileId, ...counted })
}

/** Another process has it now. */
class TakenOver extends Error {}

const firstUnanswered = async ({ store }: BatchesContext, { id }: OwnBatchRow) => {
  for (let behind = 0; ; ) {
    const lines = await endedLines(store.db, id, { isOk: false, behind, limit: AT_ONCE })
    const found = lines.find(({ result }) => result === null)
    const last = lines.at(-1)
    if (found !== undefined || last === undefined) return found
    behind = last.line
  }
}

const linesOf = (
  context: BatchesContext,
  batch: OwnBatchRow,
  isOk: boolean,
  ended: keyof typeof UNANSWERED,
  renew: () => Promise<void>,
): ReadyStream => {
  let behind = 0
  return fromReader({
    async read() {
      await renew()
      const lines = await endedLines(context.store.db, batch.id, { isOk, behind, limit: AT_ONCE })
      const last = lines.at(-1)
      if (last === undefined) return undefined
      behind = last.line
      let text = ''
      for (const line of lines) {
        const { customId, result } = line
        // The same each time that it is made.
        const id = `batch_req_${batch.id.slice(-12)}${String(line.line).padStart(8, '0')}`
        const made =
          result === null
            ? unansweredLine({ id, customId }, UNANSWERED[ended])
            : await openResult(context, batch, line, result)
        text += `${made}\n`
      }
      return Buffer.from(text)
    },
    cancel: () => undefined,
  })
}
