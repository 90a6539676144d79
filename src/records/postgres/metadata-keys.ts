import type { Sql, TransactionSql } from 'postgres'
import { toJson } from '../../store/database/json-rows.ts'
import type { HasFacet } from '../query/plan.ts'
import type { RecordFilter } from '../question.ts'
import { COMMON_KEYS, HOUR_US } from '../rollups/facets.ts'
import { SCHEMA } from './names.ts'
import { lockSchema } from './schema.ts'

/** Keys that workspaces declared, by the id of the workspace. */
export type DeclaredKeyMap = ReadonlyMap<string, readonly string[]>

/**
 * Keeps which keys have sums, and from when on: the hour after the next, as other processes may learn of them later. One that
 * is no longer declared is forgotten, since sums of it have gaps from now on.
 */
export const saveKeys = (sql: Sql, keys: DeclaredKeyMap, nowMs: number): Promise<void> =>
  sql.begin(async (transaction) => {
    await lockSchema(transaction)
    const rows = toJson(
      [...keys].flatMap(([workspaceId, own]) => [...new Set(own)].map((key) => ({ workspace_id: workspaceId, key }))),
    )
    const given = 'json_to_recordset($1::text::json) as given (workspace_id text, key text)'
    await transaction.unsafe(
      `delete from ${SCHEMA}.metadata_keys k where not exists
         (select from ${given} where given.workspace_id = k.workspace_id and given.key = k.key)`,
      [rows],
    )
    await transaction.unsafe(
      `insert into ${SCHEMA}.metadata_keys (workspace_id, key, since) select workspace_id, key, $2 from ${given}
       on conflict do nothing`,
      [rows, (Math.floor((nowMs * 1_000) / HOUR_US) + 2) * HOUR_US],
    )
  }) as Promise<void>

/** Says which metadata keys have sums for all that a filter is about. */
export const readFacets = async (transaction: TransactionSql, filter: RecordFilter): Promise<HasFacet> => {
  const { workspaceIds = [], from } = filter
  const rows =
    workspaceIds.length === 0
      ? []
      : await transaction.unsafe<{ key: string; workspaces: number }[]>(
          `select key, count(*) as workspaces from ${SCHEMA}.metadata_keys
           where since <= $1 and workspace_id in (select jsonb_array_elements_text($2::text::jsonb)) group by key`,
          [from, JSON.stringify(workspaceIds)],
        )
  const wanted = new Set(workspaceIds).size
  const complete = new Set(rows.filter(({ workspaces }) => workspaces === wanted).map(({ key }) => key))
  return (key) => COMMON_KEYS.includes(key) || complete.has(key)
}
