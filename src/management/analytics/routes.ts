import { type TObject, Type as t } from '@sinclair/typebox'
import type { Db } from '../../store/types.ts'
import type { Actor } from '../actor.ts'
import { DateTime } from '../fields.ts'
import { toRecordFilter } from '../record-filter.ts'
import type { RecordFilterQuery } from '../record-filters.ts'
import { type Place, placeIn, resolveWorkspace } from '../resolve-workspace.ts'
import { type AnyRoute, defineRoute } from '../route.ts'
import { answerCostByMetadata, COST_BY_METADATA } from './answer-cost.ts'
import { answerRanking, answerSeries } from './answer-graph.ts'
import { answerGroups, type GroupsAnswer } from './answer-groups.ts'
import { answerCacheSummary, CACHE_SUMMARY } from './answer-summary.ts'
import type { AnalyticsDeps } from './deps.ts'
import { type Fields, schemaOf } from './fields.ts'
import { RANKINGS, SERIES } from './graphs.ts'
import { GROUP_TABLES, type GroupTable, metadataTable } from './groups.ts'
import { ChoosingGroupQuery, GraphQuery, type GroupQuery, PlainGroupQuery, SummaryQuery } from './query.ts'
import { readable } from './readable.ts'
import { widthOf } from './windows.ts'
import { withSlugs } from './workspace-slugs.ts'

interface Call<Query> {
  readonly actor: Actor
  readonly db: Db
  readonly query: Query
}

/** Graphs, summaries and groups of records (interface contract, section 5.1), and ours. */
export const analyticsRoutes = (deps: AnalyticsDeps): readonly AnyRoute[] => {
  const records = readable(deps.records)
  const filterOf = async <Query extends CommonQuery>({ actor, db, query }: Call<Query>, spans = false) => {
    const place = await placeOfAnalytics(db, actor, query.workspace_slug, spans)
    return toRecordFilter(place, query, { nowMs: deps.now(), retentionDays: deps.retentionDays(place) })
  }
  const groups = async (table: GroupTable, call: Call<GroupQuery>): Promise<GroupsAnswer> => {
    const answer = await answerGroups(records, table, await filterOf(call, table.spansWorkspaces), call.query)
    return table.spansWorkspaces ? withSlugs(call.db, call.actor.organisationId, answer) : answer
  }
  return [
    ...SERIES.map((series) =>
      defineRoute({
        ...common(
          `graphs/${series.path}`,
          series.aliases?.map((alias) => `graphs/${alias}`),
        ),
        summary: `${series.title}, over time.`,
        query: GraphQuery,
        response: graph(series.summary, schemaOf(series.point, { timestamp: DateTime })),
        async handle(call) {
          const filter = await filterOf(call)
          return answerSeries(records, series, filter, widthOf(filter, call.query.interval))
        },
      }),
    ),
    ...RANKINGS.map((ranking) =>
      defineRoute({
        ...common(
          `graphs/${ranking.path}`,
          ranking.aliases?.map((alias) => `graphs/${alias}`),
        ),
        summary: `${ranking.title}.`,
        query: SummaryQuery,
        response: graph(ranking.summary, schemaOf(ranking.point)),
        handle: async (call) => answerRanking(records, ranking, await filterOf(call)),
      }),
    ),
    defineRoute({
      ...common('graphs/cost/metadata/:metadataKey'),
      summary: 'Cost by the value of a metadata key, over time.',
      query: GraphQuery,
      response: graph(COST_BY_METADATA.summary, COST_BY_METADATA.point),
      async handle(call) {
        const filter = await filterOf(call)
        const width = widthOf(filter, call.query.interval)
        return answerCostByMetadata(records, call.params.metadataKey ?? '', filter, width)
      },
    }),
    defineRoute({
      ...common('summary/cache'),
      summary: 'What the cache was good for.',
      query: SummaryQuery,
      response: t.Object({ summary: schemaOf(CACHE_SUMMARY), object: t.Literal('analytics-summary') }),
      handle: async (call) => answerCacheSummary(records, await filterOf(call)),
    }),
    ...GROUP_TABLES.map((table) =>
      defineRoute({
        ...common(
          `groups/${table.path}`,
          table.aliases?.map((alias) => `groups/${alias}`),
        ),
        summary: `${table.title}.`,
        query: table.shown === undefined ? PlainGroupQuery : ChoosingGroupQuery,
        response: listOfGroups(table),
        handle: (call) => groups(table, call),
      }),
    ),
    defineRoute({
      ...common('groups/metadata/:metadataKey'),
      summary: 'Requests, cost and feedback by the value of a metadata key.',
      query: PlainGroupQuery,
      response: listOfGroups(metadataTable('')),
      handle: (call) => groups(metadataTable(call.params.metadataKey ?? ''), call),
    }),
  ]
}

type CommonQuery = RecordFilterQuery & { readonly workspace_slug?: string }

const common = (path: string, aliases: readonly string[] = []) =>
  ({
    method: 'GET',
    path: `/analytics/${path}`,
    aliases: aliases.map((alias) => `/analytics/${alias}`),
    tag: 'Analytics',
    scopes: ['analytics.view'],
    plane: 'workspace',
    changes: false,
  }) as const

const graph = (summary: Fields, point: TObject) =>
  t.Object({ summary: schemaOf(summary), data_points: t.Array(point), object: t.Literal('analytics-graph') })

const listOfGroups = ({ keys, columns, shown }: GroupTable) => {
  const fields = Object.entries(columns).map(
    ([name, { field }]) => [name, shown === undefined ? field.schema : t.Optional(field.schema)] as const,
  )
  const row = t.Object({
    ...Object.fromEntries(keys.map(({ field, schema }) => [field, schema])),
    ...Object.fromEntries(fields),
    object: t.Literal('analytics-group'),
  })
  return t.Object({ object: t.Literal('list'), total: t.Optional(t.Integer({ minimum: 0 })), data: t.Array(row) })
}

/** All workspaces of the organisation, as a key of it may ask for. */
const ALL = '*'

/** Keys of a workspace are about their own, whatever they name; those of the organisation about the default one, or all. */
const placeOfAnalytics = async (
  db: Db,
  { organisationId, workspaceId, ...actor }: Actor,
  slug: string | undefined,
  spansWorkspaces: boolean,
): Promise<Place> => {
  if (workspaceId !== undefined) return { organisationId, workspaceId }
  if (slug === ALL || (slug === undefined && spansWorkspaces)) return { organisationId }
  return placeIn(await resolveWorkspace(db, { ...actor, organisationId }, slug, 'workspace_slug'))
}
