import type { RetentionRules } from './store.ts'

/** What workspaces say of their records, as it is now. */
export interface RecordSettings {
  retention(): RetentionRules
  /** Metadata keys that workspaces declared, by the id of the workspace. */
  metadataKeys(): ReadonlyMap<string, readonly string[]>
  /** Calls back whenever one of the two may have changed. */
  onChange(listener: () => void): void
}

/** Days that records of a workspace are kept; without one, the most of all. */
export const daysKept = ({ fallback, workspaces }: RetentionRules, workspaceId: string | undefined): number =>
  workspaceId === undefined
    ? workspaces.values().reduce((most, { days }) => Math.max(most, days), fallback.days)
    : (workspaces.get(workspaceId) ?? fallback).days
