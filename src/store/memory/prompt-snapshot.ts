import { defined } from '../../core/defined.ts'
import type { StoredPartial, StoredPrompt, StoredPrompts } from '../../core/ports.ts'
import type { Store } from '../types.ts'
import { createSnapshot, type Snapshot, type SnapshotOptions } from './follow-changes.ts'
import { createDirectory, type Directory, findVersion } from './prompt-directory.ts'
import { type PartialText, type PromptText, partialVersionsIn, promptVersionsIn, readHeads } from './prompt-rows.ts'
import { createVersionCache } from './version-cache.ts'

/** All versions of all active prompts and partials in memory: finding one needs neither the database nor an await. */
export type PromptSnapshot = StoredPrompts & Snapshot

interface Directories {
  readonly prompts: Directory<StoredPrompt>
  readonly partials: Directory<StoredPartial>
}

const NO_LABELS: ReadonlyMap<string, number> = new Map()

/** @throws StoreUnavailable when they cannot be read the first time */
export const createPromptSnapshot = (store: Store, options: SnapshotOptions = {}): Promise<PromptSnapshot> => {
  const promptTexts = createVersionCache(promptVersionsIn(store))
  const partialTexts = createVersionCache(partialVersionsIn(store))
  return createSnapshot(store, {
    ...options,
    tables: ['prompts', 'prompt_versions', 'prompt_labels', 'labels', 'prompt_partials', 'prompt_partial_versions'],
    async read(before: Directories | undefined): Promise<Directories> {
      // What they say comes after which there are: so no version is missing that a number or a label names.
      const heads = await readHeads(store.db)
      await promptTexts.refresh(heads.prompts)
      await partialTexts.refresh(heads.partials)
      return {
        prompts: createDirectory({
          heads: heads.prompts,
          versionsOf: promptTexts.get,
          labelsOf: (id) => heads.labels.get(id) ?? NO_LABELS,
          toStored: toStoredPrompt,
          before: before?.prompts ?? new Map(),
        }),
        partials: createDirectory({
          heads: heads.partials,
          versionsOf: partialTexts.get,
          labelsOf: () => NO_LABELS,
          toStored: toStoredPartial,
          before: before?.partials ?? new Map(),
        }),
      }
    },
    find: (directories) => ({
      find: (workspaceId: string, reference: string) => findVersion(directories()?.prompts.get(workspaceId), reference),
      partial: (workspaceId: string, reference: string) =>
        findVersion(directories()?.partials.get(workspaceId), reference),
    }),
  })
}

type Identity = Pick<StoredPrompt, 'id' | 'slug' | 'name'>

const toStoredPrompt = ({ id, slug, name }: Identity, text: PromptText): StoredPrompt =>
  defined({
    id,
    slug,
    name,
    versionId: text.id,
    version: text.number,
    template: text.template,
    isRaw: text.isRawTemplate,
    parameters: text.parameters,
    strict: text.strict,
    model: text.model ?? undefined,
    virtualKey: text.virtualKey ?? undefined,
    functions: text.functions ?? undefined,
    tools: text.tools ?? undefined,
    toolChoice: text.toolChoice ?? undefined,
    variablesSchema: text.variablesSchema ?? undefined,
  })

const toStoredPartial = ({ id, slug }: Identity, text: PartialText): StoredPartial => ({
  id,
  slug,
  version: text.number,
  versionId: text.id,
  template: text.template,
})
