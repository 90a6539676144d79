import { type TSchema, Type as t } from '@sinclair/typebox'
import type { Condition, Group, Measure } from '../../records/question.ts'
import { nullable } from '../fields.ts'
import { type Field, milliseconds, numberOf, share, time, whole } from './fields.ts'
import { tokensPerSecond } from './graphs.ts'
import * as the from './measures.ts'
import { rounded, toCents, toCentsText } from './units.ts'

/** A column of a table of groups. */
export interface Column {
  readonly measures: readonly Measure[]
  readonly field: Field
  /** The measure that stands for it in an order; absent: the table cannot be ordered by it. */
  readonly orderBy?: string
  /** About feedback, which no sums are kept of: asked for the rows of a page alone, where the order does not need it. */
  readonly isJoined?: true
}
export type Columns = Readonly<Record<string, Column>>

/** A table with a row for each value of something. */
export interface GroupTable {
  /** Below `/analytics/groups/`. */
  readonly path: string
  readonly aliases?: readonly string[]
  readonly title: string
  /** What a row is about, by the names of its fields. */
  readonly keys: readonly Key[]
  readonly columns: Columns
  /** Columns that are shown unless the client chooses; absent: all of them, and the client has no choice. */
  readonly shown?: readonly string[]
  /** About the workspaces of an organisation, and so not about the default one of them. */
  readonly spansWorkspaces?: true
}

export interface Key {
  readonly field: string
  readonly group: Group
  readonly schema: TSchema
  /** Leaves out the records that have no value. */
  readonly known: Condition
}

const measured = (measure: Measure, field: Field): Column => ({ measures: [measure], field, orderBy: measure.as })

const text = (measure: string, toText: (value: number) => string): Field => ({
  schema: t.String({ pattern: '^[0-9.]+$' }),
  of: ({ row }) => toText(numberOf(row, measure)),
})
const meanOf = (measure: string): Field => ({
  schema: nullable(t.Number()),
  of: ({ row }) => {
    const value = row[measure]
    return value === null || value === undefined ? null : rounded(Number(value))
  },
})
const average = (as: string, column: 'totalTokens' | 'inputTokens' | 'outputTokens' | 'weighted'): Column =>
  measured({ as, avg: column }, meanOf(as))

const requests = measured(the.requests, whole('requests'))
const cost = measured(the.cost, {
  schema: t.Number({ description: 'US cents, with fractions.' }),
  of: ({ row }) => toCents(numberOf(row, 'cost')),
})
const unpriced = measured(the.unpriced, whole('unpriced'))
const avgTokens = average('avgTokens', 'totalTokens')
const lastSeen = measured({ as: 'lastSeen', max: 'time' }, time('lastSeen'))
const withFeedback: Measure = { as: 'withFeedback', count: true, where: [{ weightedFeedback: {} }] }
const percentile = (as: string, at: number): Column => measured({ as, quantile: 'totalUs', at }, milliseconds(as))

/** What clients of the older interface choose from. */
const CHOICE: Columns = {
  requests,
  cost,
  unpriced_requests: unpriced,
  total_tokens: measured(the.tokens, whole('tokens')),
  avg_tokens: avgTokens,
  avg_input_tokens: average('avgInputTokens', 'inputTokens'),
  avg_output_tokens: average('avgOutputTokens', 'outputTokens'),
  avg_latency: measured({ as: 'avgLatency', avg: 'totalUs' }, milliseconds('avgLatency')),
  p50_latency: percentile('p50Latency', 0.5),
  p90_latency: percentile('p90Latency', 0.9),
  p95_latency: percentile('p95Latency', 0.95),
  p99_latency: percentile('p99Latency', 0.99),
  success_rate: { measures: [the.requests, the.successes], field: share(['successes'], 'requests') },
  error_count: measured(the.errors, whole('errors')),
  cache_hit_rate: { measures: [the.requests, the.hits], field: share(['hits'], 'requests') },
  last_seen: lastSeen,
  first_seen: measured({ as: 'firstSeen', min: 'time' }, time('firstSeen')),
}

type KeyColumn =
  | 'provider'
  | 'storedProvider'
  | 'model'
  | 'status'
  | 'apiKeyId'
  | 'configSlug'
  | 'workspaceId'
  | 'promptSlug'

const byColumn = (field: string, column: KeyColumn, schema: TSchema = t.String()): Key => ({
  field,
  group: { as: field, column },
  schema,
  known: { column, notIn: [null] },
})
const byMetadata = (field: string, metadata: string): Key => ({
  field,
  group: { as: field, metadata },
  schema: t.String(),
  known: { hasMetadata: metadata },
})

const chosen = (path: string, column: KeyColumn, more: Partial<GroupTable> & { readonly schema?: TSchema } = {}) => {
  const { schema, ...rest } = more
  const title = `Requests by ${path.replaceAll('_', ' ')}`
  const shown = ['requests', 'cost']
  return { path, title, keys: [byColumn(path, column, schema)], columns: CHOICE, shown, ...rest }
}

/** The tables of the interface (contract, section 5.1), and ours. */
export const GROUP_TABLES: readonly GroupTable[] = [
  {
    path: 'users',
    title: 'Requests and cost by user',
    keys: [byMetadata('user', the.USER_LABEL)],
    columns: {
      requests: measured(the.requests, text('requests', String)),
      cost: measured(the.cost, text('cost', toCentsText)),
    },
  },
  {
    path: 'ai-models',
    title: 'Requests by model',
    keys: [byColumn('ai_model', 'model')],
    columns: { requests: measured(the.requests, text('requests', String)) },
  },
  chosen('provider', 'provider', { shown: ['requests'] }),
  chosen('ai_service', 'provider'),
  chosen('model', 'model'),
  chosen('status_code', 'status', { schema: t.Integer() }),
  chosen('api_key', 'apiKeyId'),
  chosen('config', 'configSlug'),
  chosen('workspace', 'workspaceId', { aliases: ['workspaces'], spansWorkspaces: true }),
  chosen('prompt', 'promptSlug'),
  chosen('virtual_key', 'storedProvider'),
  {
    path: 'model-performance',
    title: 'Latency, time to first token and pace by model',
    keys: [byColumn('provider', 'provider'), byColumn('ai_model', 'model')],
    columns: {
      requests,
      ...spreadColumns('latency', 'totalUs', []),
      ...spreadColumns('time_to_first_token', 'firstByteUs', the.STREAMED),
      tokens_per_second: { measures: the.pace, field: tokensPerSecond },
    },
  },
]

/** A table for each value of a metadata key: its key stands in the path. */
export const metadataTable = (metadataKey: string): GroupTable => ({
  path: 'metadata/:metadataKey',
  title: 'Requests, cost and feedback by the value of a metadata key',
  keys: [byMetadata('metadata_value', metadataKey)],
  columns: {
    requests,
    cost,
    avg_tokens: avgTokens,
    avg_weighted_feedback: { ...average('weighted', 'weighted'), isJoined: true },
    requests_with_feedback: { ...measured(withFeedback, whole('withFeedback')), isJoined: true },
    last_seen: lastSeen,
  },
})

function spreadColumns(name: string, column: 'totalUs' | 'firstByteUs', where: readonly Condition[]): Columns {
  const columns = the.spread(column, where).map((measure) => {
    const as = `${measure.as}_${name}`
    return [as, measured({ ...measure, as }, milliseconds(as))] as const
  })
  return Object.fromEntries(columns)
}
