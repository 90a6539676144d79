import { and, eq, inArray } from 'drizzle-orm'
import { defined } from '../../core/defined.ts'
import type { StoredConfig, StoredConfigs } from '../../core/ports.ts'
import { StoreUnavailable } from '../errors.ts'
import type { ConfigContent } from '../objects/configs.ts'
import { isUuid } from '../objects/rows.ts'
import { configs, configVersions } from '../schema/configs.ts'
import type { Db, Store } from '../types.ts'
import { createSnapshot, type Snapshot, type SnapshotOptions } from './follow-changes.ts'

/** All active configs in memory: finding one needs neither the database nor an await. */
export type ConfigSnapshot = StoredConfigs & Snapshot

/** A version that was read, with what its secrets are sealed for. */
export interface SealedConfig extends ConfigContent {
  readonly organisationId: string
  readonly configId: string
}

export interface ConfigSnapshotOptions extends SnapshotOptions {
  /** Gives the config object with its secrets in clear. Asked once for each version. */
  readonly open: (sealed: SealedConfig) => Promise<StoredConfig['config']>
}

/** Versions read by one query. */
const BATCH = 500

/** @throws StoreUnavailable when the configs cannot be read the first time */
export const createConfigSnapshot = (store: Store, options: ConfigSnapshotOptions): Promise<ConfigSnapshot> =>
  createSnapshot(store, {
    ...options,
    tables: ['configs', 'config_versions'],
    async read(before: Configs | undefined): Promise<Configs> {
      const rows = await readActive(store.db)
      const byVersion = await openVersions(store.db, rows, before?.byVersion ?? new Map(), options)
      return { byVersion, workspaces: arrange(rows, byVersion) }
    },
    find: (configs) => ({
      find(workspaceId: string, reference: string) {
        const name = isUuid(reference) ? reference.toLowerCase() : reference
        return usable(configs()?.workspaces.get(workspaceId)?.byName.get(name))
      },
      defaultOf: (workspaceId: string) => usable(configs()?.workspaces.get(workspaceId)?.default),
    }),
  })

interface Configs {
  readonly byVersion: ReadonlyMap<string, Opened>
  readonly workspaces: ReadonlyMap<string, WorkspaceConfigs>
}

/** A config, or why it cannot be used: then every call that names it fails, as one without it would mean another thing. */
type Opened = { readonly config: StoredConfig } | { readonly failure: unknown }

const usable = (opened: Opened | undefined): StoredConfig | undefined => {
  if (opened === undefined) return undefined
  if ('failure' in opened) throw opened.failure
  return opened.config
}

interface WorkspaceConfigs {
  /** By slug and by id. */
  readonly byName: ReadonlyMap<string, Opened>
  readonly default?: Opened
}

interface ActiveConfig extends Pick<StoredConfig, 'id' | 'slug' | 'versionId'> {
  readonly workspaceId: string
  readonly isDefault: boolean
}

/** Which versions are in use, without what they say. */
const readActive = (db: Db): Promise<ActiveConfig[]> =>
  db
    .select({
      id: configs.id,
      slug: configs.slug,
      workspaceId: configs.workspaceId,
      isDefault: configs.isDefault,
      versionId: configVersions.id,
    })
    .from(configs)
    .innerJoin(configVersions, and(eq(configVersions.configId, configs.id), eq(configVersions.number, configs.version)))
    .where(eq(configs.status, 'active'))

/** What is in use, opened: versions never change, so only those are read that are new. */
const openVersions = async (
  db: Db,
  rows: readonly ActiveConfig[],
  known: ReadonlyMap<string, Opened>,
  options: ConfigSnapshotOptions,
): Promise<ReadonlyMap<string, Opened>> => {
  const opened = new Map<string, Opened>()
  const unknown = new Map<string, ActiveConfig>()
  for (const row of rows) {
    const before = known.get(row.versionId)
    if (before === undefined || 'failure' in before) unknown.set(row.versionId, row)
    else opened.set(row.versionId, before)
  }
  const ids = [...unknown.keys()]
  for (let start = 0; start < ids.length; start += BATCH) {
    for (const { versionId, ...sealed } of await readVersions(db, ids.slice(start, start + BATCH))) {
      const row = unknown.get(versionId)
      if (row !== undefined) opened.set(versionId, await openVersion(row, sealed, options))
    }
  }
  return opened
}

const readVersions = (db: Db, ids: readonly string[]) =>
  db
    .select({
      versionId: configVersions.id,
      configId: configs.id,
      organisationId: configs.organisationId,
      config: configVersions.config,
      secrets: configVersions.secrets,
    })
    .from(configVersions)
    .innerJoin(configs, eq(configs.id, configVersions.configId))
    .where(inArray(configVersions.id, [...ids]))

const openVersion = async (
  { id, slug, versionId }: ActiveConfig,
  sealed: SealedConfig,
  { open, onError }: ConfigSnapshotOptions,
): Promise<Opened> => {
  try {
    return { config: { id, slug, versionId, config: await open(sealed) } }
  } catch (failure) {
    // The database went away in between: nothing is wrong with the config.
    if (failure instanceof StoreUnavailable) throw failure
    onError?.(failure)
    return { failure }
  }
}

const arrange = (
  rows: readonly ActiveConfig[],
  byVersion: ReadonlyMap<string, Opened>,
): ReadonlyMap<string, WorkspaceConfigs> => {
  const workspaces = new Map<string, WorkspaceConfigs>()
  for (const [workspaceId, own] of Map.groupBy(rows, (row) => row.workspaceId)) {
    const opened = (row: ActiveConfig | undefined): Opened | undefined => row && byVersion.get(row.versionId)
    const named = (name: 'slug' | 'id') =>
      own.flatMap((row): [string, Opened][] => {
        const found = opened(row)
        return found === undefined ? [] : [[row[name], found]]
      })
    const standard = opened(own.find(({ isDefault }) => isDefault))
    workspaces.set(workspaceId, {
      byName: new Map([...named('slug'), ...named('id')]),
      ...defined({ default: standard }),
    })
  }
  return workspaces
}
