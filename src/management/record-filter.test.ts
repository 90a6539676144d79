import { describe, expect, test } from 'bun:test'
import { GatewayError } from '../errors/gateway-error.ts'
import { type FilterLimits, toRecordFilter } from './record-filter.ts'
import type { RecordFilterQuery } from './record-filters.ts'

const NOW = Date.UTC(2026, 10, 22, 18, 30)
const DAY = 86_400_000
const PLACE = { organisationId: 'o', workspaceId: 'w' }
const limits: FilterLimits = { nowMs: NOW, retentionDays: 30 }

const filter = (query: RecordFilterQuery, more: Partial<FilterLimits> = {}) =>
  toRecordFilter(PLACE, query, { ...limits, ...more })
const where = (query: RecordFilterQuery) => filter(query).where
const problem = (query: RecordFilterQuery, more: Partial<FilterLimits> = {}): string | undefined => {
  try {
    filter(query, more)
  } catch (thrown) {
    if (thrown instanceof GatewayError) return `${thrown.options.param}: ${thrown.message}`
    throw thrown
  }
  return undefined
}

describe('the time', () => {
  test('is all that is kept, and what arrives meanwhile, where the call does not say', () => {
    const found = filter({})
    expect(found).toMatchObject({ organisationId: 'o', workspaceIds: ['w'], where: [] })
    expect(found.from).toBe(Date.UTC(2026, 9, 23) * 1000)
    expect(found.to).toBe((NOW + DAY) * 1000)
    expect(toRecordFilter({ organisationId: 'o' }, {}, limits).workspaceIds).toBeUndefined()
  })

  test('is read to the microsecond, in any zone', () => {
    const found = filter({
      time_of_generation_min: '2026-11-22T01:00:00.1234567+02:00',
      time_of_generation_max: '2026-11-22T01:00:00.25Z',
    })
    expect(found.from).toBe(Date.UTC(2026, 10, 21, 23) * 1000 + 123_456)
    expect(found.to).toBe(Date.UTC(2026, 10, 22, 1) * 1000 + 250_000)
  })

  test.each([
    [{ time_of_generation_min: '2026-02-30T00:00:00Z' }, 'time_of_generation_min'],
    [{ time_of_generation_min: '2026-10-22T23:59:59Z' }, 'time_of_generation_min'],
    [{ time_of_generation_max: '2026-10-22T23:59:59Z' }, 'time_of_generation_max'],
    [
      { time_of_generation_min: '2026-11-22T00:00:00Z', time_of_generation_max: '2026-11-22T00:00:00Z' },
      'time_of_generation_max',
    ],
  ] as const)('%j is refused', (query, name) => {
    expect(problem(query)).toStartWith(`${name}: `)
    expect(problem(query, { path: 'filters' })).toStartWith(`filters.${name}: `)
  })

  test('a refusal says how long records are kept', () => {
    expect(problem({ time_of_generation_min: '2020-01-01T00:00:00Z' })).toContain('kept for 30 days')
    expect(problem({ time_of_generation_min: '2020-01-01T00:00:00Z' }, { retentionDays: 1 })).toContain('1 day')
  })
})

describe('ranges', () => {
  test('are in the units of records', () => {
    expect(where({ cost_min: 0.25, cost_max: 1, response_time_max: 20, total_units_min: 0 })).toEqual([
      { column: 'totalTokens', min: 0 },
      { column: 'cost', min: 2_500_000_000, max: 10_000_000_000 },
      { column: 'totalUs', max: 20_000 },
    ])
    expect(where({ cost_min: 999_999_999_999_999 })).toEqual([{ column: 'cost', min: Number.MAX_SAFE_INTEGER }])
    expect(where({ weighted_feedback_min: -0.5, weighted_feedback_max: -0.5 })).toEqual([
      { weightedFeedback: { min: -0.5, max: -0.5 } },
    ])
  })

  test.each(['total_units', 'prompt_token', 'completion_token', 'cost', 'weighted_feedback', 'response_time'])(
    'of %s that contradict are refused',
    (name) => {
      const query = { [`${name}_min`]: 2, [`${name}_max`]: 1 }
      expect(problem(query)).toStartWith(`${name}_max: `)
      expect(problem(query)).toContain(`must not be below \`${name}_min\``)
      expect(problem(query, { path: 'filters' })).toContain(`must not be below \`${name}_min\``)
    },
  )
})

describe('lists', () => {
  test('have each value once, without the spaces around it', () => {
    expect(where({ trace_id: ' a, b,,a ', status_code: '200,429', virtual_keys: 'open-ai' })).toEqual([
      { column: 'status', in: [200, 429] },
      { column: 'storedProvider', in: ['open-ai'] },
      { column: 'traceId', in: ['a', 'b'] },
    ])
  })

  test('of configs take ids and slugs, of models what was asked for and what answered', () => {
    const id = '0190A1B2-0000-7000-8000-00000000000A'
    expect(where({ configs: `pc-a,${id}`, model: 'gpt-5' })).toEqual([
      {
        any: [
          { column: 'configId', in: [id.toLowerCase()] },
          { column: 'configSlug', in: ['pc-a', id] },
        ],
      },
      {
        any: [
          { column: 'model', in: ['gpt-5'] },
          { column: 'modelAsked', in: ['gpt-5'] },
        ],
      },
    ])
    expect(where({ configs: 'pc-a' })).toEqual([{ column: 'configSlug', in: ['pc-a'] }])
    expect(where({ ai_org_model: 'openai__gpt__5' })).toEqual([{ models: [['openai', 'gpt__5']] }])
  })

  test('metadata asks for each key', () => {
    expect(where({ metadata: '{"team":"a","stage":["x","y"]}', user: 'ann', is_success: false })).toEqual([
      { metadata: '_user', in: ['ann'] },
      { column: 'success', in: [false] },
      { metadata: 'team', in: ['a'] },
      { metadata: 'stage', in: ['x', 'y'] },
    ])
  })

  test.each([
    ['status_code', '2xx'],
    ['status_code', '600'],
    ['trace_id', ' , '],
    ['span_id', Array.from({ length: 101 }, (_, index) => index).join(',')],
    ['ai_org_model', 'gpt-5'],
    ['ai_org_model', '__gpt-5'],
    ['ai_org_model', 'openai__'],
    ['kind', 'calls'],
    ['outcome', 'lost'],
    ['cache_status', 'hit'],
    ['metadata', '{'],
    ['metadata', '["a"]'],
    ['metadata', JSON.stringify(Object.fromEntries(Array.from({ length: 21 }, (_, index) => [index, 'a'])))],
  ])('%s of %p is refused', (name, value) => {
    expect(problem({ [name]: value })).toStartWith(`${name}: `)
  })

  test.each(['{"a":1}', '{"a":["x",1]}', '{"a":[]}', JSON.stringify({ a: Array.from({ length: 101 }, () => 'x') })])(
    'metadata of %j names its key',
    (metadata) => {
      expect(problem({ metadata }, { path: 'filters' })).toStartWith('filters.metadata.a: ')
    },
  )
})
