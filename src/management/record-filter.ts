import { isRecord } from '../core/json/record.ts'
import { RECORD_KINDS } from '../core/records.ts'
import type { Condition, RecordColumn, RecordFilter, Scalar } from '../records/question.ts'
import { isUuid } from '../store/objects/rows.ts'
import { invalidField } from './invalid-field.ts'
import { toDate } from './own-budgets/usage-limits.ts'
import { CACHE_STATES, OUTCOMES, type RecordFilterQuery } from './record-filters.ts'
import type { Place } from './resolve-workspace.ts'

export interface FilterLimits {
  readonly nowMs: number
  /** Days that records of the place are kept: nothing before can be asked for. */
  readonly retentionDays: number
  /** Where the filters stand in the call: `filters`. Absent: they are its query. */
  readonly path?: string
}

/**
 * The records of a place that fit the filters.
 * @throws ManagementInvalid for filters that contradict each other or cannot be read, and times before what is kept
 */
export const toRecordFilter = (place: Place, query: RecordFilterQuery, limits: FilterLimits): RecordFilter => {
  const at = (name: string): string => (limits.path === undefined ? name : `${limits.path}.${name}`)
  return {
    organisationId: place.organisationId,
    workspaceIds: place.workspaceId === undefined ? undefined : [place.workspaceId],
    ...toRange(query, limits, at),
    where: [...ranges(query, at), ...lists(query, at)],
  }
}

type At = (name: string) => string

const DAY_MS = 86_400_000

const toRange = (query: RecordFilterQuery, limits: FilterLimits, at: At): Pick<RecordFilter, 'from' | 'to'> => {
  const { time_of_generation_min: min, time_of_generation_max: max } = query
  const { nowMs, retentionDays } = limits
  // Records go by the day.
  const kept = (Math.floor(nowMs / DAY_MS) - retentionDays) * DAY_MS * 1000
  const begin = min === undefined ? kept : toMicroseconds(min, at('time_of_generation_min'))
  // What arrives while somebody reads belongs to it, also from a process whose clock is ahead.
  const end = max === undefined ? (nowMs + DAY_MS) * 1000 : toMicroseconds(max, at('time_of_generation_max'))
  if (begin < kept) {
    const days = `${retentionDays} day${retentionDays === 1 ? '' : 's'}`
    throw invalidField(at('time_of_generation_min'), `lies before what is kept: records are kept for ${days}`)
  }
  if (end <= begin) {
    const message = min === undefined ? 'lies before what is kept' : 'must be after `time_of_generation_min`'
    throw invalidField(at('time_of_generation_max'), message)
  }
  return { from: begin, to: end }
}

