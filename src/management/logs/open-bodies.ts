import type { BodyReaders } from '../../core/log-settings.ts'
import type { CallRecord } from '../../core/records.ts'
import { BodiesUnreadable, type OpenedMessage, type Seals } from '../../records/seals.ts'
import type { RecordReader } from '../../records/store.ts'

export interface BodiesDeps {
  /** Whom bodies of a workspace are shown to. */
  readonly readersOf: (workspaceId: string) => BodyReaders
  readonly records: Pick<RecordReader, 'bodies'>
  readonly seals: Pick<Seals, 'open'>
}

/**
 * The messages of records by their ids. A record has none where none were kept, where they are past their retention,
 * where they are for other eyes, and where they do not open. One after the other, with a turn for everybody else between two of them.
 */
export const openBodies = async (
  records: readonly CallRecord[],
  /** Id of the key that asks. */
  keyId: string,
  { records: reader, seals, readersOf }: BodiesDeps,
): Promise<ReadonlyMap<string, readonly OpenedMessage[]>> => {
  const opened = new Map<string, readonly OpenedMessage[]>()
  const kept = records.filter(
    ({ hasBodies, workspaceId, apiKeyId }) =>
      hasBodies === true && (readersOf(workspaceId) === 'workspace' || apiKeyId === keyId),
  )
  if (kept.length === 0) return opened
  for (const sealed of await reader.bodies(kept)) {
    try {
      opened.set(sealed.recordId, await seals.open(sealed))
    } catch (thrown) {
      if (!(thrown instanceof BodiesUnreadable)) throw thrown
    }
    await new Promise(setImmediate)
  }
  return opened
}
