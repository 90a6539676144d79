import { and, asc, eq, inArray } from 'drizzle-orm'
import type {
  CheckDefinition,
  CheckStage,
  DefaultGuardrails,
  GuardrailDefinition,
  StoredGuardrail,
  StoredGuardrails,
} from '../../core/guardrails.ts'
import { NO_DEFAULT_GUARDRAILS } from '../../core/guardrails.ts'
import { StoreUnavailable } from '../errors.ts'
import { isUuid } from '../objects/rows.ts'
import { guardrailDefaults, guardrailExclusions, guardrails, guardrailVersions } from '../schema/guardrails.ts'
import { workspaces } from '../schema/tenancy.ts'
import type { Db, Store } from '../types.ts'
import { createSnapshot, type Snapshot, type SnapshotOptions } from './follow-changes.ts'

/** All active guardrails in memory: finding one needs neither the database nor an await. */
export type GuardrailSnapshot = StoredGuardrails & Snapshot

/** A version that was read, with what its headers are sealed for. */
export interface SealedGuardrail {
  readonly organisationId: string
  readonly guardrailId: string
  readonly checks: readonly CheckDefinition[]
}

export interface GuardrailSnapshotOptions extends SnapshotOptions {
  /** Gives the checks with their headers in clear. Asked once for each version. */
  readonly open: (sealed: SealedGuardrail) => Promise<readonly CheckDefinition[]>
}

/** Versions read by one query. */
const BATCH = 100

/** @throws StoreUnavailable when the guardrails cannot be read the first time */
export const createGuardrailSnapshot = (store: Store, options: GuardrailSnapshotOptions): Promise<GuardrailSnapshot> =>
  createSnapshot(store, {
    ...options,
    tables: ['guardrails', 'guardrail_versions', 'guardrail_defaults', 'guardrail_exclusions', 'workspaces'],
    async read(before: Guardrails | undefined): Promise<Guardrails> {
      // As it was at one moment: a default whose guardrail is not there yet would be left out of calls.
      const rows = await store.db.transaction((transaction) => readRows(transaction, before), {
        isolationLevel: 'repeatable read',
        accessMode: 'read only',
      })
      return arrange({ ...rows, active: await openNew(rows.active, before, options) }, before)
    },
    find: (content) => ({
      find(workspaceId: string, reference: string) {
        const workspace = content()?.workspaces.get(workspaceId)
        const name = isUuid(reference) ? reference.toLowerCase() : reference
        return workspace?.own.get(name) ?? workspace?.shared.get(name)
      },
      defaultsOf: (workspaceId: string) => content()?.workspaces.get(workspaceId)?.defaults ?? NO_DEFAULT_GUARDRAILS,
    }),
  })

/** By slug and by id. */
type ByName = ReadonlyMap<string, StoredGuardrail>

interface WorkspaceGuardrails {
  readonly own: ByName
  /** Those of its organisation. */
  readonly shared: ByName
  readonly defaults: DefaultGuardrails
}

interface Guardrails {
  readonly byVersion: ReadonlyMap<string, StoredGuardrail>
  readonly workspaces: ReadonlyMap<string, WorkspaceGuardrails>
}

interface Rows {
  readonly active: readonly (ActiveGuardrail & { readonly stored: StoredGuardrail })[]
  readonly defaults: readonly DefaultRow[]
  readonly exclusions: readonly (typeof guardrailExclusions.$inferSelect)[]
  readonly workspaces: readonly { readonly id: string; readonly organisationId: string }[]
}

type DefaultRow = Omit<typeof guardrailDefaults.$inferSelect, 'id' | 'position'>

const readRows = async (db: Db, before: Guardrails | undefined): Promise<Rows> => {
  const { organisationId, workspaceId, stage, guardrailId, position } = guardrailDefaults
  return {
    active: await readStored(db, before?.byVersion ?? new Map()),
    defaults: await db
      .select({ organisationId, workspaceId, stage, guardrailId })
      .from(guardrailDefaults)
      .orderBy(asc(position)),
    exclusions: await db.select().from(guardrailExclusions),
    workspaces: await db.select({ id: workspaces.id, organisationId: workspaces.organisationId }).from(workspaces),
  }
}

/** A guardrail without what it says. */
interface ActiveGuardrail extends Omit<StoredGuardrail, 'definition' | 'scope'> {
  readonly organisationId: string
  readonly workspaceId: string | null
}

