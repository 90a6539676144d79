import type { StoredPartial, StoredPrompt, StoredPrompts } from '../../core/ports.ts'
import type { Store } from '../types.ts'
import { followChanges } from './follow-changes.ts'
import { createDirectory, type Directory, findVersion } from './prompt-directory.ts'
import { type PartialText, type PromptText, partialVersionsIn, promptVersionsIn, readHeads } from './prompt-rows.ts'
import { createVersionCache } from './version-cache.ts'

/** All versions of all active prompts and partials in memory: finding one needs neither the database nor an await. */
export interface PromptSnapshot extends StoredPrompts {
  /** The change count of the database when they were read. */
  readonly version: number
  /** Stops following the database. */
  close(): Promise<void>
}

export interface PromptSnapshotOptions {
  /** They could not be read again; the last ones stay in use and it is tried again within the poll interval. */
  readonly onError?: (error: unknown) => void
  readonly pollIntervalMs?: number
  readonly debounceMs?: number
}

const TABLES = ['prompts', 'prompt_versions', 'prompt_labels', 'labels', 'prompt_partials', 'prompt_partial_versions']

const NO_LABELS: ReadonlyMap<string, number> = new Map()

/** @throws StoreUnavailable when they cannot be read the first time */
export const createPromptSnapshot = async (
  store: Store,
  options: PromptSnapshotOptions = {},
): Promise<PromptSnapshot> => {
  const promptTexts = createVersionCache(promptVersionsIn(store))
  const partialTexts = createVersionCache(partialVersionsIn(store))
  let prompts: Directory<StoredPrompt> = new Map()
  let partials: Directory<StoredPartial> = new Map()
  const follower = await followChanges(store, {
    ...options,
    tables: TABLES,
    async refresh() {
      // What they say comes after which there are: so no version is missing that a number or a label names.
      const heads = await readHeads(store.db)
      await promptTexts.refresh(heads.prompts)
      await partialTexts.refresh(heads.partials)
      prompts = createDirectory({
        heads: heads.prompts,
        versionsOf: promptTexts.get,
        labelsOf: (id) => heads.labels.get(id) ?? NO_LABELS,
        toStored: toStoredPrompt,
        before: prompts,
      })
      partials = createDirectory({
        heads: heads.partials,
        versionsOf: partialTexts.get,
        labelsOf: () => NO_LABELS,
        toStored: toStoredPartial,
        before: partials,
      })
    },
  })
  return {
    find: (workspaceId, reference) => findVersion(prompts.get(workspaceId), reference),
    partial: (workspaceId, reference) => findVersion(partials.get(workspaceId), reference),
    get version() {
      return follower.version
    },
    close: () => follower.close(),
  }
}

type Identity = Pick<StoredPrompt, 'id' | 'slug' | 'name'>

const toStoredPrompt = ({ id, slug, name }: Identity, text: PromptText): StoredPrompt => ({
  id,
  slug,
  name,
  versionId: text.id,
  version: text.number,
  template: text.template,
  isRaw: text.isRawTemplate,
  parameters: text.parameters,
  strict: text.strict,
  ...(text.model === null ? {} : { model: text.model }),
  ...(text.virtualKey === null ? {} : { virtualKey: text.virtualKey }),
  ...(text.functions === null ? {} : { functions: text.functions }),
  ...(text.tools === null ? {} : { tools: text.tools }),
  ...(text.toolChoice === null ? {} : { toolChoice: text.toolChoice }),
  ...(text.variablesSchema === null ? {} : { variablesSchema: text.variablesSchema }),
})

const toStoredPartial = ({ id, slug }: Identity, text: PartialText): StoredPartial => ({
  id,
  slug,
  version: text.number,
  versionId: text.id,
  template: text.template,
})
