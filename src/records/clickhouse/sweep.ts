import { cutoffsOf, firstKept } from '../retention.ts'
import type { Retention, RetentionRules } from '../store.ts'
import type { Asking } from './client.ts'
import { type ClickhousePlace, type Names, namesOf } from './names.ts'

const DAY_US = 86_400_000_000

/** Tables by the day, the column that says which, and how long their rows are kept. */
const DAILY = [
  { table: 'calls', time: 'time', kind: 'days' },
  { table: 'feedback', time: 'time', kind: 'days' },
  { table: 'rollups', time: 'bucket', kind: 'days' },
  { table: 'bodies', time: 'time', kind: 'bodyDays' },
] as const satisfies readonly { table: string; time: string; kind: keyof Retention }[]
type Daily = (typeof DAILY)[number]

/**
 * Removes what is past its retention: days that nobody keeps as a whole, rows of workspaces that keep less than others from
 * the rest. The tables have the longest retention as their own too, for when no gateway runs.
 */
export const sweep = async (
  asking: Asking,
  place: ClickhousePlace,
  nowMs: number,
  rules: RetentionRules,
): Promise<void> => {
  const names = namesOf(place)
  for (const daily of DAILY) {
    const cutoffs = cutoffsOf(nowMs, rules, daily.kind)
    await dropDays(asking, place, names, daily, firstKept(cutoffs))
    await keepNoLonger(asking, place, names, daily, rules)
    for (const [workspace, rows] of await workspacesBefore(asking, names, daily, cutoffs)) {
      await command(
        asking,
        `delete from ${names.local(daily.table)}${names.onCluster} where workspace_id = {workspace:String} and ${daily.time} < {before:Int64}`,
        { workspace, before: rows },
      )
    }
  }
}

const command = async (
  { client, signal }: Asking,
  query: string,
  parameters: Record<string, string | number> = {},
): Promise<void> => {
  await client.command({ query, query_params: parameters, abort_signal: signal })
}

const select = async <Row>({ client, signal }: Asking, query: string, parameters: Record<string, string | number>) => {
  const result = await client.query({
    query,
    query_params: parameters,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    abort_signal: signal,
  })
  return result.json<Row>()
}

const dropDays = async (
  asking: Asking,
  { database, cluster }: ClickhousePlace,
  names: Names,
  { table }: Daily,
  first: number,
): Promise<void> => {
  const parts = cluster === undefined ? 'system.parts' : `clusterAllReplicas('${cluster}', system.parts)`
  const rows = await select<{ day: number }>(
    asking,
    `select distinct toInt64(partition) as day from ${parts}
     where active and database = {database:String} and table = {table:String} and day < {first:Int64}`,
    { database, table: cluster === undefined ? table : `${table}_local`, first: Math.floor(first / DAY_US) },
  )
  for (const { day } of rows)
    await command(asking, `alter table ${names.local(table)}${names.onCluster} drop partition ${day}`)
}

/** Sets how long the table itself keeps rows, where that is not what it says. A day more: days go as a whole. */
const keepNoLonger = async (
  asking: Asking,
  { database, cluster }: ClickhousePlace,
  names: Names,
  { table, time, kind }: Daily,
  rules: RetentionRules,
): Promise<void> => {
  const days = Math.max(rules.fallback[kind], ...[...rules.workspaces.values()].map((own) => own[kind])) + 1
  const interval = `toIntervalDay(${days})`
  const [found] = await select<{ is_set: number }>(
    asking,
    'select position(engine_full, {interval:String}) > 0 as is_set from system.tables where database = {database:String} and name = {table:String}',
    { database, table: cluster === undefined ? table : `${table}_local`, interval },
  )
  if (found?.is_set === 1) return
  await command(
    asking,
    `alter table ${names.local(table)}${names.onCluster} modify ttl toDateTime(intDiv(${time}, 1000000)) + ${interval} settings materialize_ttl_after_modify = 0`,
  )
}

/** Workspaces that have rows from before their cutoff, with that. */
const workspacesBefore = async (
  asking: Asking,
  names: Names,
  { table, time }: Daily,
  { fallback, workspaces }: ReturnType<typeof cutoffsOf>,
): Promise<readonly (readonly [workspace: string, before: number])[]> => {
  const rows = await select<{ workspace_id: string; first: number }>(
    asking,
    `select workspace_id, min(${time}) as first from ${names.all(table)} where ${time} < {last:Int64} group by workspace_id`,
    { last: Math.max(fallback, ...workspaces.values()) },
  )
  return rows.flatMap(({ workspace_id, first }) => {
    const cutoff = workspaces.get(workspace_id) ?? fallback
    return first < cutoff ? [[workspace_id, cutoff] as const] : []
  })
}