/** Versions never change: only those are read that are new. */
const readStored = async (db: Db, known: ReadonlyMap<string, StoredGuardrail>): Promise<Rows['active']> => {
  const active: readonly ActiveGuardrail[] = await db
    .select({
      id: guardrails.id,
      slug: guardrails.slug,
      name: guardrails.name,
      target: guardrails.target,
      organisationId: guardrails.organisationId,
      workspaceId: guardrails.workspaceId,
      versionId: guardrailVersions.id,
    })
    .from(guardrails)
    .innerJoin(
      guardrailVersions,
      and(eq(guardrailVersions.guardrailId, guardrails.id), eq(guardrailVersions.number, guardrails.version)),
    )
    .where(eq(guardrails.status, 'active'))
  const definitions = await readDefinitions(
    db,
    active.map(({ versionId }) => versionId).filter((versionId) => usable(known, versionId) === undefined),
  )
  return active.flatMap((row) => {
    const before = usable(known, row.versionId)
    const definition = before?.definition ?? definitions.get(row.versionId)
    if (definition === undefined) return []
    const { id, slug, name, target, versionId } = row
    const scope = row.workspaceId === null ? 'organisation' : 'workspace'
    const isSame = before?.name === name
    return [{ ...row, stored: isSame ? before : { id, slug, name, scope, target, versionId, definition } }]
  })
}

/** One that could not be opened is tried again. */
const usable = (known: ReadonlyMap<string, StoredGuardrail>, versionId: string): StoredGuardrail | undefined => {
  const found = known.get(versionId)
  return found?.failure === undefined ? found : undefined
}

/** Those that are new, opened: what was read before is. */
const openNew = async (
  active: Rows['active'],
  before: Guardrails | undefined,
  { open, onError }: GuardrailSnapshotOptions,
): Promise<Rows['active']> => {
  const opened: Rows['active'][number][] = []
  for (const row of active) {
    const { stored, organisationId } = row
    if (before !== undefined && usable(before.byVersion, stored.versionId) !== undefined) {
      opened.push(row)
      continue
    }
    const { definition } = stored
    try {
      const checks = await open({ organisationId, guardrailId: stored.id, checks: definition.checks })
      opened.push({ ...row, stored: { ...stored, definition: { ...definition, checks } } })
    } catch (failure) {
      // The database went away in between: nothing is wrong with the guardrail.
      if (failure instanceof StoreUnavailable) throw failure
      onError?.(failure)
      opened.push({ ...row, stored: { ...stored, failure } })
    }
  }
  return opened
}

const readDefinitions = async (
  db: Db,
  versionIds: readonly string[],
): Promise<ReadonlyMap<string, GuardrailDefinition>> => {
  const found = new Map<string, GuardrailDefinition>()
  const { id, checks, actions } = guardrailVersions
  for (let start = 0; start < versionIds.length; start += BATCH) {
    const rows = await db
      .select({ id, checks, actions })
      .from(guardrailVersions)
      .where(inArray(id, versionIds.slice(start, start + BATCH)))
    for (const row of rows) found.set(row.id, { type: 'guardrail', checks: row.checks, ...row.actions })
  }
  return found
}

const NOTHING: ByName = new Map()

const arrange = (rows: Rows, before: Guardrails | undefined): Guardrails => {
  const owners = Map.groupBy(rows.active, ({ organisationId, workspaceId }) => workspaceId ?? organisationId)
  const byOwner = new Map([...owners].map(([owner, of]) => [owner, toNames(of.map(({ stored }) => stored))]))
  const byId = new Map(rows.active.map(({ stored }) => [stored.id, stored]))
  const defaults = Map.groupBy(rows.defaults, ({ organisationId, workspaceId }) => workspaceId ?? organisationId)
  const excluded = new Set(rows.exclusions.map(({ workspaceId, stage }) => `${workspaceId} ${stage}`))
  const defaultsOf = (id: string, organisationId: string): DefaultGuardrails => {
    const at = (stage: CheckStage): readonly StoredGuardrail[] => {
      const shared = excluded.has(`${id} ${stage}`) ? [] : (defaults.get(organisationId) ?? [])
      const named = [...shared, ...(defaults.get(id) ?? [])].filter((row) => row.stage === stage)
      const found = named.map(({ guardrailId }) => byId.get(guardrailId)).filter((each) => each !== undefined)
      return [...new Set(found)]
    }
    return keepSame(before?.workspaces.get(id)?.defaults, { input: at('input'), output: at('output') })
  }
  return {
    byVersion: new Map(rows.active.map(({ stored }) => [stored.versionId, stored])),
    workspaces: new Map(
      rows.workspaces.map(({ id, organisationId }) => [
        id,
        {
          own: byOwner.get(id) ?? NOTHING,
          shared: byOwner.get(organisationId) ?? NOTHING,
          defaults: defaultsOf(id, organisationId),
        },
      ]),
    ),
  }
}

const toNames = (stored: readonly StoredGuardrail[]): ByName =>
  new Map([...stored.map((each) => [each.slug, each] as const), ...stored.map((each) => [each.id, each] as const)])

/** What was found before, where nothing has changed. */
const keepSame = (before: DefaultGuardrails | undefined, now: DefaultGuardrails): DefaultGuardrails => {
  if (now.input.length === 0 && now.output.length === 0) return NO_DEFAULT_GUARDRAILS
  const isSame = (stage: CheckStage): boolean =>
    before?.[stage].length === now[stage].length && now[stage].every((each, index) => each === before[stage][index])
  return before !== undefined && isSame('input') && isSame('output') ? before : now
}
