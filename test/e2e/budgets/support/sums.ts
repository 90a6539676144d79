import postgres from 'postgres'

/** One count as the ledger has it. */
export interface StoredCount {
  readonly workspaceId: string
  readonly budgetId: string
  readonly startMs: number
  readonly endMs: number | undefined
  readonly type: string
  readonly label: string
  /** 10⁻¹² dollars, tokens or requests. */
  readonly total: bigint
}

export interface RecordSums {
  readonly calls: number
  /** Calls that were answered whole. */
  readonly completed: number
  readonly interrupted: number
  /** 10⁻¹² dollars. */
  readonly cost: bigint
  readonly tokens: bigint
}

/** Reads what processes have stored, past all of their code. */
export interface Sums {
  counts(): Promise<readonly StoredCount[]>
  /** @param where SQL about columns of calls */
  records(where?: string): Promise<RecordSums>
  close(): Promise<void>
}

export const openSums = (databaseUrl: string): Sums => {
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => undefined })
  return {
    async counts() {
      const rows = await sql.unsafe(
        'select workspace_id, budget_id, start_ms, end_ms, type, label, total::text as total from weir_budgets.counters',
      )
      return rows.map((row) => ({
        workspaceId: row.workspace_id,
        budgetId: row.budget_id,
        startMs: Number(row.start_ms),
        endMs: row.end_ms === null ? undefined : Number(row.end_ms),
        type: row.type,
        label: row.label,
        total: BigInt(row.total),
      }))
    },
    async records(where = 'true') {
      const [row] = await sql.unsafe(
        `select count(*) as calls,
          count(*) filter (where outcome = 'completed' and status = 200) as completed,
          count(*) filter (where outcome = 'interrupted') as interrupted,
          coalesce(sum(cost), 0)::text as cost, coalesce(sum(total_tokens), 0)::text as tokens
        from weir_records.calls where kind = 'call' and (${where})`,
      )
      return {
        calls: Number(row?.calls),
        completed: Number(row?.completed),
        interrupted: Number(row?.interrupted),
        cost: BigInt(row?.cost ?? 0),
        tokens: BigInt(row?.tokens ?? 0),
      }
    },
    close: () => sql.end({ timeout: 5 }),
  }
}

/** Sum of those counts. */
export const totalOf = (counts: readonly StoredCount[]): bigint => counts.reduce((sum, { total }) => sum + total, 0n)
