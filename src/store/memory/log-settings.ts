import { isNotNull } from 'drizzle-orm'
import type { LogSettings } from '../../core/log-settings.ts'
import { organisations, workspaces } from '../schema/tenancy.ts'
import type { Db, Store } from '../types.ts'
import { followChanges, type Snapshot, type SnapshotOptions } from './follow-changes.ts'

/** What one workspace says of its records, and its organisation. */
export interface WorkspaceLogSettings {
  readonly organisation: LogSettings
  readonly workspace: LogSettings
}

/** What organisations and workspaces say of their records, in memory. */
export interface LogSettingsSnapshot extends Snapshot {
  /** The same object for as long as nothing has changed anywhere. */
  of(workspaceId: string): WorkspaceLogSettings
  /** Every workspace that has a say, or whose organisation has. */
  all(): ReadonlyMap<string, WorkspaceLogSettings>
  /** Calls back after each time that they were read again. */
  onChange(listener: () => void): void
}

/** @throws StoreUnavailable when they cannot be read the first time */
export const createLogSettingsSnapshot = async (
  store: Store,
  options: SnapshotOptions = {},
): Promise<LogSettingsSnapshot> => {
  const listeners: (() => void)[] = []
  let settings: ReadonlyMap<string, WorkspaceLogSettings> = new Map()
  const follower = await followChanges(store, {
    ...options,
    tables: ['organisations', 'workspaces'],
    async refresh() {
      settings = await readSettings(store.db)
      for (const listener of listeners) listener()
    },
  })
  return {
    of: (workspaceId) => settings.get(workspaceId) ?? SILENT,
    all: () => settings,
    onChange: (listener) => void listeners.push(listener),
    get version() {
      return follower.version
    },
    close: () => follower.close(),
  }
}

const NOTHING: LogSettings = {}
const SILENT: WorkspaceLogSettings = { organisation: NOTHING, workspace: NOTHING }

const readSettings = async (db: Db): Promise<ReadonlyMap<string, WorkspaceLogSettings>> => {
  const [saying, rows] = await Promise.all([
    db
      .select({ id: organisations.id, logs: organisations.logs })
      .from(organisations)
      .where(isNotNull(organisations.logs)),
    db.select({ id: workspaces.id, organisationId: workspaces.organisationId, logs: workspaces.logs }).from(workspaces),
  ])
  const ofOrganisations = new Map(saying.map(({ id, logs }) => [id, logs]))
  const settings = new Map<string, WorkspaceLogSettings>()
  for (const { id, organisationId, logs } of rows) {
    const organisation = ofOrganisations.get(organisationId)
    if (logs === null && organisation == null) continue
    settings.set(id, { organisation: organisation ?? NOTHING, workspace: logs ?? NOTHING })
  }
  return settings
}
