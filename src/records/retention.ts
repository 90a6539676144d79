import type { Retention, RetentionRules } from './store.ts'

const DAY_MS = 86_400_000

/** From when on rows are kept, in microseconds since 1970: beginnings of days of UTC. */
export interface Cutoffs {
  readonly fallback: number
  readonly workspaces: ReadonlyMap<string, number>
}

/** Today counts as day 0: with one day, rows of yesterday and today are kept. */
export const cutoffsOf = (nowMs: number, rules: RetentionRules, kind: keyof Retention): Cutoffs => {
  const today = Math.floor(nowMs / DAY_MS)
  const cutoff = (retention: Retention): number => (today - retention[kind]) * DAY_MS * 1_000
  return {
    fallback: cutoff(rules.fallback),
    workspaces: new Map([...rules.workspaces].map(([id, retention]) => [id, cutoff(retention)])),
  }
}

/** The earliest of all. */
export const firstKept = ({ fallback, workspaces }: Cutoffs): number => Math.min(fallback, ...workspaces.values())

export const isKept = (cutoffs: Cutoffs, row: { readonly workspaceId: string; readonly time: number }): boolean =>
  row.time >= (cutoffs.workspaces.get(row.workspaceId) ?? cutoffs.fallback)
