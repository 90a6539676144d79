import type { CallRecord, Picodollars } from '../../core/records.ts'

/** What clients see of a record, by the names of the interface: the one place that turns its units into theirs. */

type ToShown = (record: CallRecord) => unknown

const PICODOLLARS_A_CENT = 10_000_000_000

/** Cents, with fractions. */
export const toCents = (cost: Picodollars): number => cost / PICODOLLARS_A_CENT

/** Milliseconds, with fractions. */
export const toMs = (microseconds: number | undefined): number | null =>
  microseconds === undefined ? null : microseconds / 1000

/** RFC 3339, to the microsecond. */
export const toTime = (microseconds: number): string => {
  const text = new Date(Math.floor(microseconds / 1000)).toISOString()
  return `${text.slice(0, -1)}${String(microseconds % 1000).padStart(3, '0')}Z`
}

/** Index of the target in its config: the last number of `config.targets[0].targets[1]`. */
export const lastIndex = (path: string | undefined): number | null => {
  const index = path?.match(/\[(\d+)\][^[]*$/)?.[1]
  return index === undefined ? null : Number(index)
}

/** Documented fields, of lists and exports (behaviours, sections 7.1 and 7.4). */
export const RECORD_FIELDS = {
  id: ({ id }) => id,
  trace_id: ({ traceId }) => traceId,
  created_at: ({ time }) => toTime(time),
  is_success: ({ success }) => (success ? 1 : 0),
  ai_org: ({ provider }) => provider ?? null,
  ai_model: ({ model, modelAsked }) => model ?? modelAsked ?? null,
  req_units: ({ inputTokens }) => inputTokens ?? null,
  res_units: ({ outputTokens }) => outputTokens ?? null,
  total_units: ({ totalTokens }) => totalTokens ?? null,
  request_url: ({ sentUrl, path }) => sentUrl ?? path,
  cost: ({ cost }) => (cost === undefined ? null : toCents(cost.total)),
  cost_currency: () => 'USD' as const,
  response_time: ({ totalUs }) => toMs(totalUs),
  response_status_code: ({ status }) => status,
  mode: ({ mode }) => mode ?? null,
  config: ({ configSlug, configId }) => configSlug ?? configId ?? null,
  prompt_slug: ({ promptSlug }) => promptSlug ?? null,
} as const satisfies Record<string, ToShown>

/** Further fields of lists and of the live tail; those after `kind` are ours. */
const LIST_FIELDS = {
  _user: ({ metadata }) => metadata._user ?? null,
  cache_status: ({ cacheStatus }) => cacheStatus ?? null,
  retry_success_count: ({ retries }) => retries,
  last_used_option_index: ({ optionPath }) => lastIndex(optionPath),
  metadataKey: ({ metadata }) => Object.keys(metadata),
  metadataValue: ({ metadata }) => Object.values(metadata),
  kind: ({ kind }) => kind,
  workspace_id: ({ workspaceId }) => workspaceId,
  api_key_id: ({ apiKeyId }) => apiKeyId ?? null,
  method: ({ method }) => method,
  path: ({ path }) => path,
  endpoint: ({ endpoint }) => endpoint,
  request_type: ({ requestType }) => requestType,
  stream: ({ stream }) => stream,
  virtual_key: ({ storedProvider }) => storedProvider ?? null,
  model_asked: ({ modelAsked }) => modelAsked ?? null,
  outcome: ({ outcome }) => outcome,
  error_code: ({ errorCode }) => errorCode ?? null,
  error_message: ({ errorMessage }) => errorMessage ?? null,
  attempts: ({ attempts }) => attempts,
  fallback: ({ fallback }) => fallback,
  option_path: ({ optionPath }) => optionPath ?? null,
  unpriced: ({ unpriced }) => unpriced === true,
  estimated: ({ estimated }) => estimated === true,
  first_byte_time: ({ firstByteUs }) => toMs(firstByteUs),
  upstream_response_time: ({ upstreamUs }) => toMs(upstreamUs),
  span_id: ({ spanId }) => spanId ?? null,
  has_bodies: ({ hasBodies }) => hasBodies === true,
} as const satisfies Record<string, ToShown>

const SHOWN = { ...RECORD_FIELDS, ...LIST_FIELDS }
type ShownRecord = { readonly [Name in keyof typeof SHOWN]: ReturnType<(typeof SHOWN)[Name]> }

const ENTRIES = Object.entries<ToShown>(SHOWN)

/** A record as lists and the live tail show it, but for what only the database knows. */
export const toShown = (record: CallRecord): ShownRecord =>
  // Each field is made by the function of its name.
  Object.fromEntries(ENTRIES.map(([name, from]) => [name, from(record)])) as ShownRecord
