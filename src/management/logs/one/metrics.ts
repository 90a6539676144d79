import type { Static } from '@sinclair/typebox'
import type { CallRecord, RecordedCost } from '../../../core/records.ts'
import { lastIndex, RECORD_FIELDS, toCents, toMs } from '../fields.ts'
import type { Metrics } from './fields.ts'

/** What only the database knows of a record. */
export interface Names {
  readonly organisation: string | null
  readonly workspaceSlug: string | null
}

const toFlag = (is: boolean | undefined): 0 | 1 => (is === true ? 1 : 0)

/** The documented metrics of a record (interface contract, section 5.3). */
export const toMetrics = (record: CallRecord, names: Names): Static<typeof Metrics> => {
  const { sdk, runtime, cacheStatus } = record
  const [runtimeName = null, runtimeVersion = null] = runtime?.split('/') ?? []
  return {
    ...documented(record),
    organisation_id: record.organisationId,
    organisation_name: names.organisation,
    workspace_slug: names.workspaceSlug,
    prompt_id: record.promptId ?? null,
    prompt_version_id: record.promptVersionId ?? null,
    config_id: record.configId ?? null,
    config_version_id: record.configVersionId ?? null,
    request_method: record.method,
    is_proxy_call: toFlag(record.isPassThrough),
    cache_status: cacheStatus ?? null,
    cache_type: cacheStatus === undefined ? null : cacheStatus.startsWith('SEMANTIC') ? 'semantic' : 'simple',
    stream_mode: toFlag(record.stream),
    retry_success_count: record.success ? record.retries : 0,
    span_id: record.spanId ?? null,
    span_name: record.spanName ?? null,
    parent_span_id: record.parentSpanId ?? null,
    internal_trace_id: record.callId,
    virtual_key: record.storedProvider ?? null,
    source: sdk?.split('/')[0] ?? null,
    runtime: runtimeName,
    runtime_version: runtimeVersion,
    sdk_version: sdk?.split('/')[1] ?? null,
    last_used_option_index: lastIndex(record.optionPath),
    log_store_file_path_format: 'v1',
    'metadata.key': Object.keys(record.metadata),
    'metadata.value': Object.values(record.metadata),
    api_key_id: record.apiKeyId ?? null,
    request_parsing_time: toMs(record.parsingUs),
    pre_processing_time: toMs(record.beforeUs),
    cache_processing_time: toMs(record.cacheUs),
    response_parsing_time: toMs(record.afterUs),
    gateway_processing_time: record.upstreamUs === undefined ? null : toMs(record.totalUs - record.upstreamUs),
    upstream_response_time: toMs(record.upstreamUs),
    unpriced: record.unpriced === true,
    cost_parts: record.cost === undefined ? null : toCostParts(record.cost),
    price_id: record.priceId ?? null,
    cached_units: record.cachedInputTokens ?? null,
    refused_by: [...(record.refusedBy ?? [])],
    shadow_refusals: [...(record.shadowRefusals ?? [])],
  }
}

const toCostParts = ({ input, output, cache, other }: RecordedCost) => ({
  input: toCents(input),
  output: toCents(output),
  cache: toCents(cache),
  other: toCents(other),
})

const documented = (record: CallRecord) =>
  // Each field is made by the function of its name.
  Object.fromEntries(Object.entries(RECORD_FIELDS).map(([name, from]) => [name, from(record)])) as {
    readonly [Name in keyof typeof RECORD_FIELDS]: ReturnType<(typeof RECORD_FIELDS)[Name]>
  }
