import { type Static, Type as t } from '@sinclair/typebox'
import { pageQuery } from '../list.ts'
import { furtherRecordFilters, recordFilters, requiredRange } from '../record-filters.ts'
import { INTERVAL_RULE, INTERVALS } from './windows.ts'

/** Queries of analytics (interface contract, section 5.1). */

const common = {
  ...requiredRange,
  workspace_slug: t.Optional(
    t.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Id or slug, or `*` for all. Absent: the default workspace. Keys of a workspace are about their own.',
    }),
  ),
  ...recordFilters,
  ...furtherRecordFilters,
}

const word = (words: readonly string[]) => t.Union(words.map((each) => t.Literal(each)))

export const SummaryQuery = t.Object(common)

export const GraphQuery = t.Object({
  ...common,
  interval: t.Optional(
    t.Union(
      INTERVALS.map((interval) => t.Literal(interval)),
      { description: INTERVAL_RULE },
    ),
  ),
})
export type GraphQuery = Static<typeof GraphQuery>

const groupQuery = {
  ...common,
  ...pageQuery(50, 1000),
  page_size: t.Integer({
    minimum: 0,
    maximum: 1000,
    default: 50,
    description: 'Rows of a page; 0 asks for the total.',
  }),
  order_by: t.Optional(t.String({ minLength: 1, maxLength: 64, description: 'A field of the rows.' })),
  order_by_type: t.Optional(word(['asc', 'desc', 'ASC', 'DESC'])),
}

const choice = {
  columns: t.Optional(
    t.String({ minLength: 1, maxLength: 1024, description: 'Fields of the rows, separated by commas.' }),
  ),
  include_total: t.Boolean({ default: true, description: 'False leaves out `total`.' }),
}

export const PlainGroupQuery = t.Object(groupQuery)
export const ChoosingGroupQuery = t.Object({ ...groupQuery, ...choice })
export type GroupQuery = Static<typeof PlainGroupQuery> & Partial<Static<typeof ChoosingGroupQuery>>
