/** What the database of the benchmark holds. */

/** Numbers of policies of a workspace. Two of them apply to each call, or the only one. */
export const POLICY_COUNTS = [1, 2, 10, 100, 1_000] as const
export type PolicyCount = (typeof POLICY_COUNTS)[number]

/** Slugs of the saved configs that every workspace has. */
export const CONFIGS = { governed: 'pc-bench-governed', cached: 'pc-bench-cached' } as const

/** Labels of each call; the first is what the policies ask for. */
export const LABELS = { team: 'core', _user: 'anna' } as const

export interface SeedPlan {
  readonly databaseUrl: string
  /** Keys of the default workspace, beside the preset one. */
  readonly keys: number
  /** Workspaces with this many policies, one each. */
  readonly policyCounts: readonly number[]
}

export interface Seeded {
  readonly keys: readonly string[]
  /** The key of the workspace with that many policies. */
  readonly keyOf: Readonly<Record<string, string>>
}
