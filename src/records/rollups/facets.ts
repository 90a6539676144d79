import type { RecordColumn } from '../question.ts'

/** Widths of rollups in microseconds, the widest first. */
export const DAY_US = 86_400_000_000
/** The points of a graph of a month. */
export const QUARTER_DAY_US = 21_600_000_000
export const HOUR_US = 3_600_000_000
export const MINUTE_US = 60_000_000

/**
 * Sums are kept by facets, each with columns of its own, so that a question reads no more rows than it must: `outcome` is how
 * calls ended, `model` is which models were called, `call` is all of that and by whom; any other name is a metadata key, by its
 * values.
 */
export const OUTCOME_FACET = ':outcome'
export const MODEL_FACET = ':model'
export const CALL_FACET = ':call'

/** Columns that all facets have. */
export const OWNER_COLUMNS = ['organisationId', 'workspaceId'] as const satisfies readonly RecordColumn[]

const OUTCOME_COLUMNS = [
  'kind',
  'status',
  'success',
  'outcome',
  'stream',
  'cacheStatus',
  'retries',
  'fallback',
  'unpriced',
] as const satisfies readonly RecordColumn[]

/** All columns that rollups have; a facet leaves those null that it does not have. */
export const DIMENSIONS = [
  ...OUTCOME_COLUMNS,
  'endpoint',
  'provider',
  'model',
  'storedProvider',
  'apiKeyId',
  'configId',
  'configSlug',
  'promptSlug',
] as const satisfies readonly RecordColumn[]
export type Dimension = (typeof DIMENSIONS)[number]

const MODEL_COLUMNS = ['success', 'stream', 'unpriced', 'provider', 'model'] as const satisfies readonly Dimension[]
const METADATA_COLUMNS = ['kind', 'success'] as const satisfies readonly Dimension[]

/** Columns that can be added up. */
export const SUMS = [
  'cost',
  'costInput',
  'costOutput',
  'savedCost',
  'savedTokens',
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'cachedInputTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'totalUs',
  'firstByteUs',
  'beforeUs',
  'cacheUs',
  'upstreamUs',
  'afterUs',
  'attempts',
] as const satisfies readonly RecordColumn[]
export type SummedColumn = (typeof SUMS)[number]

/** Columns whose quantiles can be had from rollups. */
export const HISTOGRAMS = ['totalUs', 'firstByteUs'] as const satisfies readonly RecordColumn[]
export type HistogramColumn = (typeof HISTOGRAMS)[number]

/** Metadata keys that every workspace has a facet for: users are counted in most views. */
export const COMMON_KEYS: readonly string[] = ['_user']

/** Facets that every workspace has, besides those of metadata keys: the ones with the fewest rows first. */
export const CALL_FACETS = [MODEL_FACET, OUTCOME_FACET, CALL_FACET] as const
type CallFacet = (typeof CALL_FACETS)[number]

interface Facet {
  readonly columns: readonly Dimension[]
  /** Of its sums, the widest first; each is a whole number of the next. */
  readonly widths: readonly number[]
}

const FACETS: Readonly<Record<CallFacet, Facet>> = {
  [OUTCOME_FACET]: { columns: OUTCOME_COLUMNS, widths: [DAY_US, QUARTER_DAY_US, HOUR_US, MINUTE_US] },
  [MODEL_FACET]: { columns: MODEL_COLUMNS, widths: [DAY_US, QUARTER_DAY_US, HOUR_US, MINUTE_US] },
  // Seldom are two calls of some hours the same: sums of a quarter of a day would be nearly as many.
  [CALL_FACET]: { columns: DIMENSIONS, widths: [DAY_US, HOUR_US, MINUTE_US] },
}

/** Values of metadata are many: their finest sums are those of an hour. */
const METADATA_FACET: Facet = { columns: METADATA_COLUMNS, widths: [DAY_US, QUARTER_DAY_US, HOUR_US] }

const isCallFacet = (facet: string): facet is CallFacet => Object.hasOwn(FACETS, facet)
const facetOf = (facet: string): Facet => (isCallFacet(facet) ? FACETS[facet] : METADATA_FACET)

/** Whether a facet is named after a metadata key, and has its values. */
export const isMetadataFacet = (facet: string): boolean => !isCallFacet(facet)

/** Columns of a facet. */
export const dimensionsOf = (facet: string): readonly Dimension[] => facetOf(facet).columns

/** Widths of the sums of a facet, the widest first. */
export const widthsOf = (facet: string): readonly number[] => facetOf(facet).widths