/** @throws ManagementInvalid for a time that does not exist */
export const toMicroseconds = (text: string, path: string): number => {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  const seconds = Math.floor(toDate(text, path).getTime() / 1000)
  return seconds * 1_000_000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

/** Picodollars. */
const CENT = 10_000_000_000

/** Ranges of numbers: their name in the interface, the column, and how many of its units make one of the interface. */
const RANGES = [
  ['total_units', 'totalTokens', 1],
  ['prompt_token', 'inputTokens', 1],
  ['completion_token', 'outputTokens', 1],
  ['cost', 'cost', CENT],
  ['response_time', 'totalUs', 1000],
] as const satisfies (readonly [string, RecordColumn, number])[]

const ranges = (query: RecordFilterQuery, at: At): Condition[] => {
  const found: Condition[] = []
  for (const [name, column, scale] of RANGES) {
    const range = rangeOf(query[`${name}_min`], query[`${name}_max`], at(`${name}_max`), scale)
    if (range !== undefined) found.push({ column, ...range })
  }
  const { weighted_feedback_min: min, weighted_feedback_max: max } = query
  const range = rangeOf(min, max, at('weighted_feedback_max'))
  return range === undefined ? found : [...found, { weightedFeedback: range }]
}

const rangeOf = (min: number | undefined, max: number | undefined, path: string, scale?: number) => {
  if (min === undefined && max === undefined) return undefined
  if (min !== undefined && max !== undefined && max < min) {
    throw invalidField(path, `must not be below \`${(path.split('.').at(-1) ?? path).replace(/_max$/, '_min')}\``)
  }
  const scaled = (value: number): number =>
    scale === undefined ? value : Math.min(Math.round(value * scale), Number.MAX_SAFE_INTEGER)
  return {
    ...(min === undefined ? {} : { min: scaled(min) }),
    ...(max === undefined ? {} : { max: scaled(max) }),
  }
}

/** Most values of a list, and most keys of metadata: a question has to stay one that a store can take. */
const MAX_VALUES = 100
const MAX_KEYS = 20

const lists = (query: RecordFilterQuery, at: At): Condition[] => {
  const found: Condition[] = []
  const add = (name: keyof RecordFilterQuery, toCondition: (values: readonly string[]) => Condition): void => {
    const text = query[name]
    if (typeof text === 'string') found.push(toCondition(valuesOf(text, at(name))))
  }
  const isIn = (column: RecordColumn) => (values: readonly Scalar[]) => ({ column, in: values })
  const oneOf = (name: string, known: readonly string[], column: RecordColumn) => (values: readonly string[]) => {
    const stranger = values.find((value) => !known.includes(value))
    if (stranger === undefined) return { column, in: values }
    throw invalidField(at(name), `has '${stranger}', which is none of: ${known.join(', ')}`)
  }
  add('status_code', (values) => isIn('status')(values.map((value) => toStatus(value, at('status_code')))))
  add('virtual_keys', isIn('storedProvider'))
  add('configs', (values) => {
    const ids = values.filter(isUuid).map((id) => id.toLowerCase())
    const bySlug = isIn('configSlug')(values)
    return ids.length === 0 ? bySlug : { any: [isIn('configId')(ids), bySlug] }
  })
  add('api_key_ids', (values) => isIn('apiKeyId')(values.map((id) => id.toLowerCase())))
  add('trace_id', isIn('traceId'))
  add('span_id', isIn('spanId'))
  add('prompt_slug', isIn('promptSlug'))
  add('ai_org_model', (values) => ({ models: values.map((value) => toModel(value, at('ai_org_model'))) }))
  add('id', (values) => isIn('id')(values.map((id) => id.toLowerCase())))
  add('kind', oneOf('kind', RECORD_KINDS, 'kind'))
  add('provider', isIn('provider'))
  add('model', (values) => ({ any: [isIn('model')(values), isIn('modelAsked')(values)] }))
  add('endpoint', isIn('endpoint'))
  add('outcome', oneOf('outcome', OUTCOMES, 'outcome'))
  add('error_code', isIn('errorCode'))
  add('cache_status', oneOf('cache_status', CACHE_STATES, 'cacheStatus'))
  add('user', (values) => ({ metadata: '_user', in: values }))
  if (query.is_success !== undefined) found.push({ column: 'success', in: [query.is_success] })
  if (query.metadata !== undefined) found.push(...toMetadata(query.metadata, at('metadata')))
  return found
}

const valuesOf = (text: string, path: string): readonly string[] => {
  const parts = text.split(',', MAX_VALUES + 1).map((part) => part.trim())
  if (parts.length > MAX_VALUES) throw invalidField(path, `has more than ${MAX_VALUES} values`)
  const values = parts.filter((part) => part !== '')
  if (values.length === 0) throw invalidField(path, 'has no value')
  return [...new Set(values)]
}

/** 0 is that of calls which got no answer. */
const toStatus = (text: string, path: string): number => {
  if (!/^(?:0|[1-5][0-9]{2})$/.test(text)) throw invalidField(path, `has '${text}', which is no status code`)
  return Number(text)
}

const toModel = (text: string, path: string): readonly [string, string] => {
  const at = text.indexOf('__')
  const [provider, model] = [text.slice(0, at), text.slice(at + 2)]
  if (at < 1 || model === '') throw invalidField(path, `has '${text}', which is not of the form provider__model`)
  return [provider, model]
}

const toMetadata = (text: string, path: string): readonly Condition[] => {
  const labels = readJson(text)
  if (!isRecord(labels)) throw invalidField(path, 'is no JSON object')
  const entries = Object.entries(labels)
  if (entries.length > MAX_KEYS) throw invalidField(path, `has more than ${MAX_KEYS} keys`)
  return entries.map(([key, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    const texts = values.filter((each) => typeof each === 'string')
    if (texts.length < values.length) throw invalidField(`${path}.${key}`, 'must be a text, or a list of texts')
    if (texts.length === 0) throw invalidField(`${path}.${key}`, 'has no value')
    if (texts.length > MAX_VALUES) throw invalidField(`${path}.${key}`, `has more than ${MAX_VALUES} values`)
    return { metadata: key, in: texts }
  })
}

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
