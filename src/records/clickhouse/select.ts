import type { ClickHouseSettings } from '@clickhouse/client-web'
import type { Scalar } from '../question.ts'
import type { Client } from './client.ts'

/** Runs a statement. @returns its rows by the names of columns */
export type Select = <Row>(query: string, parameters: Readonly<Record<string, Scalar>>) => Promise<readonly Row[]>

/** Each row of a table once, though it may have been written twice and its parts wait to be merged. */
export const MERGED: ClickHouseSettings = { final: 1, do_not_merge_across_partitions_select_final: 1 }

export const selectFrom =
  ({ use }: Client): Select =>
  <Row>(query: string, parameters: Readonly<Record<string, Scalar>>) =>
    use(async ({ client, signal }) => {
      const result = await client.query({
        query,
        query_params: parameters,
        format: 'JSONEachRow',
        clickhouse_settings: MERGED,
        abort_signal: signal,
      })
      return result.json<Row>()
    })
