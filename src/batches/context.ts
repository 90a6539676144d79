import type { Clock, Logger } from '../core/ports.ts'
import type { InnerAnswer, InnerRequest } from '../http/inner-call.ts'
import type { OwnFiles } from '../kit/own-files.ts'
import type { FoundKey } from '../kit/plugin.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import type { OwnBatchLine, OwnBatchRow } from '../store/objects/own-batches.ts'
import type { Store } from '../store/types.ts'

/** How batches run. */
export interface BatchBounds {
  /** Lines that this process asks at once. */
  readonly parallel: number
  /** Times that a line is asked again. */
  readonly retries: number
  /** Part of their limits that batches of 24 hours leave to live calls: at least 0, below 1. */
  readonly reserve: number
  readonly maxLines: number
  /** Bytes of one line. */
  readonly maxLineBytes: number
  /** Batches of a workspace that have not ended. */
  readonly workspaceBatches: number
  readonly retentionDays: number
}

/** What those who run batches need. */
export interface BatchesContext {
  readonly store: Pick<Store, 'db' | 'kind'>
  readonly secretBox: Pick<SecretBox, 'seal' | 'open'>
  readonly files: OwnFiles
  readonly bounds: BatchBounds
  /** A key by its id, as it is now. */
  readonly findKey: (id: string) => Promise<FoundKey | undefined>
  /** Makes a call of its own through the whole chain. */
  readonly ask: (request: InnerRequest) => Promise<InnerAnswer>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Logger
  readonly randomId: () => string
  /** At least 0 and below 1. */
  readonly random: () => number
  /** The gateway takes no more calls: no more lines are begun. */
  readonly isStopping: () => boolean
}

/** What each line of a batch is asked with. */
export interface Asked {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Fields of bodies that have them not. */
  readonly defaults: Readonly<Record<string, unknown>>
}

type Sealed = Pick<BatchesContext, 'secretBox'>
type Owner = Pick<OwnBatchRow, 'id' | 'organisationId'>

export const sealAsked = (
  { secretBox }: Sealed,
  db: Store['db'],
  { id, organisationId }: Owner,
  asked: Asked,
): Promise<string> => secretBox.seal(db, organisationId, id, 'asked', JSON.stringify(asked))

export const openAsked = async ({ secretBox }: Sealed, batch: Owner & Pick<OwnBatchRow, 'asked'>): Promise<Asked> =>
  JSON.parse(await secretBox.open(batch.organisationId, batch.id, 'asked', batch.asked))

const fieldOf = (line: number): string => `line ${line}`

export const sealResult = (
  { secretBox }: Sealed,
  db: Store['db'],
  { id, organisationId }: Owner,
  line: number,
  text: string,
): Promise<string> => secretBox.seal(db, organisationId, id, fieldOf(line), text)

export const openResult = async (
  { secretBox }: Sealed,
  { id, organisationId }: Owner,
  { line }: Pick<OwnBatchLine, 'line'>,
  sealed: string,
): Promise<string> => secretBox.open(organisationId, id, fieldOf(line), sealed)
