import { type Period, readPeriod, windowOf } from '../ui/period.ts'

/** Fields of a record that a list can be narrowed by, with their titles. */
export const FILTERS = {
  model: 'Model',
  provider: 'Provider',
  virtual_keys: 'Stored provider',
  api_key_ids: 'Key (id)',
  user: 'User',
  configs: 'Config',
  prompt_slug: 'Prompt',
  endpoint: 'Kind of call',
  status_code: 'HTTP status',
  error_code: 'Error code',
  cache_status: 'Cache status',
  metadata: 'Metadata (JSON)',
  trace_id: 'Trace',
  id: 'Record',
} as const

export type FilterName = keyof typeof FILTERS

/** What the address bar says of the list. */
export interface Filters extends Period, Partial<Record<FilterName, string>> {
  /** How calls ended; absent: either way. */
  readonly ended?: 'well' | 'badly'
  /** Words in bodies. */
  readonly search?: string
}

export const FILTER_NAMES = Object.keys(FILTERS) as readonly FilterName[]

/** What an address says; what is none of ours is left out. */
export const readFilters = (search: Record<string, unknown>): Filters => ({
  ...readPeriod(search),
  ...(search.ended === 'well' || search.ended === 'badly' ? { ended: search.ended } : {}),
  ...textOf(search, 'search'),
  ...Object.assign({}, ...FILTER_NAMES.map((name) => textOf(search, name))),
})

const textOf = (search: Record<string, unknown>, name: string): Readonly<Record<string, string>> => {
  const value = search[name]
  // The router reads numbers and JSON in an address as what they are.
  if (name === 'metadata' && typeof value === 'object' && value !== null) return { [name]: JSON.stringify(value) }
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? { [name]: String(value) } : {}
}

/** The filters without the time, as the interface spells them. */
export const questionOf = (filters: Filters) => ({
  ...Object.assign({}, ...FILTER_NAMES.map((name) => (filters[name] === undefined ? {} : { [name]: filters[name] }))),
  ...(filters.ended === undefined ? {} : { is_success: filters.ended === 'well' }),
})

/** The time that the filters name; absent: all that is kept. */
export const timeOf = (filters: Filters) =>
  filters.range === undefined && filters.from === undefined ? {} : windowOf(filters, '24h')
