import { eq, inArray } from 'drizzle-orm'
import { labels } from '../schema/labels.ts'
import { promptPartials, promptPartialVersions } from '../schema/prompt-partials.ts'
import { promptLabels, prompts, promptVersions } from '../schema/prompts.ts'
import type { Db, Store } from '../types.ts'
import type { Named } from './prompt-directory.ts'
import type { VersionRow, VersionSource } from './version-cache.ts'

/** What is in use, without what it says. */
export interface Heads {
  readonly prompts: readonly Named[]
  readonly partials: readonly Named[]
  /** By prompt, then by label: the number of the version that carries it. */
  readonly labels: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const headOf = <Table extends typeof prompts | typeof promptPartials>(table: Table) => {
  const { id, slug, name, workspaceId, version, publishedVersion } = table
  return { id, slug, name, workspaceId, version, publishedVersion }
}

/** All active prompts and partials with their labels, as they were at one moment. */
export const readHeads = (db: Db): Promise<Heads> =>
  db.transaction(
    async (transaction) => {
      const labelled = await transaction
        .select({ promptId: promptLabels.promptId, number: promptLabels.number, name: labels.name })
        .from(promptLabels)
        .innerJoin(labels, eq(labels.id, promptLabels.labelId))
      return {
        prompts: await transaction.select(headOf(prompts)).from(prompts).where(eq(prompts.status, 'active')),
        partials: await transaction
          .select(headOf(promptPartials))
          .from(promptPartials)
          .where(eq(promptPartials.status, 'active')),
        labels: byLabel(labelled),
      }
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )

const byLabel = (rows: readonly { readonly promptId: string; readonly number: number; readonly name: string }[]) => {
  const labelled = new Map<string, Map<string, number>>()
  for (const { promptId, name, number } of rows) {
    const ofPrompt = labelled.get(promptId) ?? new Map<string, number>()
    labelled.set(promptId, ofPrompt.set(name, number))
  }
  return labelled
}

type PromptVersionRow = typeof promptVersions.$inferSelect

/** What a version of a prompt means to a call. */
export type PromptText = VersionRow &
  Pick<
    PromptVersionRow,
    | 'template'
    | 'isRawTemplate'
    | 'parameters'
    | 'model'
    | 'virtualKey'
    | 'functions'
    | 'tools'
    | 'toolChoice'
    | 'variablesSchema'
    | 'strict'
  >

export type PartialText = VersionRow & Pick<typeof promptPartialVersions.$inferSelect, 'template'>

export const promptVersionsIn = (store: Pick<Store, 'db'>): VersionSource<PromptText> => {
  const { id, number, promptId, template, isRawTemplate, parameters, model, virtualKey } = promptVersions
  const { functions, tools, toolChoice, variablesSchema, strict } = promptVersions
  const row = { id, number, ownerId: promptId }
  const settings = { parameters, model, virtualKey, functions, tools, toolChoice, variablesSchema, strict }
  return {
    list: (promptIds) =>
      store.db
        .select(row)
        .from(promptVersions)
        .where(inArray(promptId, [...promptIds])),
    read: (ids) =>
      store.db
        .select({ ...row, template, isRawTemplate, ...settings })
        .from(promptVersions)
        .where(inArray(id, [...ids])),
  }
}

export const partialVersionsIn = (store: Pick<Store, 'db'>): VersionSource<PartialText> => {
  const { id, number, partialId, template } = promptPartialVersions
  const row = { id, number, ownerId: partialId }
  return {
    list: (partialIds) =>
      store.db
        .select(row)
        .from(promptPartialVersions)
        .where(inArray(partialId, [...partialIds])),
    read: (ids) =>
      store.db
        .select({ ...row, template })
        .from(promptPartialVersions)
        .where(inArray(id, [...ids])),
  }
}
